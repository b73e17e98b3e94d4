// What is wrong with a text, in French.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { page } from './page.js';

const { FIELDS, PHRASES, inFrench, part } = await page('faults');

test('places, fields and phrases are translated one by one', () => {
  for (const [english, french] of [
    ["column 14: castling: expected rights or '-', found nothing", "colonne 14 : roque : attendu : des droits ou '-' ; trouvé : rien"],
    ["column 27: game 'mnk:3,3,9': line length: expected a number from 1 to 3, the longer side of a 3x3 board, found 9", "colonne 27 : jeu 'mnk:3,3,9' : longueur d’un alignement : attendu : un nombre de 1 à 3, le plus grand côté d’un plateau de 3x3 ; trouvé : 9"],
    ["game 1, line 1, column 16, ply 1: move: expected a legal move as e2e4, e7e8q or Nf3, found 'e9'", "partie 1, ligne 1, colonne 16, coup 1 : coup : attendu : un coup légal comme e2e4, e7e8q ou Nf3 ; trouvé : 'e9'"],
    ["column 14: row 3: expected 'x', 'o' or a number, found 'y'", "colonne 14 : rangée 3 : attendu : 'x', 'o' ou un nombre ; trouvé : 'y'"],
    ["game 1, line 1, column 16, ply 1: 'e9' is not legal; legal are a3, a4, b3, 12 more", "partie 1, ligne 1, colonne 16, coup 1 : 'e9' n’est pas légal ; sont légaux a3, a4, b3, et 12 autres"],
    ['level: expected 0 to 20', 'niveau : attendu : de 0 à 20'],
    ['expected letters, digits and : , - =', 'attendu : des lettres, des chiffres et : , - ='],
    ['move 3: e9 is not legal', 'coup 3 : e9 n’est pas légal'],
    ['at most 12 heaps of 60 matches', 'au plus 12 tas de 60 allumettes'],
  ]) {
    assert.equal(inFrench(english), french);
  }
});

test('text without a translation stays English', () => {
  assert.equal(inFrench('the moon is full'), 'the moon is full');
  assert.equal(inFrench('column 3: colour: expected a hue, found mud'), 'colonne 3 : colour : attendu : a hue ; trouvé : mud');
  assert.equal(inFrench(''), '');
});

/** All files of Rust below a folder. */
const sources = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? sources(path) : name.endsWith('.rs') ? [path] : [];
  });

test('every field and every expectation that the rules name has French words', () => {
  const rules = fileURLToPath(new URL('../../../../src/games', import.meta.url));
  const missing = new Set();
  let seen = 0;
  for (const path of sources(rules)) {
    const [source] = readFileSync(path, 'utf8').split('#[cfg(test)]');
    // TextError::new(offset, "field", "expected", …), with or without format! around them.
    for (const [, field, expected] of source.matchAll(/TextError::new\(\s*[^,"]+,\s*(?:format!\()?"([^"]+)"(?:,\s*[^,"]+\))?,\s*(?:format!\(|told\()?(?:"([^"]+)")?/g)) {
      seen += 1;
      const filled = (text) => text.replace(/\{[^}]*\}/g, '7');
      if (part(FIELDS, filled(field)) === null) missing.add(`${path}: ${field}`);
      if (/[a-z]/.test(expected?.replace(/\{[^}]*\}/g, '') ?? '') && part(PHRASES, filled(expected)) === null) missing.add(`${path}: ${expected}`);
    }
  }
  assert.ok(seen > 30, `${seen} faults were found in the rules`);
  assert.deepEqual([...missing], []);
});
