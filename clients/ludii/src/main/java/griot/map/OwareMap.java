package griot.map;

/**
 * Oware. Ludii's sites 1 to 6 are South's houses A to F, 7 to 12 are North's from the left as South sees them, which are f to a; 0
 * and 13 are the stores. South is player 1.
 *
 * <p>A move that leaves the opponent without seeds is illegal in Ludii, as it is in {@code awale:awari} while there is another move.
 * When every move is of that kind Ludii ends the game, and each player keeps the own row; {@code awale:awari} plays on.
 */
public final class OwareMap implements GameMap {
    private static final int SOUTH_STORE = 0;
    private static final int NORTH_STORE = 13;
    private static final int HOUSES = 6;
    private static final int SEEDS = 48;

    @Override
    public String game() {
        return "awale:awari";
    }

    @Override
    public String move(final int site) {
        if (site <= SOUTH_STORE || site >= NORTH_STORE) {
            throw new IllegalArgumentException("no house at site " + site);
        }
        return String.valueOf(site <= HOUSES ? (char) ('A' + site - 1) : (char) ('a' + 2 * HOUSES - site));
    }

    @Override
    public String board(final Position position) {
        return text(position, position.count(SOUTH_STORE), position.count(NORTH_STORE), position.mover());
    }

    /**
     * The same position with the stores made even. Griot ends the game when a store holds more than half of the seeds, and Ludii
     * does not: with even stores griot still plays for the seeds that are left.
     *
     * @param position what lies on the board
     * @return griot's board text
     */
    public String boardWithEvenStores(final Position position) {
        final int both = position.count(SOUTH_STORE) + position.count(NORTH_STORE);
        return text(position, both - both / 2, both / 2, position.mover());
    }

    /**
     * The position as it is if the given player is to move: after a vote it may not be the voter's turn.
     *
     * @param position what lies on the board
     * @param mover    1 or 2
     * @return griot's board text
     */
    public String board(final Position position, final int mover) {
        return text(position, position.count(SOUTH_STORE), position.count(NORTH_STORE), mover);
    }

    private static String text(final Position position, final int south, final int north, final int mover) {
        final StringBuilder text = new StringBuilder();
        for (int house = 1; house <= HOUSES; house++) {
            text.append(position.count(house)).append('-');
        }
        for (int house = 2 * HOUSES; house > HOUSES; house--) {
            text.append(position.count(house)).append('-');
        }
        return text.append(south).append('-').append(north).append(mover == 1 ? "-S" : "-N").toString();
    }

    /**
     * What a player is ahead by if the game is ended now: stores, and each the seeds of the own row.
     *
     * @param position what lies on the board
     * @param player   1 or 2
     * @return seeds, from -48 to 48
     */
    public int balance(final Position position, final int player) {
        int south = position.count(SOUTH_STORE);
        for (int house = 1; house <= HOUSES; house++) {
            south += position.count(house);
        }
        final int ahead = 2 * south - SEEDS;
        return player == 1 ? ahead : -ahead;
    }

    @Override
    public double unit() {
        return 600;
    }
}
