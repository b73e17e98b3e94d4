package griot.map;

/** The translation of one Ludii game, with one choice of options, for griot. */
public interface GameMap {
    /** @return the name of the game, for griot's option {@code Game} */
    String game();

    /**
     * @param site the site where a Ludii move ends
     * @return the move as griot writes it
     * @throws IllegalArgumentException if no move of the game ends there
     */
    String move(int site);

    /**
     * @param position the board
     * @return griot's board text
     */
    String board(Position position);

    /** @return a clear advantage, in hundredths of griot's unit */
    double unit();
}
