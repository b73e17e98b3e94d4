package griot.engine;

/** What bounds one search. A negative number is no bound; several combine, and the one that is reached first ends the search. */
public final class Limits {
    /** Milliseconds that the engine may think, 0 or more; negative for no bound. */
    public final long millis;
    /** Positions that the engine may visit, 1 or more; negative for no bound. */
    public final long nodes;
    /** Plies that the engine may look ahead, 1 or more; negative for no bound. */
    public final int depth;

    /**
     * Bounds as Ludii tells them. 0 iterations and a depth of 0 are read as 1, for an engine has to look at something.
     *
     * @param seconds    seconds, or negative; what is too large for a long is no bound
     * @param iterations positions to visit, or negative
     * @param plies      plies, or negative
     * @return the same bounds, as griot takes them
     */
    public static Limits of(final double seconds, final int iterations, final int plies) {
        final boolean timed = seconds >= 0 && seconds < Long.MAX_VALUE / 1000;
        return new Limits(timed ? (long) (seconds * 1000) : -1, iterations < 0 ? -1 : Math.max(1, iterations),
                plies < 0 ? -1 : Math.max(1, plies));
    }

    private Limits(final long millis, final long nodes, final int depth) {
        this.millis = millis;
        this.nodes = nodes;
        this.depth = depth;
    }

    /** @return the command that searches within these bounds; without any, the search ends when it has solved the position or is stopped */
    public String command() {
        final StringBuilder words = new StringBuilder("go");
        if (millis >= 0) {
            words.append(" movetime ").append(millis);
        }
        if (nodes >= 0) {
            words.append(" nodes ").append(nodes);
        }
        if (depth >= 0) {
            words.append(" depth ").append(depth);
        }
        return words.toString();
    }
}
