package griot.engine;

import java.util.Collections;
import java.util.List;

/** The result of a search. */
public final class Answer {
    /** The move, as griot writes it; {@code 0000} where there is none, and for a pass in Othello. */
    public final String move;
    /** The lines of the last iteration that reported any, the best one first; may be empty. */
    public final List<Line> lines;

    Answer(final String move, final List<Line> lines) {
        this.move = move;
        this.lines = Collections.unmodifiableList(lines);
    }

    /** @return the best line, or null if there is none */
    public Line best() {
        return lines.isEmpty() ? null : lines.get(0);
    }
}
