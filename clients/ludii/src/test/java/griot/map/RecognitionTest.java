package griot.map;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Ludii games recognised by their descriptions. The descriptions here are invented; Ludii's own are tested with Ludii. */
public final class RecognitionTest {
    private static final String TWO = "(piece \"Ring\" P1) (piece \"Bar\" P2)";
    private static final String ADD = "(play (move Add (to (sites Empty))))";

    private static String game(final String players, final String board, final String pieces, final String play, final String end) {
        return "(game \"Any Name (3)\"\n (players " + players + ")\n (equipment { (board " + board + ") " + pieces + " })\n (rules " + play
                + " (end " + end + ")))\n(metadata (info {(description \"(a game)\")}))";
    }

    private static String line(final String words) {
        return "(if (is Line " + words + ") (result Mover Win))";
    }

    private static String known(final String description) {
        final Recognition found = Recognition.of(description);
        assertNotNull(description + ": " + found.reason, found.map);
        assertEquals("", found.reason);
        return found.map.game();
    }

    private static String refused(final String description) {
        final Recognition found = Recognition.of(description);
        assertNull(description, found.map);
        assertTrue(description, !found.reason.isEmpty());
        return found.reason;
    }

    @Test
    public void lineGamesAreKnownByTheirRules() {
        assertEquals("mnk:3,3,3", known(game("2", "(square 3)", TWO, ADD, line("3"))));
        assertEquals("mnk:15,15,5,exact", known(game("2", "(square 15) use:Vertex", "(piece \"Go\" Each)", ADD, line("5 All exact:True"))));
        assertEquals("mnk:19,19,5", known(game("2", "(square 19) use:Vertex", "(piece \"Go\" Each)", ADD, line("5 All exact:False"))));
        // Ludii names the rows first.
        assertEquals("mnk:7,4,4", known(game("2", "(rectangle 4 7)", TWO, ADD, line("4 All"))));
        final String opening = "phases:{ (phase \"First\" (play (move Add (to (expand (sites Outer))))) (nextPhase \"Rest\"))"
                + " (phase \"Rest\" " + ADD + ") }";
        assertEquals("mnk:9,9,5", known(game("2", "(square 9) use:Vertex", TWO, opening, line("5 All"))));
    }

    @Test
    public void otherLineGamesAreRefused() {
        refused(game("3", "(square 3)", TWO, ADD, line("3")));
        refused(game("2", "(hex 5)", TWO, ADD, line("3")));
        refused(game("2", "(square 4 pyramidal:True) use:Vertex", TWO, ADD, line("3")));
        refused(game("2", "(square 3) use:Edge", TWO, ADD, line("3")));
        refused(game("2", "(square 3)", TWO, ADD, "(if (is Line 3) (result Next Win))"));
        refused(game("2", "(square 3)", TWO, ADD, "(if (is Line 3) (result Mover Loss))"));
        refused(game("2", "(square 3)", TWO, ADD, line("3 Orthogonal")));
        refused(game("2", "(square 5)", TWO, ADD, "{ " + line("4") + " (if (is Line 3) (result Mover Loss)) }"));
        refused(game("2", "(square 3)", TWO, "(meta (swap)) " + ADD, line("3")));
        refused(game("2", "(square 3)", TWO + " (dice d:6)", ADD, line("3")));
        refused(game("2", "(square 3)", TWO, "(play (move Add (to (sites Empty)) (then (moveAgain))))", line("3")));
        final String back = "phases:{ (phase \"First\" (play (move Add (to (sites Outer)))) (nextPhase \"First\")) (phase \"Rest\" " + ADD + ") }";
        refused(game("2", "(square 9)", TWO, back, line("5")));
    }

    @Test
    public void whatHasNoRoomIsRefused() {
        assertTrue(refused(game("2", "(square 23)", TWO, ADD, line("5"))).contains("up to 22x22"));
        assertTrue(refused(game("2", "(square 99999999999)", TWO, ADD, line("5"))).contains("up to 22x22"));
        assertTrue(refused(game("2", "(square 3)", TWO, ADD, line("4"))).contains("no line of 4"));
        assertTrue(refused(game("2", "(square 3)", TWO, ADD, line("0"))).contains("no line of 0"));
    }

    @Test
    public void optionsThatAreNotGriotsAreRefusedWithAReason() {
        assertTrue(refused("(game \"Reversi\" (players 2) (equipment { (board (square 10)) }) (rules (play (pass))))").contains("8x8 alone"));
        assertTrue(refused("(game \"Reversi\" (equipment { (board (square 8)) }) (rules phases:{ (phase \"Placement\" (play (pass))) }))")
                .contains("fixed start"));
        assertTrue(refused("(game \"Reversi\" (equipment { (board (square 8)) }) (rules (play (pass))))").contains("Ludii's own Reversi"));
        assertTrue(refused("(game \"Oware\" (rules (play (sow skipIf:(>= (count at:(to)) 12)))))").contains("no limit of seeds"));
        assertTrue(refused("(game \"Oware\" (rules (play (sow))))").contains("end rule \"No Piece\""));
        assertTrue(refused("(game \"Connect Four\" (players 2) (equipment { (board (rectangle 1 8)) }))").contains("seven columns"));
        assertTrue(refused("(game \"Chess\" (players 2))").startsWith("Chess: griot plays Oware"));
        assertTrue(refused("").contains("no description"));
        assertTrue(refused("(((").contains("no description"));
    }
}
