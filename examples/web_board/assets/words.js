// What the page says, in two languages. A word is a text, or a function of what it tells.

const en = {
  language: 'Language: English. Passer au français', theme: 'Dark or light', help: 'Help and keys',
  new_game: 'New game', board: 'Board', game: 'Game', players: 'Players', moves: 'Moves played', pv: 'Best line',
  back: 'Take back', forward: 'Forward', pass: 'Pass', hint: 'Hint', move_now: 'Move now', pause: 'Pause',
  resume: 'Go on', swap: 'Swap sides', copy: 'Copy', paste: 'Paste', close: 'Close', cancel: 'Cancel', start: 'Start',
  movetime: 'Time for a move', pace: 'Pause between two engines', thinking: 'The engine’s thoughts', analysis: 'Analyse',
  show_pv: 'Draw the line', score: 'Score', depth: 'Depth', nodes: 'Nodes', nps: 'Nodes a second',
  graph: 'The game so far', human: 'Person', engine: 'griot', level: 'Level', full: 'full strength',
  to_move: (side) => `${side} to move.`, your_move: (side) => `${side} to move: your move.`,
  thinks: (side) => `${side} to move: griot thinks…`, hinting: 'griot looks for a hint…', analysing: 'griot analyses…',
  paused: (side) => `${side} to move. Play a move, or let the game go on.`,
  p1win: (first) => `${first} wins.`, p2win: (_, second) => `${second} wins.`, draw: 'A draw.',
  resting: (minutes) => `The engine was ended after ${minutes} minutes without a command. The game is kept: go on.`,
  failed: 'The engine does not run. “Go on” tries again.', no_seat: 'Every engine is busy with another visitor. “Go on” tries again.',
  lost: 'The server does not answer. Trying again…', about: (name) => `${name} behind a page that knows it by its protocol alone.`,
  plays: (side, move) => `${side} plays ${move}.`, passes: (side) => `${side} passes.`,
  sows: (side, house, n) => `${side} sows ${house}: ${n} ${n === 1 ? 'seed' : 'seeds'}.`,
  captures: (n) => `Captures ${n}.`, takes: (side, n, heap) => `${side} takes ${n} from heap ${heap}.`,
  turns: (n) => `Turns ${n}.`, hint_is: (move) => `Hint: ${move}.`, copied: 'Copied.', taken_back: (n) => `Back to move ${n}.`,
  stands: (side, by) => `${side} stands better: ${by}`, even: 'Even', wins_in: (side, n) => `${side} wins in ${n}`,
  empty: 'empty', playable: 'you can play here', last: 'last move', heap: (letter, n) => `heap ${letter}, ${n} matches`,
  house: (letter, side, n) => `house ${letter} of ${side}, ${n} ${n === 1 ? 'seed' : 'seeds'}`, column: (letter) => `column ${letter}`,
  take: (n, letter) => `take ${n} from heap ${letter}`, store: (side, n) => `${side} has captured ${n}`,
  graph_is: (n) => `Score after each of ${n} moves`, move_n: (n, move) => `Move ${n}: ${move}`,
  south: 'South', north: 'North', x: 'X', o: 'O', black: 'Black', white: 'White', red: 'Red', yellow: 'Yellow',
  player1: 'Player 1', player2: 'Player 2',
  awale: 'Awalé', tictactoe: 'Tic-tac-toe', mnk: 'K in a row', gomoku: 'Gomoku', connect4: 'Connect Four', othello: 'Othello', nim: 'Nim',
  variant: 'Rules', abapa: 'tournaments (abapa)', awari: 'as it was solved (awari)', tipe: 'French exam (tipe)', mini: 'small board (mini)',
  columns: 'Columns', rows: 'Rows', in_a_row: 'In a row', exact: 'Exactly so many', five_exact: 'exactly five', five_free: 'five or more',
  heaps: 'Heaps', take_most: 'Take at most', any: 'any number', last_loses: 'The last match loses', last_wins: 'The last match wins', goal: 'Goal',
  you: 'Who plays', you_first: 'I begin', you_second: 'griot begins', two_people: 'Two people', two_engines: 'griot against itself',
  heaps_rule: 'Numbers with hyphens between them, like 3-4-5', in_row: (k) => `${k} in a row`,
  paste_title: 'Paste a position', paste_text: 'A board text, perhaps with moves, or game|board|moves', set_up: 'Set up',
  copy_title: 'Copy', copy_board: 'Position', copy_game: 'The whole game', copy_hint: 'The second line is what “griot analyse” reads.',
  help_title: 'Help', keys_on: 'Single keys do things',
  help_text: 'Click where the board glows, or walk over it with the arrow keys and press Enter. Taking back and the list of moves go to any position; a move from there begins another line, and “Go on” lets the engine play.',
  keys: [['← →', 'take back, forward'], ['h', 'hint'], ['s', 'move now'], ['p', 'pause, go on'], ['x', 'swap sides'], ['n', 'new game'], ['c v', 'copy, paste'], ['?', 'this help']],
  errors: {
    engine_restarted: (why) => `The engine ended (${why}). It was started again, and the game goes on.`,
    engine_failed: (why) => `The engine does not run: ${why}`, engine_says: (text) => `The engine says: ${text}`,
    full: 'Every engine is busy with another visitor. Try again in a while.', too_many_pages: 'This game is open in too many pages.',
    stale: 'The board has changed meanwhile.', over: 'The game is over.', not_your_turn: 'It is not your turn.', busy: 'The engine is thinking already.',
    nothing_to_stop: 'Nothing to stop.', illegal_move: (text) => `That is no legal move: ${text}`, too_long: 'The game is too long.',
    bad_game: (text) => `No name of a game: ${text}`, bad_move: (text) => `No move: ${text}`, bad_board: (text) => `No board text: ${text}`,
    bad_paste: (text) => `That cannot be read: ${text}`, bad_settings: (text) => `That cannot be set: ${text}`, too_fast: 'Too much at once.',
    too_many_matches: (text) => `Too many matches for this page: ${text}`, unreadable: (text) => `The server does not understand: ${text}`,
    unreachable: 'The server does not answer.', no_visitor: 'The server does not know this page any more. Load it again.',
  },
};

const fr = {
  language: 'Langue : français. Switch to English', theme: 'Sombre ou clair', help: 'Aide et touches',
  new_game: 'Nouvelle partie', board: 'Plateau', game: 'Partie', players: 'Joueurs', moves: 'Coups joués', pv: 'Meilleure suite',
  back: 'Reprendre', forward: 'Avancer', pass: 'Passer', hint: 'Conseil', move_now: 'Jouer vite', pause: 'Pause',
  resume: 'Continuer', swap: 'Changer de camp', copy: 'Copier', paste: 'Coller', close: 'Fermer', cancel: 'Annuler', start: 'Commencer',
  movetime: 'Temps par coup', pace: 'Pause entre deux moteurs', thinking: 'Ce que pense le moteur', analysis: 'Analyser',
  show_pv: 'Dessiner la suite', score: 'Score', depth: 'Profondeur', nodes: 'Nœuds', nps: 'Nœuds par seconde',
  graph: 'La partie', human: 'Personne', engine: 'griot', level: 'Niveau', full: 'pleine force',
  to_move: (side) => `Au trait : ${side}.`, your_move: (side) => `Au trait : ${side}. À vous de jouer.`,
  thinks: (side) => `Au trait : ${side}. griot réfléchit…`, hinting: 'griot cherche un conseil…', analysing: 'griot analyse…',
  paused: (side) => `Au trait : ${side}. Jouez un coup, ou continuez la partie.`,
  p1win: (first) => `${first} gagne.`, p2win: (_, second) => `${second} gagne.`, draw: 'Partie nulle.',
  resting: (minutes) => `Le moteur a été arrêté après ${minutes} minutes sans commande. La partie est gardée : continuez.`,
  failed: 'Le moteur ne tourne pas. « Continuer » essaie de nouveau.', no_seat: 'Tous les moteurs sont occupés. « Continuer » essaie de nouveau.',
  lost: 'Le serveur ne répond pas. Nouvel essai…', about: (name) => `${name}, derrière une page qui ne le connaît que par son protocole.`,
  plays: (side, move) => `${side} joue ${move}.`, passes: (side) => `${side} passe.`,
  sows: (side, house, n) => `${side} sème ${house} : ${n} ${n === 1 ? 'graine' : 'graines'}.`,
  captures: (n) => `Prise de ${n}.`, takes: (side, n, heap) => `${side} prend ${n} au tas ${heap}.`,
  turns: (n) => `Retourne ${n}.`, hint_is: (move) => `Conseil : ${move}.`, copied: 'Copié.', taken_back: (n) => `Retour au coup ${n}.`,
  stands: (side, by) => `Avantage ${side} : ${by}`, even: 'Égalité', wins_in: (side, n) => `${side} gagne en ${n}`,
  empty: 'vide', playable: 'vous pouvez jouer ici', last: 'dernier coup', heap: (letter, n) => `tas ${letter}, ${n} allumettes`,
  house: (letter, side, n) => `case ${letter} de ${side}, ${n} ${n === 1 ? 'graine' : 'graines'}`, column: (letter) => `colonne ${letter}`,
  take: (n, letter) => `prendre ${n} au tas ${letter}`, store: (side, n) => `${side} a pris ${n}`,
  graph_is: (n) => `Score après chacun des ${n} coups`, move_n: (n, move) => `Coup ${n} : ${move}`,
  south: 'Sud', north: 'Nord', x: 'X', o: 'O', black: 'Noir', white: 'Blanc', red: 'Rouge', yellow: 'Jaune',
  player1: 'Joueur 1', player2: 'Joueur 2',
  awale: 'Awalé', tictactoe: 'Morpion', mnk: 'K alignés', gomoku: 'Gomoku', connect4: 'Puissance 4', othello: 'Othello', nim: 'Nim',
  variant: 'Règles', abapa: 'tournois (abapa)', awari: 'celles de la résolution (awari)', tipe: 'épreuve TIPE (tipe)', mini: 'petit plateau (mini)',
  columns: 'Colonnes', rows: 'Lignes', in_a_row: 'À aligner', exact: 'Exactement autant', five_exact: 'exactement cinq', five_free: 'cinq ou plus',
  heaps: 'Tas', take_most: 'Prendre au plus', any: 'sans limite', last_loses: 'La dernière allumette perd', last_wins: 'La dernière allumette gagne', goal: 'But',
  you: 'Qui joue', you_first: 'Je commence', you_second: 'griot commence', two_people: 'Deux personnes', two_engines: 'griot contre lui-même',
  heaps_rule: 'Des nombres séparés par des tirets, comme 3-4-5', in_row: (k) => `${k} alignés`,
  paste_title: 'Coller une position', paste_text: 'Un plateau en texte, avec des coups si l’on veut, ou jeu|plateau|coups', set_up: 'Installer',
  copy_title: 'Copier', copy_board: 'La position', copy_game: 'Toute la partie', copy_hint: 'La seconde ligne est ce que lit « griot analyse ».',
  help_title: 'Aide', keys_on: 'Touches simples actives',
  help_text: 'Cliquez là où le plateau s’éclaire, ou parcourez-le avec les flèches et validez par Entrée. « Reprendre » et la liste des coups mènent à toute position ; un coup joué de là ouvre une autre suite, et « Continuer » laisse jouer le moteur.',
  keys: [['← →', 'reprendre, avancer'], ['h', 'conseil'], ['s', 'jouer vite'], ['p', 'pause, continuer'], ['x', 'changer de camp'], ['n', 'nouvelle partie'], ['c v', 'copier, coller'], ['?', 'cette aide']],
  errors: {
    engine_restarted: (why) => `Le moteur s’est arrêté (${why}). Il a été relancé, et la partie continue.`,
    engine_failed: (why) => `Le moteur ne tourne pas : ${why}`, engine_says: (text) => `Le moteur dit : ${text}`,
    full: 'Tous les moteurs sont occupés. Réessayez plus tard.', too_many_pages: 'Cette partie est ouverte dans trop de pages.',
    stale: 'Le plateau a changé entre-temps.', over: 'La partie est finie.', not_your_turn: 'Ce n’est pas votre tour.', busy: 'Le moteur réfléchit déjà.',
    nothing_to_stop: 'Rien à arrêter.', illegal_move: (text) => `Ce coup n’est pas permis : ${text}`, too_long: 'La partie est trop longue.',
    bad_game: (text) => `Pas un nom de jeu : ${text}`, bad_move: (text) => `Pas un coup : ${text}`, bad_board: (text) => `Pas un plateau : ${text}`,
    bad_paste: (text) => `Texte illisible : ${text}`, bad_settings: (text) => `Réglage impossible : ${text}`, too_fast: 'Trop de commandes à la fois.',
    too_many_matches: (text) => `Trop d’allumettes pour cette page : ${text}`, unreadable: (text) => `Le serveur ne comprend pas : ${text}`,
    unreachable: 'Le serveur ne répond pas.', no_visitor: 'Le serveur ne connaît plus cette page. Rechargez-la.',
  },
};

const dictionaries = { en, fr };

/** What is remembered from visit to visit; a browser may refuse to. */
export const memory = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, value); } catch { /* then it is not remembered */ } },
};

let chosen = memory.get('language') ?? (navigator.language.toLowerCase().startsWith('fr') ? 'fr' : 'en');
if (!dictionaries[chosen]) chosen = 'en';

export const language = () => chosen;

export function speak(name) {
  chosen = name;
  memory.set('language', name);
}

/** The words for `key`. */
export function t(key, ...told) {
  const words = dictionaries[chosen][key] ?? key;
  return typeof words === 'function' ? words(...told) : words;
}

/** The words for an error code. */
export function problem(code, detail) {
  const words = dictionaries[chosen].errors[code];
  if (!words) return detail ? `${code}: ${detail}` : code;
  return typeof words === 'function' ? words(detail) : words;
}

/** Puts the words of this language wherever the page has a place for them. */
export function translate(root) {
  root.querySelectorAll('[data-t]').forEach((node) => { node.textContent = t(node.dataset.t); });
  root.querySelectorAll('[data-l]').forEach((node) => { node.setAttribute('aria-label', t(node.dataset.l)); });
  root.querySelectorAll('[data-key]').forEach((node) => {
    const name = node.dataset.l ? `${t(node.dataset.l)} ` : '';
    node.title = `${name}(${node.dataset.key})`;
  });
}
