// The two dictionaries.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { page } from './page.js';

const { dictionaries } = await page('words');

/** The paths of all words, with the number of values that each tells. */
const shape = (words, path = '') =>
  Object.entries(words).flatMap(([key, word]) =>
    typeof word === 'object' && word ? shape(word, `${path}${key}.`) : `${path}${key} ${typeof word} ${word.length * (typeof word === 'function')}`,
  );

test('every word of one language is there in the other, and tells as much', () => {
  assert.deepEqual(shape(dictionaries.fr).sort(), shape(dictionaries.en).sort());
});

test('every word that the page asks for is there', async () => {
  const html = await readFile(new URL('../../assets/index.html', import.meta.url), 'utf8');
  const keys = [...html.matchAll(/data-[tlp]="([^"]+)"/g)].map(([, key]) => key);
  assert.ok(keys.length > 20, keys);
  const { speak, t } = await page('words');
  for (const language of ['en', 'fr']) {
    speak(language);
    assert.deepEqual(keys.filter((key) => t(key) === key), [], language);
  }
  speak('en');
});
