package griot.ludii;

import game.types.board.SiteType;
import griot.map.Position;
import other.context.Context;
import other.state.container.ContainerState;

/** The current board of a Ludii context. */
final class Snapshot implements Position {
    private final ContainerState board;
    private final SiteType type;
    private final boolean stacked;
    private final int mover;

    Snapshot(final Context context) {
        board = context.containerState(0);
        type = context.board().defaultSite();
        stacked = context.game().isStacking();
        mover = context.state().mover();
    }

    @Override
    public int mover() {
        return mover;
    }

    @Override
    public int owner(final int site, final int level) {
        if (!stacked) {
            return level == 0 ? board.who(site, type) : 0;
        }
        return level < board.sizeStack(site, type) ? board.who(site, level, type) : 0;
    }

    @Override
    public int state(final int site) {
        return board.state(site, type);
    }

    @Override
    public int count(final int site) {
        return board.count(site, type);
    }
}
