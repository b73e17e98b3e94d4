// The state of the page and what follows from it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { backTo, begin, createStore, drawnLine, isContest, isSecret, isTurned, linesOf, mayPlay, openingOf, reduce, settingsOf } = await page('state');

const human = { kind: 'human' };
const engine = { kind: 'engine', level: 6 };
const settings = (players, more = {}) => ({ players, movetime: 1000, pace: 0, analysis: false, lines: 3, ...more });
/** What the server says of a game of three moves. */
const told = (more = {}) => ({
  round: 1, game: 'chess', at: 0, nodes: [0, 1, 2, 3], first: [true, false, true, false], result: null, paused: false, hint: null,
  settings: settings([human, human]), ...more,
});
const after = (...events) => events.reduce(reduce, begin());
const said = (more) => ({ type: 'told', server: told(more) });

test('a store has one value, and tells who subscribes what it was', () => {
  const store = createStore(1, (state, event) => state + event);
  const heard = [];
  store.subscribe((state, event, before) => heard.push([before, event, state]));
  store.dispatch(2);
  store.dispatch(3);
  assert.deepEqual([store.get(), heard], [6, [[1, 2, 3], [3, 3, 6]]]);
});

test('a reducer changes nothing in place', () => {
  const state = Object.freeze(begin());
  for (const event of [said(), { type: 'lost', code: 'x', detail: '' }, { type: 'change', change: {} }, { type: 'prefer', prefs: { lines: 5 } }]) {
    const next = reduce(state, event);
    assert.notEqual(next, state);
    assert.equal(state.prefs.lines, 3);
  }
});

test('settings that are changed twice quickly keep the second change, whatever the server says between', () => {
  const first = { type: 'change', change: { movetime: 300 } };
  const second = { type: 'change', change: { pace: 500 } };
  let state = after(said(), first, second);
  assert.deepEqual([settingsOf(state).movetime, settingsOf(state).pace], [300, 500]);
  // What the server says has the first change and not yet the second.
  state = reduce(reduce(state, said({ settings: settings([human, human], { movetime: 300 }) })), { type: 'confirmed' });
  assert.deepEqual([settingsOf(state).movetime, settingsOf(state).pace], [300, 500]);
  // A third one is made on top of both.
  state = reduce(state, { type: 'change', change: { movetime: 3000 } });
  assert.deepEqual([settingsOf(state).movetime, settingsOf(state).pace], [3000, 500]);
});

test('the opening on the board is the last named position up to it', () => {
  const openings = [null, { code: 'B00', name: "King's Pawn Game" }, null, { name: 'b' }];
  assert.deepEqual([0, 1, 2, 3].map((at) => openingOf(told({ openings, at }))?.name), [undefined, "King's Pawn Game", "King's Pawn Game", 'b']);
});

test('a click on a line is dropped when the position changes, and kept when the same position is sent again', () => {
  const pick = { type: 'pick', picked: { nth: 0, place: 1, node: 0, moves: ['a', 'b'] } };
  assert.deepEqual(drawnLine(after(said(), pick, said())), ['a', 'b']);
  assert.deepEqual(drawnLine(after(said(), pick, said({ at: 1 }))), []);
  const want = { type: 'want', wanted: { node: 2, pv: ['c'] } };
  assert.deepEqual(drawnLine(after(said(), want)), []);
  assert.deepEqual(drawnLine(after(said(), want, said({ at: 2 }))), ['c']);
  assert.equal(after(said(), want, said({ at: 1 })).wanted, null);
});

test('what the engine thinks is secret while one plays against it, unless it is asked for', () => {
  const thought = { type: 'thought', thinking: { at: 0, purpose: 'play', lines: [{ pv: ['e2e4'] }] } };
  const contest = said({ settings: settings([human, engine]) });
  assert.ok(isContest(after(contest)) && isSecret(after(contest, thought)));
  assert.equal(linesOf(after(contest, thought)), null);
  for (const open of [
    [said(), thought],
    [said({ settings: settings([human, engine]), paused: true }), thought],
    [said({ settings: settings([human, engine]), result: 'draw' }), thought],
    [said({ settings: settings([human, engine], { analysis: true }) }), thought],
    [contest, thought, { type: 'prefer', prefs: { reveal: true } }],
  ]) {
    assert.equal(linesOf(after(...open)).length, 1);
  }
  // During a puzzle all values are hidden, whatever the settings.
  assert.equal(linesOf(after(said(), thought, { type: 'hide', hidden: true })), null);
});

test('a person moves when it is his turn or the game is held', () => {
  const against = settings([human, engine]);
  assert.ok(mayPlay(after(said({ settings: against }))));
  assert.ok(!mayPlay(after(said({ settings: against, at: 1 }))));
  assert.ok(mayPlay(after(said({ settings: against, at: 1, paused: true }))));
  assert.ok(!mayPlay(after(said({ result: 'p1win' }))));
  assert.ok(!mayPlay(begin()));
});

test('taking back leads to where a person was to move', () => {
  const against = settings([human, engine]);
  assert.equal(backTo(after(said({ settings: against, at: 3 }))), 2);
  assert.equal(backTo(after(said({ settings: against, at: 2 }))), 0);
  assert.equal(backTo(after(said({ settings: settings([engine, engine]), at: 2 }))), 1);
});

test('the board lies with the person below, and a flip turns it until another game begins', () => {
  const flip = { type: 'prefer', prefs: { flip: true } };
  assert.deepEqual([isTurned(after(said())), isTurned(after(said(), flip))], [false, true]);
  const second = said({ settings: settings([engine, human]) });
  assert.deepEqual([isTurned(after(second)), isTurned(after(second, flip))], [true, false]);
  assert.equal(isTurned(after(said(), flip, said({ round: 2, game: 'othello' }))), false);
});
