package griot.map;

/** Reversi on 8x8, which is Othello. Ludii numbers rows from the bottom and Othello from the top. */
public final class ReversiMap implements GameMap {
    private final Grid grid = new Grid(8, 8);

    @Override
    public String game() {
        return "othello";
    }

    @Override
    public String move(final int site) {
        return grid.cell(8 * (7 - Math.floorDiv(site, 8)) + Math.floorMod(site, 8));
    }

    @Override
    public String board(final Position position) {
        return grid.text((column, row) -> position.state(row * grid.columns + column), position.mover());
    }

    @Override
    public double unit() {
        return 1000;
    }
}
