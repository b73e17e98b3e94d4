// The service worker: keeps the files of the page in the browser, so that there is a page when the server is away.
//
// The server puts VERSION, a hash of all its files, and FILES, their paths, before this text. An answer of the server always comes first.
// What is kept is given only when there is no answer, and all of it is of one version: files are kept whole or not at all, and when the
// server has another version, what is kept is given up at once. So no page is older than the server that it was loaded from.

const CACHE = `griot-${VERSION}`;
/** How the server marks its files. */
const TAG = `"${VERSION}"`;
/** @type {any} */
const worker = self;

async function keep() {
  // An answer that is not read keeps its connection, of which there are few.
  const whole = async (/** @type {string} */ path) => {
    const told = await fetch(path, { cache: 'reload' });
    if (!told.ok || told.headers.get('etag') !== TAG) throw new Error('the server has another version');
    return new Response(await told.blob(), { headers: told.headers });
  };
  const answers = await Promise.all(FILES.map(whole));
  const cache = await caches.open(CACHE);
  await Promise.all(answers.map((answer, i) => cache.put(FILES[i], answer)));
  await worker.skipWaiting();
}

async function begin() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request @param {string} path @returns {Promise<Response>} */
async function answer(request, path) {
  try {
    const told = await fetch(request);
    if (told.headers.get('etag') !== TAG) await caches.delete(CACHE);
    return told;
  } catch (problem) {
    const kept = await caches.match(path, { cacheName: CACHE });
    if (!kept) throw problem;
    return kept;
  }
}

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(begin()));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== 'GET' || origin !== location.origin || !FILES.includes(pathname)) return;
  event.respondWith(answer(event.request, pathname));
});
