package griot.map;

/** Connect Four. Ludii has it as seven stacks in a row, or as an upright board where discs are placed on the top row and fall. */
public final class DropMap implements GameMap {
    private static final int COLUMNS = 7;
    private static final int ROWS = 6;
    private final Grid grid = new Grid(COLUMNS, ROWS);
    private final boolean stacks;

    /** @param stacks whether a column is a stack on one site */
    public DropMap(final boolean stacks) {
        this.stacks = stacks;
    }

    @Override
    public String game() {
        return "connect4";
    }

    @Override
    public String move(final int site) {
        final int lowest = stacks ? 0 : COLUMNS * (ROWS - 1);
        if (site < lowest || site >= lowest + COLUMNS) {
            throw new IllegalArgumentException("no disc is dropped on site " + site);
        }
        return Grid.column(site - lowest);
    }

    @Override
    public String board(final Position position) {
        return grid.text((column, row) -> stacks ? position.owner(column, row) : position.owner(row * COLUMNS + column, 0),
                position.mover());
    }

    @Override
    public double unit() {
        return 300;
    }
}
