package griot.map;

/**
 * Oware. Ludii's sites 1 to 6 are South's houses A to F; 7 to 12 are North's from the left as South sees them, f to a; 0 and 13
 * are the stores. South is player 1.
 *
 * <p>A move that leaves the opponent without seeds is illegal in Ludii, and in {@code awale:awari} while there is another move.
 * If every move is such, Ludii ends the game and each player keeps the own row, while {@code awale:awari} plays on.
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
     * The same position with even stores. Griot ends the game when a store holds more than half of the seeds, and Ludii does not:
     * with even stores griot still plays for the remaining seeds.
     *
     * @param position the board
     * @return griot's board text
     */
    public String boardWithEvenStores(final Position position) {
        final int both = position.count(SOUTH_STORE) + position.count(NORTH_STORE);
        return text(position, both - both / 2, both / 2, position.mover());
    }

    /**
     * The position with the given player to move: after a vote it may not be the voter's turn.
     *
     * @param position the board
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
     * The lead of a player if the game ends now: stores, plus each player's own row.
     *
     * @param position the board
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
