// Tables of crossword for pictures.

import type { GameUpdate, Json, Table } from '../../client';
import { GAME_ID, kalahTable } from '../stage';

export const crosswordListed = {
  game: 'crossword',
  version: 1,
  variants: ['english', 'russian', 'erudit', 'turkish'],
  seatsMin: 2,
  seatsMax: 4,
  robots: true,
  optionsSchema: {
    properties: {
      variant: { enum: ['english', 'russian', 'erudit', 'turkish'], default: 'english' },
      words: { enum: ['dictionary', 'any'], default: 'dictionary' },
      challenge: { enum: ['void', 'double'], default: 'void' },
    },
  },
};

const SIDE = 15;

/** A play: who, where, the tiles as they are sent, and the words with their points. */
export type Told = [seat: number, at: string, tiles: string, ...words: [string, number][]];

/** The board after some plays. */
export function boardAfter(plays: Told[]): string[] {
  const rows = Array.from({ length: SIDE }, () => Array<string>(SIDE).fill('.'));
  for (const [, at, tiles] of plays) {
    const isAcross = /^\d/.test(at);
    const column = (isAcross ? at.at(-1)! : at[0]!).charCodeAt(0) - 65;
    const row = Number(isAcross ? at.slice(0, -1) : at.slice(1)) - 1;
    [...tiles].forEach((tile, k) => {
      if (tile !== '.') {
        rows[row + (isAcross ? 0 : k)]![column + (isAcross ? k : 0)] = tile;
      }
    });
  }
  return rows.map((row) => row.join(''));
}

export const ENGLISH: Told[] = [
  [0, '8D', 'GARDEN', ['GARDEN', 18]],
  [1, 'H6', 'BR.EZE', ['BREEZE', 24]],
  [0, 'E6', 'PL.NeT', ['PLANeT', 14]],
  [1, '11E', '.RU.', ['TRUE', 4]],
  [0, 'G11', '.SED', ['USED', 8]],
  [1, '14E', 'MO.E', ['MODE', 14]],
];
const LAST: Told = [1, '6B', 'QUI.', ['QUIP', 30]];

export const RUSSIAN: Told[] = [
  [0, '8F', 'ЗАВТРА', ['ЗАВТРА', 26]],
  [1, 'G7', 'Ч.СТЬ', ['ЧАСТЬ', 22]],
  [2, 'K8', '.ЛЬБоМ', ['АЛЬБоМ', 24]],
  [3, '12J', 'Д.ЖДЬ', ['ДоЖДЬ', 19]],
];

export const TURKISH: Told[] = [
  [0, '8E', 'IŞIKLI', ['IŞIKLI', 30]],
  [1, 'H7', 'İ.İZ', ['İKİZ', 8]],
  [0, 'J8', '.ĞDIR', ['IĞDIR', 18]],
];

/** Moves as the server tells them. */
export function toldMoves(plays: Told[], seats = 2): GameUpdate[] {
  return plays.map(([seat, at, tiles, ...words], k): GameUpdate => ({
    gameId: GAME_ID,
    revision: k + 1,
    number: k + 1,
    seat,
    move: { play: { at, tiles } },
    annotations: {
      words: words.map(([word, score]) => ({ word, score })),
      points: Array.from({ length: seats }, (_, other) => (other === seat ? words.reduce((sum, [, score]) => sum + score, 0) : 0)),
      drew: Array<number>(seats).fill(0),
    },
    drew: true,
    view: view(boardAfter(plays.slice(0, k + 1)), seats),
    toMove: [(seat + 1) % seats],
    viewHash: '',
  }));
}

function view(board: string[], seats: number, given: object = {}): Json {
  const racks = Array<number>(seats).fill(7);
  const lying = board.join('').replaceAll('.', '').length;
  return { board, racks, scores: Array<number>(seats).fill(0), bag: 100 - lying - 7 * seats, ...given } as unknown as Json;
}

/** The plays of the English table, newest last. */
export const english: Told[] = [...ENGLISH, LAST];

/** A table of crossword after some plays, with what is given put in the place of table and view. */
export function crosswordTable(plays: Told[], given: Partial<Table> = {}, shown: object = {}): Table {
  const seats = given.seats?.length ?? 2;
  const scores = Array.from({ length: seats }, (_, seat) =>
    plays.filter(([by]) => by === seat).reduce((sum, [, , , ...words]) => sum + words.reduce((all, [, score]) => all + score, 0), 0),
  );
  return kalahTable({
    game: 'crossword',
    variant: 'english',
    options: { variant: 'english', words: 'dictionary', challenge: 'void', dictionary: { name: 'scowl-80', sha256: '0'.repeat(64) } },
    revision: plays.length,
    legalMoves: [],
    toMove: [0],
    view: view(boardAfter(plays), seats, { rack: '?AEINRS', scores, ...shown }),
    ...given,
  });
}

/** Four people, one of them with a long name. */
export const four = ['Ada', 'Бенедикт Константинопольский', 'Chloë', 'Robot 3'].map((name, seat) => ({
  seat,
  name,
  robot: seat === 3,
  online: true,
  empty: false,
}));
