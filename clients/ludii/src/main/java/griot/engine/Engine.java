package griot.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A griot process that speaks UGI (see protocol.md) over two pipes.
 *
 * <p>One thread at a time may send commands and search; {@link #close} may be called by any other. After an error the process is
 * ended, and every later call fails.
 */
public final class Engine implements AutoCloseable {
    /** Milliseconds that an answer without a search may take; generous for a loaded machine. */
    private static final long PATIENCE = 20_000;
    /** Milliseconds between two checks whether to stop the search. */
    private static final long GLANCE = 10;
    /** Marks the end of the output in the queue. */
    private static final String END = "\u0000end";

    private final Process process;
    private final Writer input;
    private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();
    private String name = "griot";
    private volatile boolean gone;

    /**
     * Starts the program, sends {@code ugi} and sets its options.
     *
     * @param program what to start
     * @throws EngineException if it does not start, is no UGI engine, or refuses an option
     */
    public Engine(final Program program) throws EngineException {
        try {
            process = new ProcessBuilder(program.command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        } catch (final IOException | SecurityException e) {
            throw new EngineException("cannot start " + program.command + ": " + e.getMessage(), e);
        }
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        final Thread reader = new Thread(this::read, "griot replies");
        reader.setDaemon(true);
        reader.start();
        send("ugi");
        for (String reply = next(PATIENCE); !reply.equals("ugiok"); reply = next(PATIENCE)) {
            if (reply.startsWith("id name ")) {
                name = reply.substring("id name ".length());
            }
        }
        for (final String option : program.options) {
            final String[] parts = option.split("=", 2);
            obey("setoption name " + parts[0].trim() + (parts.length > 1 ? " value " + parts[1].trim() : ""));
        }
    }

    private void read() {
        try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                replies.add(line);
            }
        } catch (final IOException e) {
            // The pipe is broken: handle it like the end of the output.
        }
        replies.add(END);
    }

    /** @return the name that the engine reports, with its version */
    public String name() {
        return name;
    }

    /** @return whether the process still runs and accepts commands */
    public boolean alive() {
        return !gone && process.isAlive();
    }

    /**
     * Sends a command that is answered only by an error, and waits until it is carried out.
     *
     * @param command one line of the protocol, not {@code go}
     * @throws EngineException if the engine refuses the command, with its message, or is gone
     */
    public synchronized void obey(final String command) throws EngineException {
        send(command);
        send("isready");
        String refusal = null;
        for (String reply = next(PATIENCE); !reply.equals("readyok"); reply = next(PATIENCE)) {
            if (reply.startsWith("info string error: ")) {
                refusal = reply.substring("info string error: ".length());
            }
        }
        if (refusal != null) {
            throw new EngineException(command + ": " + refusal);
        }
    }

    /**
     * Queries the current position.
     *
     * @param question as {@code fen} or {@code legalmoves}
     * @return the answer; may be empty
     * @throws EngineException if the engine is gone
     */
    public synchronized String query(final String question) throws EngineException {
        send("query " + question);
        String reply = next(PATIENCE);
        while (!reply.equals("response") && !reply.startsWith("response ")) {
            reply = next(PATIENCE);
        }
        return reply.substring("response".length()).trim();
    }

    /**
     * Searches the current position.
     *
     * @param limits the limits of the search
     * @param moves  the moves to choose from; empty for all
     * @param stop   called every few milliseconds; if true, the search ends at once with the best move so far
     * @return the move, and the lines reported
     * @throws EngineException if the engine is gone, or exceeds its time by {@value #PATIENCE} ms
     */
    public synchronized Answer search(final Limits limits, final List<String> moves, final BooleanSupplier stop) throws EngineException {
        send(limits.command() + (moves.isEmpty() ? "" : " searchmoves " + String.join(" ", moves)));
        final List<Line> lines = new ArrayList<>();
        long deadline = limits.millis < 0 ? Long.MAX_VALUE : now() + limits.millis + PATIENCE;
        boolean stopped = false;
        boolean interrupted = false;
        try {
            while (true) {
                if (!stopped && (interrupted || stop.getAsBoolean())) {
                    send("stop");
                    stopped = true;
                    deadline = now() + PATIENCE;
                }
                final String reply;
                try {
                    reply = replies.poll(GLANCE, TimeUnit.MILLISECONDS);
                } catch (final InterruptedException e) {
                    interrupted = true;
                    continue;
                }
                if (reply == null) {
                    if (now() > deadline) {
                        throw fail("griot does not answer");
                    }
                } else if (reply.startsWith("bestmove ")) {
                    return new Answer(reply.trim().split("\\s+")[1], lines);
                } else if (reply.equals(END)) {
                    throw fail("griot has ended");
                } else {
                    keep(lines, Line.parse(reply));
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The first line of an iteration replaces the lines of the one before. */
    private static void keep(final List<Line> lines, final Line line) {
        if (line == null) {
            return;
        }
        if (line.place == 1) {
            lines.clear();
        }
        lines.add(line);
    }

    private static long now() {
        return System.nanoTime() / 1_000_000;
    }

    private void send(final String line) throws EngineException {
        if (gone) {
            throw new EngineException("griot has ended");
        }
        try {
            // Write whole lines under a lock, as close() may write from another thread.
            synchronized (input) {
                input.write(line);
                input.write('\n');
                input.flush();
            }
        } catch (final IOException e) {
            throw fail("griot has ended");
        }
    }

    private String next(final long patience) throws EngineException {
        final long deadline = now() + patience;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    final String reply = replies.poll(Math.max(0, deadline - now()), TimeUnit.MILLISECONDS);
                    if (reply == null) {
                        throw fail("griot does not answer");
                    }
                    if (reply.equals(END)) {
                        throw fail("griot has ended");
                    }
                    return reply;
                } catch (final InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private EngineException fail(final String what) {
        gone = true;
        process.destroyForcibly();
        return new EngineException(what);
    }

    /** Ends the process: sends {@code quit}, and kills it after a second. A search in another thread then fails. */
    @Override
    public void close() {
        if (!gone) {
            gone = true;
            try {
                synchronized (input) {
                    input.write("quit\n");
                    input.close();
                }
                if (process.waitFor(1, TimeUnit.SECONDS)) {
                    return;
                }
            } catch (final IOException e) {
                // It has ended already.
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        process.destroyForcibly();
    }
}
