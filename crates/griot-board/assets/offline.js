// Has the browser keep the page, for when the server is away: worker.js does it.

/** The page trusts no other script by its address. */
const PATH = '/worker.js';

export async function keepPage() {
  // A browser keeps pages of this machine, and of servers that encrypt.
  if (!navigator.serviceWorker) return;
  const trusted = /** @type {any} */ (window).trustedTypes?.createPolicy('griot', { createScriptURL: () => PATH });
  try {
    await navigator.serviceWorker.register(trusted ? trusted.createScriptURL('') : PATH, { updateViaCache: 'none' });
  } catch {
    // Then there is no page without the server.
  }
}
