// Tiles that are being laid: which words they form, what those score, and why they can't be played. The
// server decides; this tells it before anything is sent.

import { RACK, valueOf, type Edition } from './edition';
import { CENTRE, columnOf, crossing, rowOf, startName, step, type Direction } from './place';
import { EMPTY, type Play } from './view';

/** A tile on its square, as a character: a small letter is a blank. */
export interface Put {
  square: number;
  character: string;
}

/** Why tiles can't be played. */
export type Flaw = 'line' | 'gap' | 'apart' | 'centre' | 'single';

/** A word that would be formed. */
export interface LaidWord {
  text: string;
  score: number;
  squares: number[];
}

/** What the tiles come to. */
export interface Laying {
  flaw: Flaw | undefined;
  /** The word along the line first. */
  words: LaidWord[];
  bonus: number;
  total: number;
  /** What to send; none while there is a flaw. */
  play: Play | undefined;
}

/** Looks at tiles on a board; none if there are no tiles. */
export function look(board: readonly string[], puts: readonly Put[], edition: Edition): Laying | undefined {
  if (puts.length === 0) {
    return undefined;
  }
  const after = [...board];
  puts.forEach(({ square, character }) => (after[square] = character));
  const direction = directionOf(after, puts);
  if (!direction) {
    return flawed('line');
  }
  const along = runThrough(after, puts[0]!.square, direction);
  if (puts.some(({ square }) => !along.includes(square))) {
    return flawed('gap');
  }
  const isFirst = board.every((character) => character === EMPTY);
  const flaw = isFirst ? firstFlaw(puts) : puts.some(({ square }) => touches(board, square)) ? undefined : 'apart';

  const laid = new Set(puts.map(({ square }) => square));
  const across = puts.map(({ square }) => runThrough(after, square, crossing(direction)));
  const words = [along, ...across]
    .filter((squares) => squares.length > 1)
    .map((squares): LaidWord => ({
      text: squares.map((square) => after[square]).join(''),
      score: scoreOf(squares, after, laid, edition),
      squares,
    }));
  const bonus = puts.length === RACK ? edition.bonus : 0;
  const total = words.reduce((sum, { score }) => sum + score, bonus);
  const tiles = along.map((square) => (laid.has(square) ? after[square] : EMPTY)).join('');
  const play = { at: startName({ square: along[0]!, direction }), tiles };
  return { flaw, words, bonus, total, play: flaw ? undefined : play };
}

const flawed = (flaw: Flaw): Laying => ({ flaw, words: [], bonus: 0, total: 0, play: undefined });

/** Which way the tiles run; none if they are not in one line. */
function directionOf(after: readonly string[], puts: readonly Put[]): Direction | undefined {
  const first = puts[0]!.square;
  if (puts.length === 1) {
    return runThrough(after, first, 'across').length > 1 || runThrough(after, first, 'down').length === 1 ? 'across' : 'down';
  }
  if (puts.every(({ square }) => rowOf(square) === rowOf(first))) {
    return 'across';
  }
  return puts.every(({ square }) => columnOf(square) === columnOf(first)) ? 'down' : undefined;
}

function firstFlaw(puts: readonly Put[]): Flaw | undefined {
  if (!puts.some(({ square }) => square === CENTRE)) {
    return 'centre';
  }
  return puts.length === 1 ? 'single' : undefined;
}

function touches(board: readonly string[], square: number): boolean {
  return (['across', 'down'] as const).some((direction) =>
    [-1, 1].some((steps) => {
      const beside = step(square, direction, steps);
      return beside !== undefined && board[beside] !== EMPTY;
    }),
  );
}

/** The filled squares in a line around a filled one. */
export function runThrough(board: readonly string[], square: number, direction: Direction): number[] {
  const isFilled = (place: number | undefined): place is number => place !== undefined && board[place] !== EMPTY;
  let first = square;
  for (let before = step(first, direction, -1); isFilled(before); before = step(first, direction, -1)) {
    first = before;
  }
  const squares = [first];
  for (let next = step(first, direction); isFilled(next); next = step(next, direction)) {
    squares.push(next);
  }
  return squares;
}

/** The points of a word; the premiums count under tiles that were just laid. */
function scoreOf(squares: number[], after: readonly string[], laid: ReadonlySet<number>, edition: Edition): number {
  let sum = 0;
  let times = 1;
  for (const square of squares) {
    const value = valueOf(edition, after[square]!);
    const premium = laid.has(square) ? edition.premiums[square] : undefined;
    sum += value * (premium?.letter ?? 1);
    times *= premium?.word ?? 1;
  }
  return sum * times;
}
