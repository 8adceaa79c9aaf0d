// Rematches and series of games, in every state.

import type { Page } from 'playwright-core';
import type { Table } from '../../client';
import { GAME_ID, kalahTable, type Scene, type Stage } from '../stage';
import { http } from './replay';
import type { Shot } from './shot';

type SeriesGame = NonNullable<Table['series']>['games'][number];

/** Games with every way to end; the last ones first in a long series. */
const ENDED: [number | undefined, string, number[]][] = [
  [0, 'finished', [30, 18]], [1, 'time', [12, 20]], [undefined, 'finished', [24, 24]], [0, 'resigned', [9, 4]],
  [1, 'finished', [22, 26]], [0, 'finished', [41, 7]], [1, 'left', [3, 2]], [0, 'time', [25, 11]],
  [1, 'finished', [20, 28]], [0, 'finished', [27, 21]], [1, 'resigned', [8, 19]], [0, 'finished', [33, 15]],
];

/** A series that so many games were played of. */
export function seriesOf(games: number): NonNullable<Table['series']> {
  const list = ENDED.slice(0, games).map(([winner, reason, scores], k): SeriesGame => ({
    gameId: `0193b0e8-0000-7000-8000-00000000000${k.toString(16)}`,
    firstSeat: k % 2,
    reason,
    scores,
    ...(winner !== undefined && { winner }),
  }));
  return { id: 's', games: list };
}

const outcome = { results: ['lost', 'won'], winner: 1, reason: 'finished', scores: [20, 28] };
const view = { pits: [Array(6).fill(0), Array(6).fill(0)], stores: [20, 28] };
const over = kalahTable({ phase: 'over', toMove: [], outcome, view, series: { id: 's', games: [] }, rematch: 'available' });
const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

/** A table where a rematch is answered with a deadline. */
export function ended(given: Partial<Table> = {}): Scene {
  return {
    tables: [{ ...over, ...given }],
    http,
    answer: (frame, send) => {
      if (frame.rematch) {
        send({ replyTo: frame.id, ack: { gameId: GAME_ID, expiresAt: soon(60) } });
      }
      return !!frame.rematch;
    },
  };
}

const ask = async (page: Page) => {
  await page.getByTestId('result').getByRole('button', { name: /Rematch|Реванш/ }).click();
  await page.getByTestId('countdown').waitFor();
};
const request = async (page: Page, stage: Stage) => {
  stage.send({ onRematchRequest: { gameId: GAME_ID, fromSeat: 1, expiresAt: soon(42) } });
  await page.getByTestId('game-over').waitFor();
};
const end = (reason: string, from: (page: Page, stage: Stage) => Promise<void>) => async (page: Page, stage: Stage) => {
  await from(page, stage);
  stage.send({ onRematchEnded: { gameId: GAME_ID, reason } });
  await page.locator('[data-offer="ended"]').first().waitFor();
};
const robot = over.seats.map((seat) => (seat.seat === 1 ? { ...seat, name: 'Robot 3', robot: true } : seat));
const long = over.seats.map((seat) => (seat.seat === 1 ? { ...seat, name: 'Bartholomew the Unreasonably Long' } : seat));

/** A table in the middle of a game, after so many others. */
const playing = (games: number, given: Partial<Table> = {}): Shot => ({
  scene: { tables: [kalahTable({ series: seriesOf(games), firstSeat: games % 2, ...given })] },
});

export const seriesShots: Record<string, Shot> = {
  'rematch-available': { scene: ended({ series: seriesOf(2) }) },
  'rematch-waiting': { scene: ended(), act: ask },
  'rematch-requested': { scene: ended({ series: seriesOf(4) }), act: request },
  'rematch-requested-long': { scene: ended({ seats: long }), act: request },
  'rematch-declined': { scene: ended(), act: end('declined', ask) },
  'rematch-expired': { scene: ended(), act: end('expired', request) },
  'rematch-robot': { scene: ended({ seats: robot }) },
  'rematch-match-over': { scene: ended({ series: seriesOf(2), match: { bestOf: 3 }, outcome: { ...outcome, results: ['won', 'lost'], winner: 0, scores: [28, 20] } }), act: request },
  'rematch-watched': { scene: ended({ yourSeat: undefined as never, series: seriesOf(2) }) },
  'rematch-elsewhere': {
    path: '/',
    scene: ended(),
    act: async (page, stage) => {
      stage.send({ onRematchRequest: { gameId: GAME_ID, fromSeat: 1, expiresAt: soon(42) } });
      await page.getByTestId('request-note').waitFor();
    },
  },
  ...Object.fromEntries(
    ['tr', 'ru'].flatMap((tongue): [string, Shot][] => [
      [`rematch-requested-${tongue}`, { scene: ended({ series: seriesOf(4) }), tongue, act: request }],
      [`strip-12-${tongue}`, { ...playing(11), tongue }],
    ]),
  ),
  'strip-2': playing(1),
  'strip-8': playing(7),
  'strip-9': playing(8, { yourSeat: 1, toMove: [1] }),
  'strip-12': playing(11),
  'strip-match': playing(3, { match: { bestOf: 5 } }),
  'strip-watched': playing(5, { yourSeat: undefined as never }),
};
