// Links that hold a game.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { isTree, linkOf, linked, pack, unpack } = await page('links');

const game = (more = {}) => ({ game: 'chess', start: 'startpos', moves: ['e2e4', 'e7e5'], players: ['Ánn', null], ...more });

test('a main line is a link that people can read', async () => {
  const link = await linkOf(game());
  assert.equal(link, 'game=chess%7Cstartpos%7Ce2e4%20e7e5');
  assert.equal(await linked(`#${link}`), 'chess|startpos|e2e4 e7e5');
});

test('a tree is a link that brings back all of it', async () => {
  const record = game({ variations: [{ at: 1, moves: ['c7c5'] }], notes: { 1: { comments: ['très bon'] } } });
  assert.ok(isTree(record) && !isTree(game({ variations: [], notes: {} })));
  const link = await linkOf(record);
  assert.match(link, /^record=[\w-]+$/);
  assert.deepEqual(JSON.parse(await linked(`#${link}`)), record);
});

test('what is too long for a link is its main line', async () => {
  let chance = 1;
  const letter = () => String.fromCharCode(33 + ((chance = (chance * 48271) % 2147483647) % 90));
  const noise = Array.from({ length: 9000 }, letter).join('');
  assert.match(await linkOf(game({ notes: { 1: { comments: [noise] } } })), /^game=/);
});

test('an address without a game differs from one that cannot be read', async () => {
  assert.equal(await linked('#other'), undefined);
  assert.equal(await linked('#game=%E0%A4%A'), null);
  assert.equal(await linked('#record=!!'), null);
  assert.equal(await unpack(await pack('x'.repeat(100_000))), 'x'.repeat(100_000));
});
