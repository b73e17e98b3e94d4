package griot.map;

/** How one game of Ludii, with one choice of its options, is told to griot. */
public interface GameMap {
    /** @return the name of the game, for griot's option {@code Game} */
    String game();

    /**
     * @param site where a move of Ludii's ends
     * @return the move as griot writes it
     * @throws IllegalArgumentException if no move of the game ends there
     */
    String move(int site);

    /**
     * @param position what lies on the board
     * @return griot's board text
     */
    String board(Position position);

    /** @return hundredths of griot's unit that make a clear advantage */
    double unit();
}
