// What people do, without a server: its answers are those of a function here.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './page.js';

const { Commands } = await page('commands');
const { begin, createStore, reduce } = await page('state');

test('the menu of games is asked for until it is there, and then no more', async () => {
  const menus = [[], [{ key: 'chess' }], [{ key: 'another' }]];
  let asked = 0;
  globalThis.fetch = async (path) => {
    assert.equal(path, '/api/games');
    return { ok: true, json: async () => menus[asked++] };
  };
  const commands = new Commands(createStore(begin(), reduce), {});
  assert.deepEqual(await commands.menu(), []);
  for (let n = 0; n < 2; n += 1) assert.deepEqual(await commands.menu(), [{ key: 'chess' }]);
  assert.equal(asked, 2);
});

test('pictures of kept games are fetched one after the other, of each once, until the server goes', async () => {
  const store = createStore(begin(), reduce);
  const kept = [];
  let goes = false;
  const library = {
    unseen: async (most) => [3, 2, 1].slice(0, most).filter((id) => !kept.includes(id)),
    get: async (id) => ({ id }),
    keepView: async (id) => {
      assert.equal(kept.includes(id), false);
      kept.push(id);
      if (goes) store.dispatch({ type: 'lost', code: 'unreachable', detail: '' });
    },
  };
  const commands = new Commands(store, { library });
  goes = true;
  await Promise.all([commands.keepViews(), commands.keepViews()]);
  assert.deepEqual(kept, [3]);
  goes = false;
  store.dispatch({ type: 'linked' });
  await commands.keepViews();
  assert.deepEqual(kept, [3, 2, 1]);
});
