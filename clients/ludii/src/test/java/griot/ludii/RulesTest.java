package griot.ludii;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import game.Game;
import griot.engine.Engine;
import griot.engine.EngineException;
import griot.engine.RealGriot;
import griot.map.GameMap;
import griot.map.OwareMap;
import griot.map.Position;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.Test;
import other.context.Context;
import other.move.Move;

/** Random games, refereed by Ludii: griot has the same board and legal moves at each ply, and the same result at the end. */
public final class RulesTest {
    private static final int GAMES = Integer.getInteger("games", 20);

    @Test
    public void griotHasTheRulesOfLudii() throws EngineException {
        try (Engine griot = new Engine(RealGriot.program())) {
            for (final Map.Entry<String, Game> game : Games.all().entrySet()) {
                System.out.println(new Playouts(griot, game.getKey(), game.getValue()).run());
            }
        }
    }

    /** Random games of one game, with their results. */
    private static final class Playouts {
        private final Engine griot;
        private final String name;
        private final Game game;
        private final GameMap map;
        private final Random random = new Random(1);
        private int plies;
        private int passesAfterTheEnd;
        private int afterTheMajority;
        private int starved;
        private int laps;
        private int endless;
        private int circles;
        private int repeated;

        Playouts(final Engine griot, final String name, final Game game) {
            this.griot = griot;
            this.name = name;
            this.game = game;
            this.map = Games.recognise(game).map;
            assertNotNull(name + ": " + Games.recognise(game).reason, map);
        }

        String run() throws EngineException {
            griot.obey("setoption name Game value " + map.game());
            for (int i = 0; i < GAMES; i++) {
                play();
            }
            return String.format("%s: %d games, %d plies; %d passes after the end, %d plies after a majority, %d starved, %d whole laps, "
                    + "%d proposals, %d plies after a repetition, %d draws by the limit of turns", name, GAMES, plies,
                    passesAfterTheEnd, afterTheMajority, starved, laps, circles, repeated, endless);
        }

        private void play() throws EngineException {
            final Context context = Games.start(game);
            final StringBuilder history = new StringBuilder();
            boolean silent = true;
            while (!context.trial().over()) {
                compare(context, silent ? history.toString() : null);
                final Iterable<Move> legal = game.moves(context).moves();
                final Move move = pick(legal);
                if (map instanceof OwareMap && wholeLap(new Snapshot(context), move.to())) {
                    silent = false;
                    laps++;
                }
                silent &= !move.isPropose() && !move.isVote();
                if (silent) {
                    history.append(' ').append(word(move));
                }
                game.apply(context, move);
                plies++;
            }
            compareResult(context, history.toString());
        }

        /**
         * Whether a sowing ends just after its origin, which it skips: Ludii then applies the capture rule to the skipped house,
         * and nothing is captured. In griot the last seed captures.
         */
        private boolean wholeLap(final Position position, final int house) {
            return (house == 6 || house == 7) && position.count(house) > 1 && position.count(house) % 11 == 1;
        }

        private Move pick(final Iterable<Move> legal) {
            Move chosen = null;
            int seen = 0;
            for (final Move move : legal) {
                if (random.nextInt(++seen) == 0) {
                    chosen = move;
                }
            }
            return chosen;
        }

        private String word(final Move move) {
            return move.isPass() ? "0000" : map.move(move.to());
        }

        private void compare(final Context context, final String history) throws EngineException {
            final Snapshot position = new Snapshot(context);
            final String board = map.board(position);
            final TreeSet<String> ludii = new TreeSet<>();
            boolean talk = false;
            for (final Move move : game.moves(context).moves()) {
                if (move.isPropose() || move.isVote()) {
                    talk = true;
                } else {
                    ludii.add(word(move));
                }
            }
            circles += talk ? 1 : 0;
            if (ludii.isEmpty()) {
                return;
            }
            if (ludii.toString().equals("[0000]") && context.trial().numMoves() > 0 && context.trial().lastMove().isPass()) {
                passesAfterTheEnd++;
                return;
            }
            griot.obey("position fen " + board);
            assertEquals(name, board, griot.query("fen"));
            if (map instanceof OwareMap && ludii.contains("0000")) {
                // No move leaves the opponent a seed: Ludii passes and ends the game; griot plays on or has ended the game.
                starved++;
                return;
            }
            if (griot.query("gameover").equals("true")) {
                if (map instanceof OwareMap) {
                    griot.obey("position fen " + ((OwareMap) map).boardWithEvenStores(position));
                    afterTheMajority++;
                } else {
                    assertEquals(name + ": griot has ended " + board, "[0000]", ludii.toString());
                    passesAfterTheEnd++;
                    return;
                }
            }
            final TreeSet<String> moves = new TreeSet<>(Arrays.asList(griot.query("legalmoves").split(" ")));
            final boolean opening = context.trial().numMoves() == 0 && name.contains("Open-Outer");
            if (opening) {
                assertTrue(name, moves.containsAll(ludii));
            } else if (!moves.equals(ludii)) {
                assertTrue(name + ": " + board + ": " + moves + ", Ludii: " + ludii, map instanceof OwareMap);
                for (final int end : new int[] {6, 7}) {
                    if (wholeLap(position, end)) {
                        moves.remove(map.move(end));
                        ludii.remove(map.move(end));
                    }
                }
                assertEquals(name + ": " + board, moves, ludii);
            }
            if (history != null) {
                compareHistory(board, history);
            }
        }

        private void compareHistory(final String board, final String history) throws EngineException {
            final String command = "position startpos" + (history.isEmpty() ? "" : " moves" + history);
            try {
                griot.obey(command);
                assertEquals(name + ":" + history, board, griot.query("fen"));
            } catch (final EngineException e) {
                assertTrue(name + ": " + e.getMessage(), map instanceof OwareMap && e.getMessage().contains("the game is over before"));
                repeated++;
            }
        }

        private void compareResult(final Context context, final String history) throws EngineException {
            final double[] ranking = context.trial().ranking();
            final String ludii = ranking[1] == ranking[2] ? "draw" : ranking[1] < ranking[2] ? "p1win" : "p2win";
            if (map instanceof OwareMap) {
                final Position position = new Snapshot(context);
                final int balance = ((OwareMap) map).balance(position, 1);
                if (context.trial().numTurns() >= 2 * game.getMaxTurnLimit()) {
                    endless++;
                    assertEquals(name, "draw", ludii);
                    return;
                }
                assertEquals(name, balance == 0 ? "draw" : balance > 0 ? "p1win" : "p2win", ludii);
                return;
            }
            try {
                griot.obey("position startpos moves" + history);
            } catch (final EngineException e) {
                // Passes of Ludii after the end; the result does not change.
                assertTrue(name + ": " + e.getMessage(), history.endsWith(" 0000") && e.getMessage().contains("the game is over before"));
            }
            assertEquals(name + ":" + history, griot.query("result"), ludii);
        }
    }
}
