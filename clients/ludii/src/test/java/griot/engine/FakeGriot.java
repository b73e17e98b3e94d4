package griot.engine;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A fake griot process that knows no game; its arguments set what it does. {@code die-at=WORD} ends it at the first command with
 * this beginning, {@code die-once=FILE} ends it at {@code go} unless the file exists, and creates the file; {@code move=MOVE} is
 * the move it plays, {@code deaf} makes it search until it is stopped, {@code refuse=WORD} answers such commands with errors.
 */
public final class FakeGriot {
    private FakeGriot() {
    }

    /** @return how to start this class as a program, with these arguments */
    public static Program program(final String... arguments) {
        final List<String> command = new ArrayList<>();
        command.add(new File(new File(System.getProperty("java.home"), "bin"), "java").getPath());
        command.add("-cp");
        // The class path of this process may be that of a test runner: pass the folders of these classes.
        command.add(place(FakeGriot.class) + File.pathSeparator + place(Program.class));
        command.add(FakeGriot.class.getName());
        command.addAll(Arrays.asList(arguments));
        return new Program(command, Collections.emptyList());
    }

    private static String place(final Class<?> part) {
        return new File(URI.create(part.getProtectionDomain().getCodeSource().getLocation().toString())).getPath();
    }

    /**
     * @param arguments what to do
     * @throws IOException if a pipe breaks
     */
    public static void main(final String[] arguments) throws IOException {
        final String dieAt = value(arguments, "die-at");
        final String once = value(arguments, "die-once");
        final String refuse = value(arguments, "refuse");
        final String move = value(arguments, "move");
        final boolean deaf = Arrays.asList(arguments).contains("deaf");
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null && !line.equals("quit"); line = input.readLine()) {
            if (dieAt != null && line.startsWith(dieAt)) {
                return;
            }
            if (once != null && line.startsWith("go") && new File(once).createNewFile()) {
                return;
            }
            if (refuse != null && line.startsWith(refuse)) {
                System.out.println("info string error: column 1: refused by order");
            } else if (line.equals("ugi")) {
                System.out.println("id name griot fake\nid author nobody\nugiok");
            } else if (line.equals("isready")) {
                System.out.println("readyok");
            } else if (line.startsWith("query legalmoves")) {
                System.out.println("response a1 b1 c1 a2 b2 c2 a3 b3 c3");
            } else if (line.startsWith("query")) {
                System.out.println("response false");
            } else if (line.startsWith("go")) {
                System.out.println("info string said: " + line);
                System.out.println("info depth 1 score cp 20 nodes 7 pv " + move);
                System.out.println("info depth 2 multipv 1 score cp 50 nodes 99 tbhits 0 pv " + move + " b2");
                System.out.println("info depth 2 multipv 2 score mate -3 nodes 99 pv c3");
                if (!deaf) {
                    System.out.println("bestmove " + move);
                }
            } else if (line.equals("stop") && deaf) {
                System.out.println("bestmove " + move);
            }
            System.out.flush();
        }
    }

    private static String value(final String[] arguments, final String key) {
        for (final String argument : arguments) {
            if (argument.startsWith(key + "=")) {
                return argument.substring(key.length() + 1);
            }
        }
        return null;
    }
}
