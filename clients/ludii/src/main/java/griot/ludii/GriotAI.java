package griot.ludii;

import game.Game;
import griot.engine.Answer;
import griot.engine.Engine;
import griot.engine.EngineException;
import griot.engine.Limits;
import griot.engine.Line;
import griot.engine.Program;
import griot.map.GameMap;
import griot.map.OwareMap;
import griot.map.Position;
import griot.map.Recognition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import main.collections.FVector;
import main.collections.FastArrayList;
import other.AI;
import other.action.Action;
import other.context.Context;
import other.move.Move;
import other.trial.Trial;

/**
 * A Ludii agent that plays with a griot process.
 *
 * <p>Only the process is kept from move to move: the position is sent again for each move, from Ludii's record of the game. So
 * moves may be taken back, and games may be set up.
 */
public final class GriotAI extends AI {
    private static final String PASS = "0000";

    private final Program given;
    private volatile Engine engine;
    private volatile int closings;
    private Recognition recognition;
    private Game recognised;
    private boolean gameTold;
    private Answer answer;
    private Map<String, Move> answerMoves = Collections.emptyMap();
    private String report;
    private int makeshifts;

    /** An agent with the configured griot; see {@link Program#ofTheSystem}. */
    public GriotAI() {
        this(null);
    }

    /** @param program the griot to use; null for the configured one */
    public GriotAI(final Program program) {
        given = program;
        friendlyName = "griot";
    }

    @Override
    public boolean supportsGame(final Game game) {
        final String reason = refusal(game);
        if (!reason.isEmpty()) {
            complain(reason);
        }
        return reason.isEmpty();
    }

    /**
     * Why this agent cannot play a game: griot does not play it, or there is no griot.
     *
     * @param game any game
     * @return the reason, for people; empty if it can be played
     */
    public String refusal(final Game game) {
        final Recognition found = Recognition.of(game.description().expanded());
        if (found.map == null) {
            return found.reason;
        }
        try {
            program();
            return "";
        } catch (final EngineException e) {
            return e.getMessage();
        }
    }

    @Override
    public synchronized void initAI(final Game game, final int playerID) {
        recognise(game);
        answer = null;
        report = null;
        gameTold = false;
        makeshifts = 0;
        if (recognition.map != null) {
            try {
                running();
            } catch (final EngineException e) {
                complain(e.getMessage());
            }
        }
    }

    @Override
    public void closeAI() {
        // Not synchronized, as it must end a search in another thread.
        closings++;
        final Engine old = engine;
        if (old != null) {
            old.close();
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>{@code maxSeconds} is griot's {@code movetime}, an iteration is one position visited, and depth is in plies. Without a
     * limit, griot searches until it has solved the position or Ludii interrupts it. If griot dies it is restarted, once for a
     * move. If that fails, the first legal move is played, and the standard error stream and the analysis report say so.
     *
     * @throws UnsupportedOperationException if griot does not play this game, with the reason
     */
    @Override
    public synchronized Move selectAction(final Game game, final Context context, final double maxSeconds, final int maxIterations,
            final int maxDepth) {
        recognise(game);
        if (recognition.map == null) {
            throw new UnsupportedOperationException(recognition.reason);
        }
        answer = null;
        report = null;
        final List<Move> legal = new ArrayList<>();
        for (final Move move : game.moves(context).moves()) {
            legal.add(move);
        }
        if (legal.size() == 1) {
            report = "griot: the only move";
            return legal.get(0);
        }
        final Limits limits = Limits.of(maxSeconds, maxIterations, maxDepth);
        final int closed = closings;
        try {
            return choose(context, legal, limits);
        } catch (final EngineException e) {
            // Nobody waits for the move of an agent that was closed or interrupted.
            if (closed != closings || wantsInterrupt) {
                return makeshift(legal, e.getMessage());
            }
            complain(e.getMessage() + "; it is started anew");
        }
        try {
            return choose(context, legal, limits);
        } catch (final EngineException e) {
            return makeshift(legal, e.getMessage());
        }
    }

    private Move choose(final Context context, final List<Move> legal, final Limits limits) throws EngineException {
        final GameMap map = recognition.map;
        final Engine griot = running();
        if (!gameTold) {
            griot.obey("setoption name Game value " + map.game());
            griot.obey("uginewgame");
            gameTold = true;
        }
        final Position position = new Snapshot(context);
        final Map<String, Move> moves = new LinkedHashMap<>();
        final List<Move> talk = new ArrayList<>();
        for (final Move move : legal) {
            if (move.isPropose() || move.isVote()) {
                talk.add(move);
            } else {
                moves.put(word(move), move);
            }
        }
        final boolean voting = moves.isEmpty();
        if (voting) {
            // Only a vote is possible: the value of the rest of the game depends on who is to move after it.
            final int turn = context.state().votes().isEmpty() ? position.mover() : 3 - position.mover();
            griot.obey("position fen " + ((OwareMap) map).board(position, turn));
            answer = griot.search(limits, Collections.emptyList(), () -> wantsInterrupt);
            answerMoves = Collections.emptyMap();
            return vote(talk, position, turn == position.mover());
        }
        setUp(griot, context.trial(), position);
        answer = griot.search(limits, common(griot, moves), () -> wantsInterrupt);
        answerMoves = moves;
        final Move move = moves.get(answer.move);
        if (move == null) {
            return makeshift(legal, "griot plays " + answer.move + ", which is not a move of Ludii's here");
        }
        report = report(griot, answer);
        if (!talk.isEmpty() && worthEnding(position, true)) {
            report += "; proposes to end the game";
            return talk.get(0);
        }
        return move;
    }

    /** Sets up the position by its moves, if griot reaches the same position by them and can continue; else by its board. */
    private void setUp(final Engine griot, final Trial trial, final Position position) throws EngineException {
        final GameMap map = recognition.map;
        final String board = map.board(position);
        final String history = history(trial);
        if (history != null) {
            try {
                griot.obey("position startpos" + (history.isEmpty() ? "" : " moves" + history));
                if (griot.query("fen").equals(board) && griot.query("gameover").equals("false")) {
                    return;
                }
            } catch (final EngineException e) {
                // The game began from another position. If griot is gone, the next command fails.
            }
        }
        griot.obey("position fen " + board);
        if (griot.query("gameover").equals("true") && map instanceof OwareMap) {
            griot.obey("position fen " + ((OwareMap) map).boardWithEvenStores(position));
        }
    }

    /** The moves of a game from its start, each after a blank; null if griot does not know one of them. */
    private String history(final Trial trial) {
        final StringBuilder history = new StringBuilder();
        for (int i = trial.numInitialPlacementMoves(); i < trial.numMoves(); i++) {
            final Move move = trial.getMove(i);
            if (move.isPropose() || move.isVote() || move.isSwap()) {
                return null;
            }
            try {
                history.append(' ').append(word(move));
            } catch (final IllegalArgumentException e) {
                return null;
            }
        }
        return history.toString();
    }

    private String word(final Move move) {
        return move.isPass() ? PASS : recognition.map.move(move.to());
    }

    /** The moves of griot that Ludii allows, too; empty if Ludii allows all of them. */
    private static List<String> common(final Engine griot, final Map<String, Move> moves) throws EngineException {
        final List<String> common = new ArrayList<>();
        final HashSet<String> all = new HashSet<>();
        for (final String move : griot.query("legalmoves").split(" ")) {
            all.add(move);
            if (moves.containsKey(move)) {
                common.add(move);
            }
        }
        if (common.isEmpty()) {
            throw new EngineException("griot and Ludii agree on no move here: " + all + ", " + moves.keySet());
        }
        return common.size() == all.size() ? Collections.emptyList() : common;
    }

    private Move vote(final List<Move> votes, final Position position, final boolean ownTurn) {
        final boolean end = worthEnding(position, ownTurn);
        report = "griot: votes " + (end ? "for" : "against") + " the end of the game";
        for (final Move vote : votes) {
            for (final Action action : vote.actions()) {
                if (action.isVote() && "End".equals(action.vote()) == end) {
                    return vote;
                }
            }
        }
        return votes.get(0);
    }

    /** Whether to end a cyclic game of Oware: to win, to draw if no more is expected, or if it is lost anyway. */
    private boolean worthEnding(final Position position, final boolean ownTurn) {
        final int balance = ((OwareMap) recognition.map).balance(position, position.mover());
        final double expected = answer.best() == null ? 0 : answer.best().value(recognition.map.unit()) * (ownTurn ? 1 : -1);
        return balance > 0 || balance == 0 && expected <= 0 || expected == -1;
    }

    private Move makeshift(final List<Move> legal, final String why) {
        makeshifts++;
        report = "griot did not choose this move: " + why;
        complain(why + "; the first legal move is played");
        return legal.get(0);
    }

    /** @return the number of moves of this game that were not griot's, because it was gone or had no move */
    public int makeshifts() {
        return makeshifts;
    }

    private void recognise(final Game game) {
        if (game != recognised) {
            recognition = Recognition.of(game.description().expanded());
            recognised = game;
            gameTold = false;
        }
    }

    private Program program() throws EngineException {
        return given == null ? Program.ofTheSystem() : given;
    }

    private Engine running() throws EngineException {
        if (engine == null || !engine.alive()) {
            gameTold = false;
            engine = new Engine(program());
        }
        return engine;
    }

    private void complain(final String what) {
        System.err.println("griot: " + what);
    }

    /**
     * {@inheritDoc}
     *
     * @return the value of the last search for the player to move: -1 a certain loss, 1 a certain win; 0 without a search
     */
    @Override
    public double estimateValue() {
        final Answer last = answer;
        return last == null || last.best() == null ? 0 : last.best().value(recognition.map.unit());
    }

    @Override
    public String generateAnalysisReport() {
        return report;
    }

    private static String report(final Engine griot, final Answer answer) {
        final StringBuilder report = new StringBuilder(griot.name()).append(": ").append(answer.move);
        for (final Line line : answer.lines) {
            report.append(answer.lines.size() > 1 ? "\n " + line.place + "." : "").append(" ").append(line.score()).append(", depth ")
                    .append(line.depth).append(", ").append(line.nodes).append(" nodes, ").append(String.join(" ", line.moves));
        }
        return report.toString();
    }

    /**
     * {@inheritDoc}
     *
     * @return the first moves of the last lines reported, with their values. griot does not report the effort for each, so the
     * effort shows the place: 1, 1/2, 1/3 and so on. The option {@code MultiPV} gives more than one line. Null without a search
     */
    @Override
    public AIVisualisationData aiVisualisationData() {
        final Answer last = answer;
        final Map<String, Move> moves = answerMoves;
        if (last == null) {
            return null;
        }
        final FastArrayList<Move> shown = new FastArrayList<>();
        final List<Line> lines = new ArrayList<>();
        for (final Line line : last.lines) {
            final Move move = line.moves.isEmpty() ? null : moves.get(line.moves.get(0));
            if (move != null) {
                shown.add(move);
                lines.add(line);
            }
        }
        if (lines.isEmpty()) {
            return null;
        }
        final FVector efforts = new FVector(lines.size());
        final FVector values = new FVector(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            efforts.set(i, 1f / (i + 1));
            values.set(i, (float) lines.get(i).value(recognition.map.unit()));
        }
        return new AIVisualisationData(efforts, values, shown);
    }
}
