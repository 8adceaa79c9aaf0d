// Finished games that are looked at again.

import type { Json, Table } from '../../client';
import { GAME_ID, kalahTable } from '../stage';
import type { Shot } from './shot';

/** Kalah in a few lines, so that the steps are real ones; the game of the picture has no captures. */
function sow({ pits, stores }: { pits: number[][]; stores: number[] }, seat: number, pit: number) {
  const board = [...pits[0]!, stores[0]!, ...pits[1]!, stores[1]!];
  let place = seat * 7 + pit - 1;
  let seeds = board[place]!;
  board[place] = 0;
  while (seeds > 0) {
    place = (place + 1) % 14;
    if (place !== (1 - seat) * 7 + 6) {
      board[place]! += 1;
      seeds -= 1;
    }
  }
  return { pits: [board.slice(0, 6), board.slice(7, 13)], stores: [board[6]!, board[13]!] };
}

const MOVES: [number, number][] = [[0, 3], [0, 6], [1, 2], [1, 5], [0, 1], [1, 1], [0, 2], [0, 4]];

/** The timeline of that game, as the server writes it. */
export function timeline(): string {
  let view = { pits: [Array<number>(6).fill(4), Array<number>(6).fill(4)], stores: [0, 0] };
  const common = { drew: false, stateHash: '', takenBack: 0 };
  const lines: object[] = [
    { gameId: GAME_ID, game: 'kalah', version: 1, seats: 2, firstSeat: 0, moves: MOVES.length, revision: MOVES.length, over: true },
    { ...common, number: 0, move: null, annotations: {}, view, toMove: [0] },
  ];
  MOVES.forEach(([seat, pit], k) => {
    view = sow(view, seat, pit);
    const annotations = { captured: 0, again: MOVES[k + 1]?.[0] === seat };
    lines.push({ ...common, number: k + 1, seat, move: { pit }, annotations, view, toMove: [MOVES[k + 1]?.[0] ?? 0] });
  });
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

const outcome = { results: ['won', 'lost'], winner: 0, reason: 'resigned', scores: [31, 17] };
const view = { pits: [Array(6).fill(0), Array(6).fill(0)], stores: [31, 17] } as unknown as Json;
export const ended = kalahTable({ phase: 'over', toMove: [], outcome, view });
export const http = { [`/v1/tables/${GAME_ID}/timeline`]: timeline() };

const opponents = ['Ben', 'Kōbō Abe', 'مريم بنت يوسف', 'Robot 3', 'Bartholomew the Unreasonably Long-Winded'];
const past: Table[] = opponents.map((name, k) => ({
  ...ended,
  gameId: `p${k}`,
  startedAt: `2026-11-${29 - k}T1${k}:15:00Z`,
  seats: [ended.seats[0]!, { ...ended.seats[1]!, name }],
  outcome: k % 3 === 1 ? { ...outcome, results: ['lost', 'won'], winner: 1, scores: [17, 31] } : outcome,
}));

export const replayShots: Record<string, Shot> = {
  'replay-secret': { path: `/game/${GAME_ID}?step=0`, scene: { tables: [ended], http }, act: (page) => page.locator('[data-at="0"]').waitFor() },
  'replay-middle': { path: `/game/${GAME_ID}?step=5`, scene: { tables: [ended], http }, act: (page) => page.locator('[data-at="5"]').waitFor() },
  'replay-end': { scene: { tables: [ended], http }, act: (page) => page.locator('[data-last]').waitFor() },
  past: {
    path: '/games',
    scene: { http: { '/v1/me/tables': JSON.stringify({ tables: [{ ...kalahTable(), gameId: 'l' }, ...past] }) } },
    act: (page) => page.getByTestId('past').locator('li').first().waitFor(),
  },
};
