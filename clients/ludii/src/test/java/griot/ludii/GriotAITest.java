package griot.ludii;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import game.Game;
import game.types.board.SiteType;
import griot.engine.FakeGriot;
import griot.engine.Program;
import griot.engine.RealGriot;
import java.io.File;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import other.AI;
import other.GameLoader;
import other.action.Action;
import other.context.Context;
import other.move.Move;

/** The agent in Ludii: games it plays, games it refuses, and its behaviour on errors. */
public final class GriotAITest {
    private static final Game LINES = Games.load("Tic-Tac-Toe.lud");

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private static GriotAI fake(final String... arguments) {
        return new GriotAI(FakeGriot.program(arguments));
    }

    private static GriotAI real(final String... options) {
        return new GriotAI(new Program(RealGriot.program().command, Arrays.asList(options)));
    }

    private static Context after(final Game game, final int... sites) {
        final Context context = Games.start(game);
        for (final int site : sites) {
            play(context, site);
        }
        return context;
    }

    private static void play(final Context context, final int site) {
        for (final Move move : context.game().moves(context).moves()) {
            if (move.to() == site) {
                context.game().apply(context, move);
                return;
            }
        }
        fail("no move to " + site);
    }

    private static Move select(final GriotAI griot, final Context context) {
        return griot.selectAction(context.game(), new Context(context), 0.2, -1, -1);
    }

    @Test
    public void allGamesAreSupported() {
        for (final Map.Entry<String, Game> game : Games.all().entrySet()) {
            assertEquals(game.getKey(), "", fake("move=a1").refusal(game.getValue()));
        }
    }

    @Test
    public void otherRulesAreRefused() {
        final String[][] refused = {
            {"no limit of seeds", "Oware.lud", "Play Rules/12 counters max by hole", "End Rules/No Piece"},
            {"No Piece", "Oware.lud", "Play Rules/No limit by hole", "End Rules/25 Counters"},
            {"8x8 alone", "Reversi.lud", "Board Size/10x10"},
            {"8x8 alone", "Reversi.lud", "Board Size/6x6"},
            {"fixed start", "Reversi.lud", "Start Rules/Not Fixed Start"},
            {"griot plays Oware", "Awari.lud"},
            {"griot plays Oware", "Wari.lud"},
            {"griot plays Oware", "Uril.lud"},
            {"griot plays Oware", "Woli.lud"},
            {"griot plays Oware", "Kalah.lud"},
            {"griot plays Oware", "Tic-Tac-Toe Misere.lud"},
            {"griot plays Oware", "Tic-Tac-Four.lud"},
            {"griot plays Oware", "Connect6.lud"},
            {"griot plays Oware", "Pente.lud"},
            {"griot plays Oware", "Squava.lud"},
            {"griot plays Oware", "Score Four.lud"},
            {"griot plays Oware", "Ultimate Tic-Tac-Toe.lud"},
            {"griot plays Oware", "Chess.lud"},
        };
        for (final String[] one : refused) {
            final Game game = Games.load(Arrays.copyOfRange(one, 1, one.length));
            final String reason = fake("move=a1").refusal(game);
            assertTrue(String.join(", ", one) + ": " + reason, reason.contains(one[0]));
            assertFalse(fake("move=a1").supportsGame(game));
        }
        final Game awari = GameLoader.loadGameFromName("Oware.lud", "Ruleset/Awari (Suggested)");
        assertTrue(fake("move=a1").refusal(awari).contains("no limit of seeds"));
        try {
            select(fake("move=a1"), Games.start(awari));
            fail("played");
        } catch (final UnsupportedOperationException e) {
            assertTrue(e.getMessage(), e.getMessage().contains("no limit of seeds"));
        }
    }

    @Test
    public void withoutGriotNothingIsSupported() {
        final GriotAI griot = new GriotAI(new Program(Collections.singletonList("/no/such/griot"), Collections.emptyList()));
        final Context context = Games.start(LINES);
        griot.initAI(LINES, 1);
        assertNotNull(select(griot, context));
        assertEquals(1, griot.makeshifts());
        assertTrue(griot.generateAnalysisReport(), griot.generateAnalysisReport().contains("cannot start"));
        assertEquals(0, griot.estimateValue(), 0);
        assertNull(griot.aiVisualisationData());
    }

    @Test
    public void aGriotThatDiesIsStartedAnew() {
        final GriotAI griot = fake("move=b2", "die-once=" + new File(folder.getRoot(), "died"));
        griot.initAI(LINES, 1);
        assertEquals(4, select(griot, Games.start(LINES)).to());
        assertEquals(0, griot.makeshifts());
        griot.closeAI();
        // Closed, and asked for a move again.
        assertEquals(4, select(griot, Games.start(LINES)).to());
        griot.closeAI();
    }

    @Test
    public void aGriotThatAlwaysDiesIsNoHindrance() {
        final GriotAI griot = fake("die-at=go");
        griot.initAI(LINES, 1);
        final Context context = Games.start(LINES);
        assertEquals(first(context), select(griot, context));
        assertEquals(1, griot.makeshifts());
        assertTrue(griot.generateAnalysisReport(), griot.generateAnalysisReport().startsWith("griot did not choose this move: griot has ended"));
    }

    private static Move first(final Context context) {
        return context.game().moves(context).moves().get(0);
    }

    @Test
    public void aMoveThatLudiiDoesNotKnowIsNotPlayed() {
        final GriotAI griot = fake("move=z9");
        griot.initAI(LINES, 1);
        final Context context = Games.start(LINES);
        assertEquals(first(context), select(griot, context));
        assertEquals(1, griot.makeshifts());
        assertTrue(griot.generateAnalysisReport(), griot.generateAnalysisReport().contains("z9"));
        griot.closeAI();
    }

    @Test
    public void movesThatLudiiForbidsAreNotAskedFor() {
        // The fake reports all nine cells as free, but in Ludii a1 is taken.
        final GriotAI griot = fake("move=b2");
        griot.initAI(LINES, 2);
        assertEquals(4, select(griot, after(LINES, 0)).to());
        griot.closeAI();
    }

    @Test(timeout = 20_000)
    public void anInterruptEndsAnEndlessSearch() throws InterruptedException {
        final GriotAI griot = fake("move=c3", "deaf");
        griot.initAI(LINES, 1);
        final Context context = Games.start(LINES);
        final Move[] chosen = new Move[1];
        final Thread thread = new Thread(() -> chosen[0] = griot.selectAction(LINES, context, -1, -1, -1));
        thread.start();
        Thread.sleep(200);
        assertTrue(thread.isAlive());
        griot.setWantsInterrupt(true);
        thread.join();
        assertEquals(8, chosen[0].to());
        assertEquals(0, griot.makeshifts());
        griot.closeAI();
    }

    @Test(timeout = 20_000)
    public void closingEndsAnEndlessSearchAndStartsNothing() throws InterruptedException {
        final GriotAI griot = fake("move=c3", "deaf");
        griot.initAI(LINES, 1);
        final Context context = Games.start(LINES);
        final Thread thread = new Thread(() -> griot.selectAction(LINES, context, -1, -1, -1));
        thread.start();
        Thread.sleep(200);
        griot.closeAI();
        thread.join();
        assertEquals(1, griot.makeshifts());
    }

    @Test
    public void whatGriotThinksIsShown() {
        final GriotAI griot = fake("move=b2");
        griot.initAI(LINES, 1);
        assertNull(griot.generateAnalysisReport());
        select(griot, Games.start(LINES));
        assertEquals(Math.tanh(0.05), griot.estimateValue(), 1e-9);
        final AI.AIVisualisationData shown = griot.aiVisualisationData();
        assertEquals(2, shown.moves().size());
        assertEquals(4, shown.moves().get(0).to());
        assertEquals(8, shown.moves().get(1).to());
        assertEquals(1, shown.searchEffort().get(0), 0);
        assertEquals(0.5, shown.searchEffort().get(1), 0);
        assertEquals(-1, shown.valueEstimates().get(1), 0);
        assertTrue(griot.generateAnalysisReport(), griot.generateAnalysisReport().startsWith("griot fake: b2\n 1. +0.50, depth 2, 99 nodes, b2 b2"));
        griot.closeAI();
    }

    @Test
    public void movesMayBeTakenBackAndGamesBegunAnew() {
        final GriotAI griot = real();
        griot.initAI(LINES, 1);
        final Context context = after(LINES, 0, 3, 1, 4);
        assertEquals(2, select(griot, context).to());
        assertEquals(1, griot.estimateValue(), 0);
        LINES.undo(context);
        LINES.undo(context);
        play(context, 8);
        play(context, 4);
        play(context, 2);
        // o now has two in the middle row.
        assertEquals(5, select(griot, context).to());
        LINES.start(context);
        assertNotNull(select(griot, context));
        final Game reversi = Games.load("Reversi.lud");
        assertNotNull(select(griot, Games.start(reversi)));
        assertEquals(0, griot.makeshifts());
        griot.closeAI();
    }

    @Test
    public void aGameMayBeginAnywhere() {
        final GriotAI griot = real();
        griot.initAI(LINES, 1);
        final Context context = Games.start(LINES);
        // Two stones of each player, without moves; x wins with c1.
        final int[][] stones = {{0, 1}, {1, 1}, {3, 2}, {7, 2}};
        for (final int[] stone : stones) {
            context.containerState(0).setSite(context.state(), stone[0], stone[1], stone[1], 1, 0, 0, 0, SiteType.Cell);
        }
        context.trial().clearLegalMoves();
        assertEquals(2, select(griot, context).to());
        assertEquals(0, griot.makeshifts());
        griot.closeAI();
    }

    @Test
    public void limitsAreKept() {
        final GriotAI griot = real();
        final Game game = Games.load("Gomoku.lud");
        griot.initAI(game, 1);
        final Context context = Games.start(game);
        griot.selectAction(game, context, -1, -1, 3);
        assertTrue(griot.generateAnalysisReport(), griot.generateAnalysisReport().contains("depth 3, "));
        griot.selectAction(game, context, -1, 500, -1);
        final long begin = System.nanoTime();
        griot.selectAction(game, context, 0.5, -1, -1);
        final long took = (System.nanoTime() - begin) / 1_000_000;
        assertTrue(took + " ms", took > 300 && took < 5000);
        assertEquals(0, griot.makeshifts());
        griot.closeAI();
    }

    @Test
    public void optionsShowMoreLines() {
        final GriotAI griot = real("MultiPV=3");
        griot.initAI(LINES, 1);
        select(griot, after(LINES, 4));
        assertEquals(3, griot.aiVisualisationData().moves().size());
        griot.closeAI();
    }

    /** South can capture with F. */
    private static Context oware(final Game game, final int south, final int north) {
        final Context context = Games.start(game);
        final int[] seeds = {south, 0, 0, 0, 0, 2, 1, 2, 0, 0, 0, 0, 1, north};
        for (int site = 0; site < seeds.length; site++) {
            context.containerState(0).setSite(context.state(), site, 0, seeds[site] == 0 ? 0 : 1, seeds[site], 0, 0, 0, SiteType.Vertex);
        }
        context.trial().clearLegalMoves();
        return context;
    }

    @Test
    public void aVoteIsForAWinOrAgainstLosingSomething() {
        final Game game = Games.load("Oware.lud");
        final GriotAI griot = real();
        griot.initAI(game, 1);
        // Even, with a possible capture; certainly lost; won by ending the game.
        final String[] expected = {"No", "End", "End"};
        final int[][] stores = {{21, 21}, {12, 30}, {30, 12}};
        for (int i = 0; i < stores.length; i++) {
            final Context context = oware(game, stores[i][0], stores[i][1]);
            context.state().propositions().add(game.registerVoteString("End"));
            final StringBuilder said = new StringBuilder();
            for (final Action action : select(griot, context).actions()) {
                said.append(action.isVote() ? action.vote() : "");
            }
            assertEquals(griot.generateAnalysisReport(), expected[i], said.toString());
        }
        assertEquals(0, griot.makeshifts());
        griot.closeAI();
    }

    @Test
    public void anEndIsProposedWhereItWins() {
        final Game game = Games.load("Oware.lud");
        final GriotAI griot = real();
        griot.initAI(game, 1);
        for (final int south : new int[] {21, 30, 12}) {
            final Context context = oware(game, south, 42 - south);
            // The same four positions three times: a cycle in Ludii.
            for (int i = 0; i < 12; i++) {
                context.trial().previousState().add(i % 4);
            }
            final Move move = select(griot, context);
            assertEquals(griot.generateAnalysisReport(), south == 30, move.isPropose());
            assertTrue(griot.generateAnalysisReport(), move.isPropose() || move.to() > 0 && move.to() <= 6);
        }
        assertEquals(0, griot.makeshifts());
        griot.closeAI();
    }
}
