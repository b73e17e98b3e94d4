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
 * A griot process at the other end of two pipes, spoken to in UGI (see protocol.md).
 *
 * <p>One thread at a time may ask and search; {@link #close} may be called by any other. When something goes wrong the process is
 * ended, and every later call says so.
 */
public final class Engine implements AutoCloseable {
    /** Milliseconds that an answer which takes no thought may take; a machine under load is granted much. */
    private static final long PATIENCE = 20_000;
    /** Milliseconds between two looks at whether the search is to be stopped. */
    private static final long GLANCE = 10;
    /** Stands in the queue behind the last line. */
    private static final String END = "\u0000end";

    private final Process process;
    private final Writer input;
    private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();
    private String name = "griot";
    private volatile boolean gone;

    /**
     * Starts the program, greets it and sets its options.
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
            // The pipe broke: what follows is the same as at its end.
        }
        replies.add(END);
    }

    /** @return what the engine calls itself, with its version */
    public String name() {
        return name;
    }

    /** @return whether the process can still be spoken to */
    public boolean alive() {
        return !gone && process.isAlive();
    }

    /**
     * Sends a command that has no answer when all is well, and waits until it is carried out.
     *
     * @param command one line of the protocol, not {@code go}
     * @throws EngineException if the engine refuses the command, with the engine's words, or is gone
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
     * Asks about the position.
     *
     * @param question as {@code fen} or {@code legalmoves}
     * @return the answer; empty where there is nothing to tell
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
     * Searches the position that was set up last.
     *
     * @param limits what bounds the search
     * @param moves  the moves to choose from; empty for all
     * @param stop   asked every few milliseconds whether the search is to end at once, with the best move so far
     * @return the move, and what was told of it
     * @throws EngineException if the engine is gone, or outstays its time by {@value #PATIENCE} ms
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

    /** The first line of an iteration does away with those of the one before. */
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
            // One lock for whole lines: close() may write from another thread.
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

    /** Ends the process: it is told to quit, and killed if it has not within a second. A search that runs in another thread fails. */
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
                // It is gone already, or about to be.
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        process.destroyForcibly();
    }
}
