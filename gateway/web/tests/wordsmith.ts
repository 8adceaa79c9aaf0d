// Somebody who plays crossword: reads board and rack from the page, finds a play among a few words, and lays it by
// mouse, by touch or by keyboard.

import type { Page } from 'playwright-core';
import { RUSSIAN_KEYS } from './words';

const SIDE = 15;
const CENTRE = 112;

/** A tile to lay: `face` is what it is on the rack, `?` for a blank. */
export interface Lay {
  square: number;
  letter: string;
  face: string;
}

/** What somebody sees of a table. */
export interface Sight {
  /** Capital letters by square; empty ones are ''. */
  board: string[];
  rack: string[];
}

/** Reads the page. */
export async function see(page: Page): Promise<Sight> {
  const board = await page.locator('[data-square]').evaluateAll((squares) => squares.map((square) => square.querySelector('.letter')?.textContent ?? ''));
  const rack = await page.locator('[data-testid="rack"] [data-face]').evaluateAll((tiles) => tiles.map((tile) => (tile as HTMLElement).dataset['face']!));
  return { board, rack };
}

/** Every play of some words; those that use a blank only where that is wanted. */
export function plays({ board, rack }: Sight, words: readonly string[], isBlankWanted: boolean): Lay[][] {
  const known = new Set(words);
  const isFirst = board.every((letter) => letter === '');
  const found: Lay[][] = [];
  for (const step of [1, SIDE]) {
    for (let square = 0; square < SIDE * SIDE; square += 1) {
      const place = step === 1 ? square % SIDE : Math.floor(square / SIDE);
      for (const word of words) {
        const squares = [...word].map((_, k) => square + k * step);
        const isIn = place + word.length <= SIDE;
        const isApart = (place === 0 || !board[square - step]) && (place + word.length === SIDE || !board[square + word.length * step]);
        const lays = isIn && isApart ? fit(squares, word, board, rack, isBlankWanted) : undefined;
        if (!lays || lays.length === 0 || (isBlankWanted && !lays.some(({ face }) => face === '?'))) {
          continue;
        }
        const crossings = lays.map((lay) => crossing(lay, board, step));
        const isJoined = isFirst ? squares.includes(CENTRE) && lays.length > 1 : lays.length < word.length || crossings.some((one) => one.length > 1);
        if (isJoined && crossings.every((one) => one.length === 1 || known.has(one))) {
          found.push(lays);
        }
      }
    }
  }
  return found;
}

function fit(squares: number[], word: string, board: string[], rack: string[], isBlankWanted: boolean): Lay[] | undefined {
  const left = [...rack];
  const lays: Lay[] = [];
  for (const [k, letter] of [...word].entries()) {
    const square = squares[k]!;
    if (board[square]) {
      if (board[square] !== letter) {
        return undefined;
      }
      continue;
    }
    const face = [letter, ...(isBlankWanted ? ['?'] : [])].find((one) => left.includes(one));
    if (!face) {
      return undefined;
    }
    left.splice(left.indexOf(face), 1);
    lays.push({ square, letter, face });
  }
  return lays;
}

/** The word that a tile would form across its play. */
function crossing({ square, letter }: Lay, board: string[], step: number): string {
  const across = step === 1 ? SIDE : 1;
  const isOn = (place: number) => place >= 0 && place < SIDE * SIDE && (across === SIDE || Math.floor(place / SIDE) === Math.floor(square / SIDE));
  let word = letter;
  for (let place = square - across; isOn(place) && board[place]; place -= across) {
    word = board[place] + word;
  }
  for (let place = square + across; isOn(place) && board[place]; place += across) {
    word += board[place];
  }
  return word;
}

/** How tiles are laid; all of them lie there when it is done. */
export type Laying = (page: Page, lays: Lay[]) => Promise<void>;

const squareOf = (page: Page, square: number) => page.locator(`[data-square="${square}"]`);
const tileOf = (page: Page, face: string) => page.locator(`[data-testid="rack"] [data-face="${face}"]`).first();

const lies = (page: Page, { square }: Lay) => squareOf(page, square).locator('.letter').waitFor();

async function pickLetter(page: Page, { face, letter }: Lay): Promise<void> {
  if (face === '?') {
    await page.locator('[data-testid="blank-picker"]').getByRole('button', { name: letter, exact: true }).click();
  }
}

/** Each tile is dragged to its square. */
export const byDragging: Laying = async (page, lays) => {
  for (const lay of lays) {
    const [from, to] = await Promise.all([tileOf(page, lay.face).boundingBox(), squareOf(page, lay.square).boundingBox()]);
    await page.mouse.move(from!.x + from!.width / 2, from!.y + from!.height / 2);
    await page.mouse.down();
    await page.mouse.move(to!.x + to!.width / 2, to!.y + to!.height / 2, { steps: 4 });
    await page.mouse.up();
    await pickLetter(page, lay);
    await lies(page, lay);
  }
};

/** A tap on the tile, another on the square. */
export const byTapping: Laying = async (page, lays) => {
  for (const lay of lays) {
    await tileOf(page, lay.face).tap();
    await squareOf(page, lay.square).tap();
    await pickLetter(page, lay);
    await lies(page, lay);
  }
};

/** Letters are typed on the board, a blank with Shift; the arrow keys lead to the first square. */
export const byTyping: Laying = async (page, lays) => {
  const grid = page.locator('[role="gridcell"][tabindex="0"]');
  await grid.focus();
  const [first] = lays as [Lay];
  const isDown = lays.length > 1 && (lays[1]!.square - first.square) % SIDE === 0;
  const here = async () => Number(await page.locator('[data-square]:focus').getAttribute('data-square'));
  const from = await here();
  const [rows, columns] = [Math.floor(first.square / SIDE) - Math.floor(from / SIDE), (first.square % SIDE) - (from % SIDE)];
  for (const [key, presses] of [[rows < 0 ? 'ArrowUp' : 'ArrowDown', rows], [columns < 0 ? 'ArrowLeft' : 'ArrowRight', columns]] as const) {
    for (let k = 0; k < Math.abs(presses); k += 1) {
      await page.keyboard.press(key);
    }
  }
  if (isDown !== (await page.locator('.way.down').count()) > 0) {
    await page.keyboard.press('Space');
  }
  for (const { letter, face } of lays) {
    const key = RUSSIAN_KEYS[letter] ?? `Key${letter}`;
    await page.keyboard.press(face === '?' ? `Shift+${key}` : key);
  }
  await Promise.all(lays.map((lay) => lies(page, lay)));
};
