package griot.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A line of play with its value, from one {@code info} line with a score. */
public final class Line {
    /** The place of this line among those of its iteration, from 1, which is the best. */
    public final int place;
    /** Plies of the iteration. */
    public final int depth;
    /** Positions visited since the search began. */
    public final long nodes;
    /** Hundredths of the game's unit for the player to move, beyond 100000 for a certain win; 0 if {@link #decided}. */
    public final long centi;
    /** Whether the number of moves to the end is known. */
    public final boolean decided;
    /** Moves to the end: the player to move wins if this is positive, else loses; only valid if {@link #decided}. */
    public final long mate;
    /** The moves, as griot writes them; may be empty. */
    public final List<String> moves;

    private Line(final int place, final int depth, final long nodes, final long centi, final Long mate, final List<String> moves) {
        this.place = place;
        this.depth = depth;
        this.nodes = nodes;
        this.centi = centi;
        this.decided = mate != null;
        this.mate = mate == null ? 0 : mate;
        this.moves = Collections.unmodifiableList(moves);
    }

    /**
     * Parses a line of the engine's output. Unknown fields are skipped, as the protocol requires.
     *
     * @param reply a line of the engine's output
     * @return the line, or null if it is no {@code info} line with a score
     */
    public static Line parse(final String reply) {
        final String[] words = reply.trim().split("\\s+");
        if (words.length < 2 || !words[0].equals("info") || words[1].equals("string")) {
            return null;
        }
        int place = 1;
        int depth = 0;
        long nodes = 0;
        Long centi = null;
        Long mate = null;
        List<String> moves = new ArrayList<>();
        for (int i = 1; i + 1 < words.length; i++) {
            final String value = words[i + 1];
            switch (words[i]) {
                case "multipv": place = (int) number(value, 1); break;
                case "depth": depth = (int) number(value, 0); break;
                case "nodes": nodes = number(value, 0); break;
                case "cp": centi = number(value, 0); break;
                case "mate": mate = number(value, 0); break;
                case "pv":
                    moves = new ArrayList<>(Arrays.asList(words).subList(i + 1, words.length));
                    i = words.length;
                    break;
                default: break;
            }
        }
        if (centi == null && mate == null) {
            return null;
        }
        return new Line(place, depth, nodes, centi == null ? 0 : centi, mate, moves);
    }

    private static long number(final String word, final long otherwise) {
        try {
            return Long.parseLong(word);
        } catch (final NumberFormatException notOne) {
            return otherwise;
        }
    }

    /**
     * The value on a scale shared by all games.
     *
     * @param unit hundredths that make a clear advantage, more than 0
     * @return from -1, a certain loss of the player to move, to 1, a certain win; ±0.76 for a clear advantage
     */
    public double value(final double unit) {
        if (decided) {
            return mate > 0 ? 1 : -1;
        }
        if (Math.abs(centi) >= 100_000) {
            return Math.signum((double) centi);
        }
        return Math.tanh(centi / unit);
    }

    /** @return the score for people: {@code +1.25}, or {@code wins in 3} */
    public String score() {
        if (decided) {
            return mate > 0 ? "wins in " + mate : "loses in " + -mate;
        }
        return String.format(java.util.Locale.ROOT, "%+.2f", centi / 100.0);
    }
}
