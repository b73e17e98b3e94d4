package griot.ludii;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import game.Game;
import griot.engine.Program;
import griot.engine.RealGriot;
import java.util.Map;
import org.junit.Test;
import other.AI;
import other.context.Context;
import other.move.Move;
import utils.AIFactory;

/** Games against Ludii's agents, refereed by Ludii, with sides swapped: every move is legal, griot's own, and in time. */
public final class MatchTest {
    private static final int GAMES = Integer.getInteger("games", 2);
    private static final double SECONDS = Integer.getInteger("millis", 50) / 1000.0;
    private static final String[] OPPONENTS = System.getProperty("opponents", "UCT,Alpha-Beta").split(",");

    @Test
    public void griotPlaysWholeGames() {
        final Program program = RealGriot.program();
        for (final String opponent : OPPONENTS) {
            for (final Map.Entry<String, Game> game : Games.all().entrySet()) {
                System.out.println(new Match(game.getKey(), game.getValue(), opponent).run(new GriotAI(program)));
            }
        }
    }

    /** Games of one game against one opponent, with their results. */
    private static final class Match {
        private final String name;
        private final Game game;
        private final String opponent;
        private int wins;
        private int draws;
        private int losses;
        private int moves;
        private int makeshifts;
        private long longest;
        private long total;

        Match(final String name, final Game game, final String opponent) {
            this.name = name;
            this.game = game;
            this.opponent = opponent;
        }

        String run(final GriotAI griot) {
            assertTrue(name + ": " + griot.refusal(game), griot.supportsGame(game));
            for (int i = 0; i < GAMES; i++) {
                play(griot, 1 + i % 2);
            }
            griot.closeAI();
            assertEquals(name, 0, makeshifts);
            return String.format("%s against %s: %d games, +%d =%d -%d; %d moves, %d ms on average, %d ms at most, all griot's own", name, opponent,
                    GAMES, wins, draws, losses, moves, total / Math.max(1, moves), longest);
        }

        private void play(final GriotAI griot, final int side) {
            final AI other = AIFactory.createAI(opponent);
            assertTrue(other.supportsGame(game));
            final Context context = Games.start(game);
            griot.initAI(game, side);
            other.initAI(game, 3 - side);
            while (!context.trial().over()) {
                final boolean own = context.state().mover() == side;
                final long begin = System.nanoTime();
                final Move move = (own ? griot : other).selectAction(game, new Context(context), SECONDS, -1, -1);
                if (own) {
                    final long took = (System.nanoTime() - begin) / 1_000_000;
                    moves++;
                    total += took;
                    longest = Math.max(longest, took);
                    assertTrue(name + ": " + move, legal(context, move));
                    assertTrue(griot.estimateValue() >= -1 && griot.estimateValue() <= 1);
                }
                game.apply(context, move);
            }
            makeshifts += griot.makeshifts();
            other.closeAI();
            final double[] ranking = context.trial().ranking();
            final int result = Double.compare(ranking[3 - side], ranking[side]);
            wins += result > 0 ? 1 : 0;
            draws += result == 0 ? 1 : 0;
            losses += result < 0 ? 1 : 0;
        }

        private boolean legal(final Context context, final Move move) {
            for (final Move one : game.moves(context).moves()) {
                if (one.equals(move)) {
                    return true;
                }
            }
            return false;
        }
    }
}
