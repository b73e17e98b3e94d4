// Games with tags, as chess has them: `[Name "value"]` lines, then moves with numbers, comments in braces, variations in brackets.

const TAG = /^\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]/;

/** The games of a text: tags, and the words of the moves with the comment behind each. */
export function readTagged(text) {
  const games = [];
  let rest = text;
  while (rest.trim()) {
    const tags = {};
    for (let found = TAG.exec(rest); found; found = TAG.exec(rest)) {
      tags[found[1]] = found[2].replace(/\\(["\\])/g, '$1');
      rest = rest.slice(found[0].length);
    }
    const next = rest.search(/\n\s*\[\s*\w+\s+"/);
    const body = next < 0 ? rest : rest.slice(0, next);
    rest = next < 0 ? '' : rest.slice(next);
    if (!Object.keys(tags).length && !body.trim()) break;
    games.push({ tags, ...words(body) });
  }
  return games;
}

/** What is played, without numbers and variations. */
function words(body) {
  const played = [];
  const comments = {};
  let depth = 0;
  for (const [word, comment] of body.matchAll(/\{([^}]*)\}|;[^\n]*|\(|\)|[^\s(){};]+/g)) {
    if (word === '(') depth += 1;
    else if (word === ')') depth = Math.max(0, depth - 1);
    else if (depth) continue;
    else if (word.startsWith('{')) {
      const said = comment.trim().replace(/\s+/g, ' ');
      if (said) comments[played.length] = [comments[played.length], said].filter(Boolean).join(' ');
    } else if (!/^(;.*|\d+\.+|\$\d+|\*)$/.test(word)) {
      const move = word.replace(/^\d+\.+/, '');
      if (move) played.push(move);
    }
  }
  return { words: played, comments };
}

const escape = (value) => `${value}`.replace(/[\\"]/g, '\\$&');

/** Tags as they are written: pairs of a name and a value. */
export const writeTags = (pairs) => pairs.map(([name, value]) => `[${name} "${escape(value)}"]\n`).join('');

/** The moves with their numbers, in lines of fewer than 80 letters. */
export function writeMoves(moves, comments, end, { number: from = 1, second = false } = {}) {
  const tokens = moves.flatMap((move, i) => {
    const said = comments?.[i + 1]?.replace(/[{}]/g, '').trim();
    const ply = second ? i + 1 : i;
    const number = ply % 2 === 0 ? [`${from + ply / 2}.`] : i === 0 ? [`${from}...`] : [];
    return [...number, move, ...(said ? ['{', ...said.split(/\s+/), '}'] : [])];
  });
  const lines = [''];
  for (const token of [...tokens, end].filter(Boolean)) {
    const line = lines.at(-1);
    if (line && line.length + 1 + token.length >= 80) lines.push(token);
    else lines[lines.length - 1] = line ? `${line} ${token}` : token;
  }
  return `${lines.join('\n')}\n`;
}

export const today = () => new Date().toISOString().slice(0, 10).replaceAll('-', '.');
