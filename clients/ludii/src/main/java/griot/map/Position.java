package griot.map;

/** A Ludii board: sites are numbered as in Ludii, players are 1 and 2. */
public interface Position {
    /** @return the player to move, 1 or 2 */
    int mover();

    /**
     * @param site  a site
     * @param level the level in a stack, from 0 at the bottom
     * @return the owner of the piece, or 0
     */
    int owner(int site, int level);

    /**
     * @param site a site
     * @return the state of the piece: in Reversi the player whose side is up, or 0
     */
    int state(int site);

    /**
     * @param site a site
     * @return the number of seeds on the site
     */
    int count(int site);
}
