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
 * An agent of Ludii's that is played by griot, a process at the other end of two pipes.
 *
 * <p>Nothing is remembered from move to move but the process: the position is told to griot anew for each move, from Ludii's own
 * record of the game. So moves may be taken back, and games may be set up.
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

    /** An agent that plays by the griot that the system names; see {@link Program#ofTheSystem}. */
    public GriotAI() {
        this(null);
    }

    /** @param program the griot to play by; null for the one that the system names */
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
     * Why this agent cannot play a game: the rules are none of griot's, or there is no griot.
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
        // Not synchronized: a search may run in another thread, and is to end.
        closings++;
        final Engine old = engine;
        if (old != null) {
            old.close();
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>{@code maxSeconds} is griot's {@code movetime}, an iteration is one position visited, and depth is in plies. Without any limit griot thinks
     * until it has solved the position or Ludii interrupts it. If griot dies it is started anew, once for a move. If that is of no use,
     * the first legal move is played, and the standard error stream and the analysis report say so.
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
            // All that can be done is to vote: whoever is to move after it decides what the rest of the game is worth.
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
            return makeshift(legal, "griot plays " + answer.move + ", which is no move of Ludii's here");
        }
        report = report(griot, answer);
        if (!talk.isEmpty() && worthEnding(position, true)) {
            report += "; proposes to end the game";
            return talk.get(0);
        }
        return move;
    }

    /** The position as the moves that led to it, if griot comes to the same by them and can go on; else as it stands. */
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
                // The game began elsewhere. If griot is gone, the next line finds out.
            }
        }
        griot.obey("position fen " + board);
        if (griot.query("gameover").equals("true") && map instanceof OwareMap) {
            griot.obey("position fen " + ((OwareMap) map).boardWithEvenStores(position));
        }
    }

    /** The moves of a game from its start, each behind a blank; null where one of them is no move of griot's. */
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

    /** Which of griot's moves Ludii allows; empty if that is all of them. */
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

    /** Whether to end a game of Oware that goes in circles: to win, for a draw if no more is expected, or if it is lost anyway. */
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

    /** @return how many moves of this game were not griot's, because it was gone or had no move */
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
     * @return the value of the last search for the player who was to move: -1 a certain loss, 1 a certain win; 0 if nothing was searched
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
     * @return the first moves of the lines that griot told last, with their values; as it does not tell the effort for each, the
     *         effort stands for the place: 1, 1/2, 1/3 and so on. More than one line is told with the option {@code MultiPV}. Null if
     *         nothing was searched
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
