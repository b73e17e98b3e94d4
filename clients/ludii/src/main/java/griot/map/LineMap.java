package griot.map;

/** Games in which stones are placed on empty sites until one player has a line: tic-tac-toe, gomoku, and any other m,n,k game. */
public final class LineMap implements GameMap {
    private final Grid grid;
    private final int length;
    private final boolean exact;

    /**
     * @param columns 1 to 22
     * @param rows    1 to 22
     * @param length  stones in a line that win, from 1 to the longer side
     * @param exact   whether a longer line does not win
     */
    public LineMap(final int columns, final int rows, final int length, final boolean exact) {
        this.grid = new Grid(columns, rows);
        this.length = length;
        this.exact = exact;
    }

    @Override
    public String game() {
        return "mnk:" + grid.columns + "," + grid.rows + "," + length + (exact ? ",exact" : "");
    }

    @Override
    public String move(final int site) {
        return grid.cell(site);
    }

    @Override
    public String board(final Position position) {
        return grid.text((column, row) -> position.owner(row * grid.columns + column, 0), position.mover());
    }

    @Override
    public double unit() {
        // The logistic unit on large boards, some open lines on small ones.
        return grid.columns * grid.rows > 64 ? 200 : 1000;
    }
}
