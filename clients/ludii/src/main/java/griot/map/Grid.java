package griot.map;

import java.util.function.IntBinaryOperator;

/** A board of columns and rows; Ludii numbers its sites row by row from the lower left corner. */
final class Grid {
    final int columns;
    final int rows;

    Grid(final int columns, final int rows) {
        this.columns = columns;
        this.rows = rows;
    }

    /** The name of a site in griot: {@code b3}. */
    String cell(final int site) {
        if (site < 0 || site >= columns * rows) {
            throw new IllegalArgumentException("no site " + site + " on a board of " + columns + "x" + rows);
        }
        return column(site % columns) + (site / columns + 1);
    }

    static String column(final int column) {
        return String.valueOf((char) ('a' + column));
    }

    /**
     * Griot's board text: rows from the top, separated by slashes, runs of empty cells as numbers, and the side to move.
     *
     * @param owner   the owner of the piece at a column and a row: 1, 2, or 0
     * @param mover   1 or 2
     */
    String text(final IntBinaryOperator owner, final int mover) {
        final StringBuilder text = new StringBuilder();
        for (int row = rows - 1; row >= 0; row--) {
            int empty = 0;
            text.append(row == rows - 1 ? "" : "/");
            for (int column = 0; column < columns; column++) {
                final int who = owner.applyAsInt(column, row);
                if (who == 0) {
                    empty++;
                    continue;
                }
                text.append(empty == 0 ? "" : empty).append(who == 1 ? 'x' : 'o');
                empty = 0;
            }
            text.append(empty == 0 ? "" : empty);
        }
        return text.append(mover == 1 ? " x" : " o").toString();
    }
}
