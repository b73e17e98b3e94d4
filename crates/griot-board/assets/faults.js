// What is wrong with a text, in French. The engine and the server say it in English, in the form that protocol.md gives them:
//
//   column 14: game 'mnk:3,3,9': line length: expected a number from 1 to 3, found '9'
//   PLACE: …                     FIELD:       expected PHRASE,                 found PHRASE
//
// Each part is translated by itself: there is one list for places, one for fields and one for phrases. `{}` matches a number, a point or
// a quoted text, `{#}` a number. A part that is in no list stays English. tests/unit/faults.test.js checks that the lists have every field
// and phrase of the rules.

/** Where something is. @type {[string, string][]} */
const PLACES = [
  ['column {}', 'colonne {}'],
  ['line {}', 'ligne {}'],
  ['game {}', 'partie {}'],
  ['ply {}', 'coup {}'],
  ['move {}', 'coup {}'],
];

/** The parts of a text, and of a setting. @type {[string, string][]} */
export const FIELDS = [
  ['board', 'plateau'],
  ['castling', 'roque'],
  ['column {}', 'colonne {}'],
  ['columns', 'colonnes'],
  ['count', 'nombre'],
  ['depth', 'profondeur'],
  ['en passant', 'prise en passant'],
  ['end of the position', 'fin de la position'],
  ['format', 'format'],
  ['game', 'jeu'],
  ['glyph', 'signe'],
  ['half-move clock', 'compteur de demi-coups'],
  ['halfmove clock', 'compteur de demi-coups'],
  ['move number', 'numéro du coup'],
  ['fullmove number', 'numéro du coup'],
  ['heap {}', 'tas {}'],
  ['heaps', 'tas'],
  ['king moves', 'coups de dame'],
  ['level', 'niveau'],
  ['line length', 'longueur d’un alignement'],
  ['lines', 'alignements'],
  ['middle', 'centre'],
  ['move', 'coup'],
  ['movetime', 'temps pour un coup'],
  ['pace', 'pause'],
  ['parameters', 'paramètres'],
  ['player', 'joueur'],
  ['pocket', 'réserve'],
  ['rank {}', 'rangée {}'],
  ['review', 'revue'],
  ['row {}', 'rangée {}'],
  ['rows', 'rangées'],
  ['rule', 'règle'],
  ['rules', 'règles'],
  ['seed total', 'total des graines'],
  ['side to move', 'camp au trait'],
  ['square', 'case'],
  ['start position', 'position de départ'],
  ['stone counts', 'nombre de pierres'],
  ['variant', 'variante'],
  ["South's store", 'grenier de Sud'],
  ["North's store", 'grenier de Nord'],
  ['house {}', 'maison {}'],
];

/** What was expected or found. @type {[string, string][]} */
export const PHRASES = [
  ['nothing', 'rien'],
  ['none', 'aucune'],
  ['one', 'une'],
  ['nothing more', 'rien de plus'],
  ['nothing after {}', 'rien après {}'],
  ['nothing after the side to move', 'rien après le camp au trait'],
  ['nothing after the counters', 'rien après les compteurs'],
  ["nothing or {} after K", 'rien ou {} après K'],
  ["nothing, {} or {} after K", 'rien, {} ou {} après K'],
  ['the end of the text', 'la fin du texte'],
  ['the rest', 'le reste'],
  ['{} or {}', '{} ou {}'],
  ['{}, {} or {}', '{}, {} ou {}'],
  ['{}, {}, {} or {}', '{}, {}, {} ou {}'],
  ["{}, then {}", '{}, puis {}'],
  ['{} and then {}', '{} puis {}'],
  ['{} at its end', '{} à la fin'],
  ['a number', 'un nombre'],
  ['a number from {} to {}', 'un nombre de {} à {}'],
  ['a number from {} to {}, the longer side of a {} board', 'un nombre de {} à {}, le plus grand côté d’un plateau de {}'],
  ['{} to {}', 'de {} à {}'],
  ['{} ranks', '{} rangées'],
  ['{} rows', '{} rangées'],
  ['{} squares', '{} cases'],
  ['{} cells', '{} cases'],
  ['no more than {} cells', 'au plus {} cases'],
  ['a number of empty cells from {} to {}', 'un nombre de cases vides de {} à {}'],
  ["{}, {} or a number", '{}, {} ou un nombre'],
  ['{} or {}, or a number of them', '{} ou {}, ou leur nombre'],
  ['{} of x and {} of o', '{} de x et {} de o'],
  ['as many stones of x as of o when x is to move', 'autant de pierres de x que de o quand x est au trait'],
  ['one stone more of x than of o when o is to move', 'une pierre de x de plus que de o quand o est au trait'],
  ['a file from a to {}', 'une colonne de a à {}'],
  ['a rank from {} to {}', 'une rangée de {} à {}'],
  ['an empty cell', 'une case vide'],
  ['a stone on {}', 'une pierre en {}'],
  ['a disc on {}', 'un pion en {}'],
  ['a point that is not forbidden', 'un point qui n’est pas interdit'],
  ['a winning line of one side at most', 'un alignement gagnant d’un seul camp au plus'],
  ['lines of both sides', 'des alignements des deux camps'],
  ['lines made earlier', 'des alignements plus anciens'],
  ['lines that one last stone can have made', 'des alignements faits par une dernière pierre'],
  ['no winning line of the side to move, whose opponent moved last', 'aucun alignement gagnant du camp au trait : l’autre a joué en dernier'],
  ['no line of the side to move, whose opponent moved last', 'aucun alignement du camp au trait : l’autre a joué en dernier'],
  ['{}, which makes {}', '{}, ce qui fait {}'],
  ['a legal move', 'un coup légal'],
  ['a legal move as e2e4, e7e8q or Nf3', 'un coup légal comme e2e4, e7e8q ou Nf3'],
  ['a move of the side to move', 'un coup du camp au trait'],
  ['no move, the game is over', 'aucun coup, la partie est finie'],
  ['a capture, which must be played', 'une prise, qui est obligatoire'],
  ['the stops of the capture, too: there are several', 'aussi les étapes de la prise : il y en a plusieurs'],
  ['the piece that the pawn becomes: q, r, b or n', 'la pièce que devient le pion : q, r, b ou n'],
  ['a piece or {} to {}', 'une pièce, ou un chiffre de {} à {}'],
  ['a position that a game can reach', 'une position possible dans une partie'],
  ['a king that could be taken, or checks that cannot be', 'un roi qui pourrait être pris, ou des échecs impossibles'],
  ['no pawn on the first or last rank', 'aucun pion sur la première ou la dernière rangée'],
  ['no pawn has just moved past it', 'aucun pion ne vient de passer devant'],
  ['K, Q, k, q, a file, or {}', 'K, Q, k, q, une colonne, ou {}'],
  ['rights or {}', 'des droits ou {}'],
  ['the square behind a pawn that has just moved two, or {}', 'la case derrière un pion qui vient d’avancer de deux, ou {}'],
  ['White', 'Blanc'],
  ['Black', 'Noir'],
  ['a column with a free cell', 'une colonne avec une case libre'],
  ['no empty cell below a stone', 'aucune case vide sous une pierre'],
  ['{}, which is full', '{}, qui est pleine'],
  ['{}, the lowest free cell of the column', '{}, la case libre la plus basse de la colonne'],
  ['a number behind H and F', 'un nombre après H et F'],
  ['a range from the lower to the higher number', 'un intervalle du plus petit au plus grand numéro'],
  ['a square of the board, a range of them, and K before kings', 'une case du plateau, un intervalle de cases, et K devant les dames'],
  ['at least one piece', 'au moins une pièce'],
  ['at most {} pieces', 'au plus {} pièces'],
  ['at most {}', 'au plus {}'],
  ['each side once', 'chaque camp une fois'],
  ['each square once', 'chaque case une fois'],
  ['how often White and Black have moved a king, with its square: {}', 'combien de fois Blanc et Noir ont joué une dame, avec sa case : {}'],
  ['no man on its last row', 'aucun pion sur sa dernière rangée'],
  ['pieces on dark squares only', 'des pièces sur les cases foncées seulement'],
  ['w, b, W, B, or a number of empty squares', 'w, b, W, B, ou un nombre de cases vides'],
  ['the pieces of each side, W21,K22 and B1,2, or a count', 'les pièces de chaque camp, W21,K22 et B1,2, ou un nombre'],
  ['the pieces of {}, too', 'aussi les pièces de {}'],
  ['a number of seeds from {} to {}', 'un nombre de graines de {} à {}'],
  ['{} seeds in houses and stores together', '{} graines en tout, maisons et greniers'],
  ['a house, {} to {}', 'une maison, de {} à {}'],
  ['{}, an empty house', '{}, une maison vide'],
  ['{}, which leaves the opponent without seeds', '{}, ce qui laisse l’adversaire sans graines'],
  ['S or N, and no more text', 'S ou N, et rien de plus'],
  ['abapa, awari, tipe or mini', 'abapa, awari, tipe ou mini'],
  ['a heap from a to {} and a number, as in a1', 'un tas de a à {} et un nombre, comme a1'],
  ['a heap that has matches left', 'un tas où il reste des allumettes'],
  ['a number from {} to {} after the heap', 'un nombre de {} à {} après le tas'],
  ['at most {} moves to choose from', 'au plus {} coups possibles'],
  ['one word on what a move takes and one on who wins', 'un mot sur ce qu’un coup prend et un sur qui gagne'],
  ['a second one, {}', 'un deuxième, {}'],
  ['{} joined by {}', '{} joints par {}'],
  ['a cell that turns a disc over', 'une case qui retourne un pion'],
  ['a cell to play on, since there is one', 'une case où jouer, puisqu’il y en a une'],
  ['a pass', 'un passe'],
  ['discs on d4, e4, d5 and e5, where each game begins', 'des pions en d4, e4, d5 et e5, où commence toute partie'],
  ['pawns, or a side of chess', 'des pions ou un camp d’échecs'],
  ['rows of x and o', 'des rangées de x et de o'],
  ['the pass 0000, since there is no other move', 'le passe 0000, puisqu’il n’y a pas d’autre coup'],
  ['{}, which turns none', '{}, qui n’en retourne aucun'],
  ['connect4 or connect4:COLS,ROWS,K', 'connect4 ou connect4:COLS,ROWS,K'],
  // Of records.
  ['{} is not legal; legal are {}, {#} more', '{} n’est pas légal ; sont légaux {}, et {} autres'],
  ['{} is not legal; legal are {}', '{} n’est pas légal ; sont légaux {}'],
  ['{} is no move', '{} n’est pas un coup'],
  ['{} comes after the end of the game', '{} vient après la fin de la partie'],
  ['it is {} turn', 'ce n’est pas le tour de ce camp'],
  ['a move that the rules forbid', 'un coup que les règles interdisent'],
  ['moves or a board', 'des coups ou un plateau'],
  ['a point on the board of {}', 'un point du plateau de {}'],
  ['offsets on a board of {}', 'des décalages sur un plateau de {}'],
  ["an object with 'game' and 'moves'", "un objet avec 'game' et 'moves'"],
  ['{} variations are not closed', '{} variantes ne sont pas fermées'],
  ["{} ')' too many", "{} ')' de trop"],
  ['the rule {} is not known', 'la règle {} n’est pas connue'],
  ['no game {}', 'aucun jeu {}'],
  // The server's own.
  ['letters, digits and {}', 'des lettres, des chiffres et {}'],
  ['letters, digits, blanks and {}', 'des lettres, des chiffres, des blancs et {}'],
  ['{} to {} bytes without blanks', 'de {} à {} octets sans blancs'],
  ['one game', 'une partie'],
  ['one line', 'une ligne'],
  ['own, or one of {}', 'own, ou l’un de {}'],
  ['a depth from {} to {}, {} to {} milliseconds, or at least {} nodes', 'une profondeur de {} à {}, de {} à {} millisecondes, ou au moins {} nœuds'],
  ['at most {} heaps of {} matches', 'au plus {} tas de {} allumettes'],
  ['{} is not legal', '{} n’est pas légal'],
];

/** What may stand for `{}`, and for `{#}`. */
const ANYTHING = "('(?:[^']|'(?!,|$))*'|[^']+?)";
const NUMBER = '(\\d+)';

/** @param {string} template */
const pattern = (template) => {
  const parts = template.split(/(\{#?\})/).map((one) => (one === '{}' ? ANYTHING : one === '{#}' ? NUMBER : one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}$`, 'u');
};

/** @type {Map<[string, string][], [RegExp, string][]>} */
const compiled = new Map();

/**
 * A part in French, if its list has it.
 * @param {[string, string][]} list
 * @param {string} text
 * @returns {string | null}
 */
export function part(list, text) {
  if (!compiled.has(list)) {
    // What has more words of its own says more.
    const own = (/** @type {string} */ template) => template.replace(/\{#?\}/g, '').length;
    const sorted = [...list].sort(([one], [other]) => own(other) - own(one));
    compiled.set(list, sorted.map(([template, french]) => [pattern(template), french]));
  }
  for (const [form, french] of compiled.get(list) ?? []) {
    const found = form.exec(text);
    if (found) {
      let at = 0;
      return french.replace(/\{\}/g, () => found[(at += 1)]);
    }
  }
  return null;
}

/** @param {string} text */
const phrase = (text) => part(PHRASES, text) ?? text;

/** Where something is wrong: places, the text that it is in, and the field. @param {string} text */
const where = (text) =>
  text
    .split(': ')
    .map((one) =>
      one
        .split(', ')
        .map((place) => (place.startsWith("game '") ? place.replace('game', 'jeu') : (part(FIELDS, place) ?? part(PLACES, place) ?? place)))
        .join(', '),
    )
    .join(' : ');

/** What is wrong, in French. @param {string} fault */
export function inFrench(fault) {
  const found = /^(?:(.*?): )?expected (.*?)(?:, found (.*))?$/su.exec(fault);
  if (found) {
    const [, place, expected, got] = found;
    return `${place ? `${where(place)} : ` : ''}attendu : ${phrase(expected)}${got === undefined ? '' : ` ; trouvé : ${phrase(got)}`}`;
  }
  const cut = fault.lastIndexOf(': ');
  const told = part(PHRASES, fault.slice(cut < 0 ? 0 : cut + 2));
  if (told === null) return fault;
  return cut < 0 ? told : `${where(fault.slice(0, cut))} : ${told}`;
}
