// The service worker: the server's answer comes first, and what is kept is never older than the server.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';

const source = readFileSync(new URL('../../assets/worker.js', import.meta.url), 'utf8');

/** A browser with one server, which may be away or have another version. */
function browser(version) {
  const handlers = {};
  const kept = new Map();
  const net = { version, away: false, asked: [] };
  const file = (path, of) => ({ ok: true, body: `${path} ${of}`, blob: async () => `${path} ${of}`, headers: { get: () => `"${of}"` } });
  const open = (name) => {
    if (!kept.has(name)) kept.set(name, new Map());
    return kept.get(name);
  };
  const context = vm.createContext({
    URL,
    Response: class {
      constructor(body, { headers }) {
        Object.assign(this, { body, headers });
      }
    },
    location: { origin: 'http://here' },
    self: { addEventListener: (name, act) => (handlers[name] = act), skipWaiting: async () => {}, clients: { claim: async () => {} } },
    fetch: async (request) => {
      const path = typeof request === 'string' ? request : new URL(request.url).pathname;
      net.asked.push(path);
      if (net.away) throw new TypeError('no server');
      return file(path, net.version);
    },
    caches: {
      open: async (name) => ({ put: async (path, answer) => open(name).set(path, answer) }),
      keys: async () => [...kept.keys()],
      delete: async (name) => kept.delete(name),
      match: async (path, { cacheName }) => kept.get(cacheName)?.get(path),
    },
  });
  const start = (of) => vm.runInContext(`(() => { const VERSION = '${of}'; const FILES = ['/', '/main.js']; ${source} })()`, context);
  const wait = async (name) => {
    let done;
    handlers[name]({ waitUntil: (promise) => (done = promise) });
    await done;
  };
  const get = async (path, method = 'GET', origin = 'http://here') => {
    let answered = null;
    handlers.fetch({ request: { url: origin + path, method }, respondWith: (promise) => (answered = promise) });
    return answered && (await answered).body;
  };
  return { net, kept, start, wait, get };
}

test('what is kept is given when the server is away', async () => {
  const { net, start, wait, get } = browser('one');
  start('one');
  await wait('install');
  await wait('activate');
  assert.equal(await get('/main.js'), '/main.js one');
  net.away = true;
  assert.equal(await get('/main.js'), '/main.js one');
  // Commands, news and other servers are none of its business.
  assert.deepEqual([await get('/api/do', 'POST'), await get('/api/news'), await get('/main.js', 'GET', 'http://there')], [null, null, null]);
});

test('an update is served at once, and nothing older after it', async () => {
  const { net, kept, start, wait, get } = browser('one');
  start('one');
  await wait('install');
  net.version = 'two';
  assert.equal(await get('/'), '/ two');
  net.away = true;
  await assert.rejects(get('/main.js'), 'half of an old page is no page');
  assert.equal(kept.size, 0);
  // The next worker keeps the new files, and drops what others have left.
  net.away = false;
  kept.set('griot-one', new Map());
  start('two');
  await wait('install');
  await wait('activate');
  assert.deepEqual([...kept.keys()], ['griot-two']);
});

test('files of two versions are not kept together', async () => {
  const { kept, start, wait } = browser('two');
  start('one');
  await assert.rejects(wait('install'));
  assert.equal(kept.size, 0);
});
