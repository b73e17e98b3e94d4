// A file for the people who use the page: the browser keeps it where it keeps downloads.

import { h } from './svg.js';

/** Hands a text, or bytes, to the browser as a file. @param {string} name @param {string | Blob} content */
export function download(name, content, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
