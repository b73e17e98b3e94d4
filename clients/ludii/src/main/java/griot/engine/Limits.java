package griot.engine;

/** The limits of a search. A negative number is no limit; the limit that is reached first ends the search. */
public final class Limits {
    /** Milliseconds for the search, at least 0; negative for no limit. */
    public final long millis;
    /** Positions to visit, at least 1; negative for no limit. */
    public final long nodes;
    /** Depth in plies, at least 1; negative for no limit. */
    public final int depth;

    /**
     * The limits that Ludii gives. 0 iterations and a depth of 0 count as 1, as the engine must visit a position.
     *
     * @param seconds    seconds, or negative; a number too large for a long is no limit
     * @param iterations positions to visit, or negative
     * @param plies      plies, or negative
     * @return the same limits for griot
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

    /** @return the command for a search with these limits; without any, it ends when the position is solved or on {@code stop} */
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
