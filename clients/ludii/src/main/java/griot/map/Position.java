package griot.map;

/** What lies on a board of Ludii: sites are numbered as Ludii does, players are 1 and 2. */
public interface Position {
    /** @return the player to move, 1 or 2 */
    int mover();

    /**
     * @param site  a site
     * @param level from 0, the lowest of what is stacked there
     * @return the player whose piece it is, or 0
     */
    int owner(int site, int level);

    /**
     * @param site a site
     * @return the state of what lies there: in Reversi the player whose side is up, or 0
     */
    int state(int site);

    /**
     * @param site a site
     * @return how many seeds lie there
     */
    int count(int site);
}
