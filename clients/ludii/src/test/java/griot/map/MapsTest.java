package griot.map;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;

import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** Ludii's sites, and griot's names for them. */
public final class MapsTest {
    /** A board that is set site by site. */
    private static final class Board implements Position {
        private final int mover;
        private final Map<Integer, int[]> owners = new HashMap<>();
        private final Map<Integer, Integer> counts = new HashMap<>();

        Board(final int mover) {
            this.mover = mover;
        }

        Board put(final int site, final int... levels) {
            owners.put(site, levels);
            return this;
        }

        Board seeds(final int... seeds) {
            for (int i = 0; i < seeds.length; i++) {
                counts.put(i, seeds[i]);
            }
            return this;
        }

        @Override
        public int mover() {
            return mover;
        }

        @Override
        public int owner(final int site, final int level) {
            final int[] levels = owners.getOrDefault(site, new int[0]);
            return level < levels.length ? levels[level] : 0;
        }

        @Override
        public int state(final int site) {
            return owner(site, 0);
        }

        @Override
        public int count(final int site) {
            return counts.getOrDefault(site, 0);
        }
    }

    private static void refuses(final GameMap map, final int... sites) {
        for (final int site : sites) {
            try {
                fail(map.game() + ": site " + site + " is " + map.move(site));
            } catch (final IllegalArgumentException expected) {
                // Expected.
            }
        }
    }

    @Test
    public void lines() {
        final GameMap map = new LineMap(5, 3, 4, false);
        assertEquals("mnk:5,3,4", map.game());
        assertEquals("a1", map.move(0));
        assertEquals("e1", map.move(4));
        assertEquals("a2", map.move(5));
        assertEquals("e3", map.move(14));
        refuses(map, -1, 15);
        assertEquals("5/5/5 x", map.board(new Board(1)));
        assertEquals("x4/5/1o2x o", map.board(new Board(2).put(1, 2).put(4, 1).put(10, 1)));
        assertEquals("mnk:15,15,5,exact", new LineMap(15, 15, 5, true).game());
        assertEquals("o15", new LineMap(15, 15, 5, true).move(224));
        assertEquals("11o10", new LineMap(22, 1, 5, true).board(new Board(1).put(11, 2)).split(" ")[0]);
    }

    @Test
    public void connectFourOfStacks() {
        final GameMap map = new DropMap(true);
        assertEquals("connect4", map.game());
        assertEquals("a", map.move(0));
        assertEquals("g", map.move(6));
        refuses(map, -1, 7);
        assertEquals("7/7/7/3x3/3o3/o2x3 o", map.board(new Board(2).put(3, 1, 2, 1).put(0, 2)));
    }

    @Test
    public void connectFourOfFallingDiscs() {
        final GameMap map = new DropMap(false);
        assertEquals("a", map.move(35));
        assertEquals("g", map.move(41));
        refuses(map, -1, 0, 34, 42);
        assertEquals("7/7/7/3x3/3o3/o2x3 o", map.board(new Board(2).put(3, 1).put(10, 2).put(17, 1).put(0, 2)));
    }

    @Test
    public void reversi() {
        final GameMap map = new ReversiMap();
        assertEquals("othello", map.game());
        assertEquals("a8", map.move(0));
        assertEquals("h1", map.move(63));
        assertEquals("e6", map.move(20));
        refuses(map, -1, 64);
        assertEquals("8/8/8/3ox3/3xo3/8/8/8 x", map.board(new Board(1).put(27, 1).put(28, 2).put(35, 2).put(36, 1)));
    }

    @Test
    public void oware() {
        final OwareMap map = new OwareMap();
        assertEquals("awale:awari", map.game());
        final StringBuilder houses = new StringBuilder();
        for (int site = 1; site <= 12; site++) {
            houses.append(map.move(site));
        }
        // North's houses are a to f from North's left, which is the end of South's row.
        assertEquals("ABCDEFfedcba", houses.toString());
        refuses(map, -1, 0, 13, 14);
        final Board board = new Board(2).seeds(20, 1, 2, 3, 0, 0, 0, 0, 0, 0, 4, 5, 6, 7);
        assertEquals("1-2-3-0-0-0-6-5-4-0-0-0-20-7-N", map.board(board));
        assertEquals("1-2-3-0-0-0-6-5-4-0-0-0-20-7-S", map.board(board, 1));
        assertEquals("1-2-3-0-0-0-6-5-4-0-0-0-14-13-N", map.boardWithEvenStores(board));
        assertEquals(4, map.balance(board, 1));
        assertEquals(-4, map.balance(board, 2));
    }
}
