package griot.engine;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Commands and replies of the protocol, without a process. */
public final class WordsTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void limitsAreLudiis() {
        assertEquals("go", Limits.of(-1, -1, -1).command());
        assertEquals("go movetime 1500", Limits.of(1.5, -1, -1).command());
        assertEquals("go movetime 0", Limits.of(0, -1, -1).command());
        assertEquals("go nodes 1 depth 1", Limits.of(-0.5, 0, 0).command());
        assertEquals("go movetime 50 nodes 1000 depth 7", Limits.of(0.05, 1000, 7).command());
        assertEquals("go", Limits.of(Double.POSITIVE_INFINITY, -1, -1).command());
        assertEquals("go", Limits.of(Double.NaN, -1, -1).command());
    }

    @Test
    public void valuesLieBetweenLossAndWin() {
        assertEquals(1, Line.parse("info depth 3 score mate 2 nodes 5 pv a b").value(100), 0);
        assertEquals(-1, Line.parse("info depth 3 score mate -2 nodes 5").value(100), 0);
        assertEquals(-1, Line.parse("info depth 0 score mate 0 nodes 0").value(100), 0);
        assertEquals(1, Line.parse("info depth 3 score cp 100700 nodes 5").value(100), 0);
        assertEquals(-1, Line.parse("info depth 3 score cp -100700 nodes 5").value(100), 0);
        assertEquals(0, Line.parse("info depth 3 score cp 0 nodes 5").value(100), 0);
        assertEquals(0.76, Line.parse("info depth 3 score cp 600 upperbound nodes 5").value(600), 0.01);
    }

    @Test
    public void scoresAreForPeople() {
        assertEquals("+1.25", Line.parse("info depth 1 score cp 125 nodes 1").score());
        assertEquals("wins in 3", Line.parse("info depth 1 score mate 3 nodes 1").score());
        assertEquals("loses in 2", Line.parse("info depth 1 score mate -2 nodes 1").score());
    }

    @Test
    public void whatIsNoScoreIsNoLine() {
        for (final String reply : new String[] {"", "info", "bestmove a1", "info string score cp 5", "info depth 5 nodes 9 currmove a1", "readyok"}) {
            assertNull(reply, Line.parse(reply));
        }
    }

    @Test
    public void theProgramIsFoundByPropertyThenVariableThenPath() throws Exception {
        final File griot = executable("griot");
        final File other = executable("other");
        final Map<String, String> properties = new HashMap<>();
        final Map<String, String> environment = new HashMap<>();
        environment.put("PATH", "/no/such/folder" + File.pathSeparator + folder.getRoot());
        assertEquals(griot.getPath(), Program.of(properties::get, environment::get).command.get(0));
        environment.put("GRIOT", other.getPath());
        environment.put("GRIOT_OPTIONS", "Hash=64; Skill Level=5 ;;");
        assertEquals(other.getPath(), Program.of(properties::get, environment::get).command.get(0));
        assertEquals(Arrays.asList("Hash=64", "Skill Level=5"), Program.of(properties::get, environment::get).options);
        properties.put("griot.path", griot.getPath());
        properties.put("griot.options", "MultiPV=3");
        assertEquals(griot.getPath(), Program.of(properties::get, environment::get).command.get(0));
        assertEquals(Arrays.asList("MultiPV=3"), Program.of(properties::get, environment::get).options);
    }

    @Test
    public void aProgramThatIsNotThereIsTold() {
        expect("no program 'griot' on the path", new HashMap<>());
        final Map<String, String> environment = new HashMap<>();
        environment.put("GRIOT", "/no/such/griot");
        expect("expected a program, found '/no/such/griot'", environment);
        environment.put("GRIOT", folder.getRoot().getPath());
        expect("expected a program, found '" + folder.getRoot(), environment);
    }

    private static void expect(final String words, final Map<String, String> environment) {
        try {
            Program.of(name -> null, environment::get);
            fail("found a program");
        } catch (final EngineException e) {
            assertTrue(e.getMessage(), e.getMessage().contains(words));
        }
    }

    private File executable(final String name) throws IOException {
        final File file = folder.newFile(name);
        assertTrue(file.setExecutable(true));
        return file;
    }
}
