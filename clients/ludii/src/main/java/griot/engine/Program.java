package griot.engine;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/** The engine's program, and the options to run it with. */
public final class Program {
    /** The program and its arguments. */
    public final List<String> command;
    /** Options to set at the start, each as {@code Name=Value}. */
    public final List<String> options;

    /**
     * @param command the program and its arguments
     * @param options options to set at the start, each as {@code Name=Value}
     */
    public Program(final List<String> command, final List<String> options) {
        this.command = Collections.unmodifiableList(new ArrayList<>(command));
        this.options = Collections.unmodifiableList(new ArrayList<>(options));
    }

    /**
     * The program configured in the system: the property {@code griot.path}, else the environment variable {@code GRIOT}, else
     * {@code griot} on the path. Options come from the property {@code griot.options}, else from {@code GRIOT_OPTIONS}, separated
     * by semicolons.
     *
     * @return the program
     * @throws EngineException if there is no such program
     */
    public static Program ofTheSystem() throws EngineException {
        return of(System::getProperty, System::getenv);
    }

    static Program of(final UnaryOperator<String> properties, final UnaryOperator<String> environment) throws EngineException {
        final String named = first(properties.apply("griot.path"), environment.apply("GRIOT"));
        final String options = first(properties.apply("griot.options"), environment.apply("GRIOT_OPTIONS"));
        final List<String> set = new ArrayList<>();
        for (final String option : options.split(";")) {
            if (!option.trim().isEmpty()) {
                set.add(option.trim());
            }
        }
        final File file = named.isEmpty() ? onThePath(environment.apply("PATH")) : new File(named);
        if (file == null) {
            throw new EngineException("no program 'griot' on the path; the property griot.path or the variable GRIOT may name one");
        }
        if (!file.isFile() || !file.canExecute()) {
            throw new EngineException("griot.path, GRIOT: expected a program, found '" + file + "'");
        }
        return new Program(Collections.singletonList(file.getPath()), set);
    }

    private static File onThePath(final String path) {
        for (final String folder : first(path).split(File.pathSeparator)) {
            for (final String name : new String[] {"griot", "griot.exe"}) {
                final File file = new File(folder, name);
                if (!folder.isEmpty() && file.isFile() && file.canExecute()) {
                    return file;
                }
            }
        }
        return null;
    }

    private static String first(final String... texts) {
        for (final String text : texts) {
            if (text != null && !text.trim().isEmpty()) {
                return text.trim();
            }
        }
        return "";
    }
}
