// The types of what the server says and of what the page shares. The server's side is `visitor.rs`, the pictures are protocol.md's.

declare type Score = { cp: number; mate?: undefined } | { mate: number; cp?: undefined };
declare type Result = 'p1win' | 'p2win' | 'draw';
declare type Player = { kind: 'human' } | { kind: 'engine'; level: number };
declare type Settings = { players: [Player, Player]; movetime: number; pace: number; analysis: boolean; lines: number; depth: number; threat: boolean; explore: boolean };
declare type Point = [number, number];
declare type Stroke = { move: string; name?: string; from?: Point; to?: Point; via?: Point[]; ways?: Point[][]; takes?: Point[]; becomes?: string };
declare type Line = { pv: string[]; names?: string[]; score: Score; depth: number; seldepth?: number; nodes: number; nps: number; tbhits?: number };
declare type Judgement = { pv: string[]; names?: string[]; score: Score; depth: number };
/** What the moves of a position are worth; settled by the rules or by endgame tables, or by a search. */
declare type Worth = { settled: boolean; moves: { move: string; score: Score; depth: number }[] };
declare type Thinking = { at: number; purpose: string; info: Line; lines: Line[] };
declare type Piece = { owner: 'first' | 'second'; mark: string; kind?: string };
declare type Board =
  | { kind: 'grid'; columns: string[]; rows: string[]; from_top: boolean; falls: boolean; surface?: string; pieces?: string; set?: Piece[]; cells: (Piece | null)[]; dark?: boolean[]; labels?: (string | null)[] }
  | { kind: 'houses'; rows: { name: string; count: number }[][]; stores: [number, number] }
  | { kind: 'heaps'; heaps: { count: number }[]; last_wins: boolean }
  | { kind: 'text'; text: string };
declare type Picture = {
  turn?: 'first' | 'second';
  players: any;
  colors?: [string, string];
  board: any;
  counts: [number, number] | null;
  moves: Stroke[];
  last: Stroke | null;
  result?: unknown;
  check?: Point;
  /** What is the same in every position, of games that griot has. */
  game?: GameFacts & { clear_lead: number; certain?: number };
};
/** What a game is called: the key of its words, its title in English, what distinguishes it, and how many in a row win. */
declare type GameFacts = { key: string; title: string; details: { key?: string; title: string }[]; row?: number };
/** A set of puzzles that the server has, and the game that it is of. */
declare type PuzzleSet = { name: string; game: GameFacts };
declare type TreeNode = { id: number; parent: number; move: string; name?: string; comment?: string; before?: string; nags?: number[]; clock?: number };
declare type ReviewPlace = { node: number; move: string | null; name: string | null; first: boolean; result: Result | null; review: Judgement | null };
/** What the server puts before the service worker: a hash of the page's files, and their paths. */
declare const VERSION: string;
declare const FILES: string[];
/** What people call an opening: in chess with its code (ECO). */
declare type Opening = { code?: string; name: string };
declare type ClockState = { base: number; increment: number; left: [number, number]; running: 0 | 1 | null; at: number };
declare type ServerState = {
  n: number;
  round: number;
  game: string;
  start: string;
  moves: string[];
  names: (string | null)[];
  boards: string[];
  first: boolean[];
  results: (Result | null)[];
  scores: (Score | null)[];
  glances: (Score | null)[];
  reviews: (Judgement | null)[];
  nodes: number[];
  /** The names of the first positions of the line, of those that have one. */
  openings: (Opening | null)[];
  tree: TreeNode[];
  comment: string;
  about: { players: (string | null)[]; tags: [string, string][]; result: Result | null; ending: string | null; is_read: boolean };
  review: { limit: { by: string; value: number }; done: number; of: number; runs: boolean; line: ReviewPlace[] } | null;
  worth: Worth | null;
  book: Judgement | null;
  clock: ClockState | null;
  ended: 'time' | 'resignation' | 'agreement' | null;
  at: number;
  legal: string[];
  pictures: Record<number, Picture>;
  result: Result | null;
  settings: Settings;
  paused: boolean;
  doing: 'play' | 'hint' | 'analysis' | 'threat' | 'review' | null;
  hint: string | null;
  engine: 'ready' | 'resting' | 'full' | 'failed';
  name: string;
  idle: number;
};
declare type MenuField = { key: string; title: string; type: string; [more: string]: any };
/** A game of the menu, with the picture of a position of it where its engine has one. */
declare type MenuEntry = { key: string; title: string; name: string; fields: MenuField[] } & Partial<Pick<Picture, 'board' | 'players' | 'colors'>>;
/** A game as `griot convert --to json` writes it. */
declare type GameRecord = {
  game: string;
  start: string;
  moves: string[];
  result?: Result | null;
  ending?: string | null;
  players: (string | null)[];
  tags?: Record<string, string | string[]>;
  notes?: Record<string, unknown>;
  remarks?: string[];
  guessed?: string[] | null;
  format?: string;
  variations?: unknown[];
};
/** What a board is drawn by, read from a game's picture. */
declare type Spec = {
  name: string;
  kind: string;
  family: string;
  sides: [string, string] | string[];
  scale: number;
  /** The key of its words, and its title in English. */
  title: string;
  /** What distinguishes it from other games of that title. */
  details: { key?: string; title: string }[];
  colors?: [string, string];
  /** How cells and pieces look, as the picture says; empty where the board is no grid. */
  surface: string;
  pieces: string;
  /** Every piece that can stand on a cell. */
  set?: any;
  cols?: any;
  rows?: any;
  /** How many in a row win. */
  k?: number;
  /** Scores from here on are certain wins. */
  certain?: number;
};
/** How a board lies, and what it calls beside a move that is chosen. */
declare type BoardOptions = {
  tall: boolean;
  turned: boolean;
  refuse: (why: string | null) => void;
  aimed: (move: string) => void;
  several: (strokes: Stroke[]) => Promise<string | null>;
};
