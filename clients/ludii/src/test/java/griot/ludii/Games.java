package griot.ludii;

import compiler.Compiler;
import game.Game;
import griot.map.Recognition;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import main.grammar.Description;
import other.GameLoader;
import other.context.Context;
import other.trial.Trial;

/** Ludii games that griot plays, with and without options. */
final class Games {
    private Games() {
    }

    /** Names and loaded games; with the property {@code only}, those whose names begin with it. */
    static Map<String, Game> all() {
        final Map<String, Game> games = new LinkedHashMap<>();
        final String[][] wanted = {
            {"Oware.lud"},
            {"Fondji.lud"},
            {"Connect Four.lud"},
            {"Connect Four.lud", "Modelisation/2D"},
            {"Reversi.lud"},
            {"Tic-Tac-Toe.lud"},
            {"Gomoku.lud"},
            {"Gomoku.lud", "Board Size/9x9", "End Rules/Free-style"},
            {"Gomoku.lud", "Board Size/9x9", "End Rules/Standard", "Opening/Open-Outer"},
            {"Gomoku.lud", "Board Size/13x13"},
            {"Gomoku.lud", "Board Size/19x19"},
        };
        for (final String[] words : wanted) {
            games.put(String.join(", ", words), load(words));
        }
        games.put("four on 4x7", lines("(rectangle 4 7)", "4"));
        games.put("exactly six on 22x22", lines("(square 22)", "6 All exact:True"));
        games.keySet().removeIf(name -> !name.startsWith(System.getProperty("only", "")));
        return games;
    }

    /** A line game that is not one of Ludii's own. */
    private static Game lines(final String board, final String line) {
        final String description = "(game \"A Line Game\" (players 2) (equipment { (board " + board + ") (piece \"Disc\" Each) })"
                + " (rules (play (move Add (to (sites Empty)))) (end (if (is Line " + line + ") (result Mover Win)))))";
        return (Game) Compiler.compileTest(new Description(description), false);
    }

    static Game load(final String... words) {
        return words.length == 1 ? GameLoader.loadGameFromName(words[0])
                : GameLoader.loadGameFromName(words[0], Arrays.asList(words).subList(1, words.length));
    }

    static Recognition recognise(final Game game) {
        return Recognition.of(game.description().expanded());
    }

    static Context start(final Game game) {
        final Context context = new Context(game, new Trial(game));
        game.start(context);
        return context;
    }
}
