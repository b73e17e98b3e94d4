package griot.map;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recognises whether griot plays a Ludii game, by the game's description with all options filled in. Line games are recognised by
 * their rules, whatever their name; the others by name, and by the rules that distinguish them from games that griot does not
 * play.
 */
public final class Recognition {
    private static final Pattern TOKEN = Pattern.compile("\"[^\"]*\"|[(){}]|[^\\s(){}\"]+");
    private static final Pattern NAME = Pattern.compile("^\\( game \"([^\"]*)\" ");
    private static final String ADD = "\\( play \\( move Add \\( to \\( sites Empty \\) \\) \\) \\)";
    /** A first move restricted to some sites, then anywhere. This is safe, as the search gets the moves that Ludii allows. */
    private static final String OPENING = "phases: \\{ \\( phase \"\\w+\" \\( play \\( move Add \\( to \\( [^\"{}]* \\) \\) \\) \\) \\( nextPhase "
            + "(\"\\w+\") \\) \\) \\( phase \\2 " + ADD + " \\) \\}";
    private static final Pattern LINES = Pattern.compile("\\( game \"[^\"]*\" \\( players 2 \\) \\( equipment \\{ "
            + "\\( board \\( (square \\d+|rectangle \\d+ \\d+) \\)(?: use: ?(?:Vertex|Cell))? \\) "
            + "(?:\\( piece \"\\w+\" Each \\)|\\( piece \"\\w+\" P1 \\) \\( piece \"\\w+\" P2 \\)) \\} \\) "
            + "\\( rules (?:" + ADD + "|" + OPENING + ") "
            + "\\( end \\( if \\( is Line (\\d+)(?: All)?(?: exact: ?(True|False))? \\) \\( result Mover Win \\) \\) \\) \\) \\)");
    private static final int MOST = 22;

    /** The translation of the game, or null if griot does not play it. */
    public final GameMap map;
    /** Why griot does not play the game; empty if it does. */
    public final String reason;

    private Recognition(final GameMap map, final String reason) {
        this.map = map;
        this.reason = reason;
    }

    /**
     * @param description the game's description in Ludii's language, with options filled in and definitions expanded
     * @return the translation of the game, or the reason why there is none
     */
    public static Recognition of(final String description) {
        final String text = tokens(description);
        final Matcher named = NAME.matcher(text);
        if (!named.find()) {
            return refuse("this is no description of a game");
        }
        switch (named.group(1)) {
            case "Oware":
            case "Fondji": return oware(named.group(1), text);
            case "Connect Four": return connectFour(text);
            case "Reversi": return reversi(text);
            default: return lines(named.group(1), text);
        }
    }

    private static Recognition accept(final GameMap map) {
        return new Recognition(map, "");
    }

    private static Recognition refuse(final String reason) {
        return new Recognition(null, reason);
    }

    /** The words of a description separated by single blanks, up to the end of the game; the rest contains no rules. */
    private static String tokens(final String description) {
        final List<String> words = new ArrayList<>();
        final Matcher token = TOKEN.matcher(description);
        int open = 0;
        while (token.find()) {
            words.add(token.group());
            open += token.group().equals("(") ? 1 : token.group().equals(")") ? -1 : 0;
            if (open == 0) {
                break;
            }
        }
        return String.join(" ", words);
    }

    private static Recognition oware(final String name, final String text) {
        if (text.contains(" skipIf:")) {
            return refuse(name + ": griot has no limit of seeds in a house; play it without one");
        }
        if (!text.contains("( end ( if ( or ( no Moves Mover ) ( is Decided \"End\" ) ) ( byScore {")) {
            return refuse(name + ": griot needs the end rule \"No Piece\", by which whoever has more seeds at the end wins");
        }
        final boolean known = text.contains("( mancalaBoard 2 6 ( track ") && text.contains("( set Count 4 to: ( sites Track ) )")
                && text.contains("( = ( count at: ( to ) ) 2 ) ( = ( count at: ( to ) ) 3 )") && text.contains("includeSelf:False backtracking:True")
                && text.contains("ifAfterwards: ( < 0 ( count in: ( sites Next ) ) )");
        return known ? accept(new OwareMap()) : refuse(name + ": these are not the rules of Ludii's own Oware");
    }

    private static Recognition connectFour(final String text) {
        final boolean four = text.contains("( players 2 )") && text.contains("( end ( if ( is Line 4 ") && text.contains("( result Mover Win )");
        if (four && text.contains("( board ( rectangle 1 7 ) )") && text.contains("( < ( size Stack at: ( site ) ) 6 )")) {
            return accept(new DropMap(true));
        }
        if (four && text.contains("( board ( rectangle 6 7 ) )") && text.contains("( intersection ( sites Top ) ( sites Empty ) )")
                && text.contains("( slide ( from ( last To ) ) S ")) {
            return accept(new DropMap(false));
        }
        return refuse("Connect Four: this is not the game of four in a row on seven columns of six");
    }

    private static Recognition reversi(final String text) {
        if (!text.contains("( board ( square 8 ) )")) {
            return refuse("Reversi: griot plays on 8x8 alone");
        }
        if (text.contains("( phase \"Placement\" ")) {
            return refuse("Reversi: griot plays from the fixed start alone");
        }
        final boolean known = text.contains("( difference ( sites Centre ) ( sites Phase 1 ) ) state:1")
                && text.contains("( difference ( sites Centre ) ( sites Phase 0 ) ) state:2")
                && text.contains("( end ( if ( all Passed ) ( byScore ) ) )")
                && text.contains("( custodial ") && text.contains("( flip ( between ) )");
        return known ? accept(new ReversiMap()) : refuse("Reversi: these are not the rules of Ludii's own Reversi");
    }

    private static Recognition lines(final String name, final String text) {
        final Matcher lines = LINES.matcher(text);
        if (!lines.matches()) {
            return refuse(name + ": griot plays Oware, Connect Four, Reversi, and games in which a line of stones on a rectangle wins");
        }
        final String[] board = lines.group(1).split(" ");
        final int rows = number(board[1]);
        final int columns = number(board[board.length - 1]);
        final int length = number(lines.group(3));
        if (rows < 1 || columns < 1 || rows > MOST || columns > MOST) {
            return refuse(name + ": griot plays on boards of up to " + MOST + "x" + MOST);
        }
        if (length < 1 || length > Math.max(rows, columns)) {
            return refuse(name + ": no line of " + length + " has room on this board");
        }
        return accept(new LineMap(columns, rows, length, "True".equals(lines.group(4))));
    }

    /** A number with too many digits exceeds every bound. */
    private static int number(final String digits) {
        return digits.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }
}
