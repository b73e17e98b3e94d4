package griot.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.Test;

public final class EngineTest {
    private static final List<String> ALL = Collections.emptyList();
    private static final Limits SHORT = Limits.of(0.01, -1, -1);

    private interface Action {
        void run() throws EngineException;
    }

    private static String failure(final Action action) {
        try {
            action.run();
        } catch (final EngineException e) {
            return e.getMessage();
        }
        fail("nothing went wrong");
        return null;
    }

    @Test
    public void whatIsToldOfTheLastIterationIsKept() throws EngineException {
        try (Engine engine = new Engine(FakeGriot.program("move=a1"))) {
            assertEquals("griot fake", engine.name());
            final Answer answer = engine.search(SHORT, ALL, () -> false);
            assertEquals("a1", answer.move);
            assertEquals(2, answer.lines.size());
            assertEquals(Arrays.asList("a1", "b2"), answer.best().moves);
            assertEquals(2, answer.best().depth);
            assertEquals(99, answer.best().nodes);
            assertEquals(50, answer.best().centi);
            assertEquals(-3, answer.lines.get(1).mate);
        }
    }

    @Test
    public void anUnboundedSearchIsStopped() throws EngineException {
        try (Engine engine = new Engine(FakeGriot.program("move=a1", "deaf"))) {
            final long begin = System.nanoTime();
            final Answer answer = engine.search(Limits.of(-1, -1, -1), ALL, () -> System.nanoTime() - begin > 50_000_000);
            assertEquals("a1", answer.move);
        }
    }

    @Test
    public void anInterruptedThreadGetsItsMoveAndStaysInterrupted() throws EngineException {
        try (Engine engine = new Engine(FakeGriot.program("move=a1", "deaf"))) {
            Thread.currentThread().interrupt();
            assertEquals("a1", engine.search(Limits.of(-1, -1, -1), ALL, () -> false).move);
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    public void aMissingProgramIsNamed() {
        final String message = failure(() -> new Engine(new Program(Collections.singletonList("/no/such/griot"), ALL)));
        assertTrue(message, message.startsWith("cannot start [/no/such/griot]"));
    }

    @Test
    public void aProgramThatIsNoEngineIsTold() {
        assertEquals("griot has ended", failure(() -> new Engine(FakeGriot.program("die-at=ugi"))));
    }

    @Test
    public void aDeathInAnyCommandIsTold() throws EngineException {
        for (final String command : new String[] {"go", "isready", "query"}) {
            try (Engine engine = new Engine(FakeGriot.program("die-at=" + command))) {
                final String message = failure(() -> {
                    engine.obey("position startpos");
                    engine.query("fen");
                    engine.search(SHORT, ALL, () -> false);
                });
                assertEquals("griot has ended", message);
                assertFalse(engine.alive());
                assertEquals("griot has ended", failure(() -> engine.query("fen")));
            }
        }
    }

    @Test
    public void aRefusalHasTheWordsOfTheEngine() throws EngineException {
        try (Engine engine = new Engine(FakeGriot.program("refuse=position", "move=a1"))) {
            assertEquals("position fen x: column 1: refused by order", failure(() -> engine.obey("position fen x")));
            assertEquals("a1", engine.search(SHORT, ALL, () -> false).move);
        }
    }

    @Test
    public void aRefusedOptionIsToldAtTheStart() {
        final Program plain = FakeGriot.program("refuse=setoption");
        final Program program = new Program(plain.command, Collections.singletonList("Hash=lots"));
        assertEquals("setoption name Hash value lots: column 1: refused by order", failure(() -> new Engine(program)));
    }

    @Test(timeout = 20_000)
    public void closingEndsASearchOfAnotherThread() throws Exception {
        final Engine engine = new Engine(FakeGriot.program("move=a1", "deaf"));
        final AtomicReference<String> end = new AtomicReference<>();
        final Thread thread = new Thread(() -> end.set(failure(() -> engine.search(Limits.of(-1, -1, -1), ALL, () -> false))));
        thread.start();
        Thread.sleep(100);
        engine.close();
        thread.join();
        assertEquals("griot has ended", end.get());
    }

    /** With the configured program, if there is one. */
    @Test
    public void griotItselfUnderstands() throws EngineException {
        final Program program = RealGriot.program();
        try (Engine engine = new Engine(new Program(program.command, Arrays.asList("Hash=8", "MultiPV=2")))) {
            engine.obey("setoption name Game value mnk:3,3,3");
            engine.obey("position startpos moves a1 b1 a2 b2");
            assertEquals("3/xo1/xo1 x", engine.query("fen"));
            assertEquals("false", engine.query("gameover"));
            assertEquals("c1 c2 a3 b3 c3", engine.query("legalmoves"));
            assertEquals("a3", engine.search(Limits.of(1, -1, 5), ALL, () -> false).move);
            assertEquals("c1", engine.search(Limits.of(1, -1, 5), Collections.singletonList("c1"), () -> false).move);
            final String message = failure(() -> engine.obey("position startpos moves a1 a1"));
            assertTrue(message, message.contains("the game is lost by it"));
        }
    }
}
