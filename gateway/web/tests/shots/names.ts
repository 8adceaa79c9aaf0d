// The longest names that there can be, wherever a name stands.

import type { OpenGame, Table } from '../../client';
import { kalahTable, type Scene } from '../stage';
import { http } from './replay';
import { seriesOf } from './series';
import type { Shot } from './shot';

/** As many letters as a name may have, and as wide as they get. */
export const WIDEST = 'W'.repeat(32);
/** As long, in words. */
const LONG = 'Константин Вениаминович Щербаков';

/** A scene where everybody has such a name. */
export function longNames(given: Partial<Table> = {}): Scene {
  const table = kalahTable(given);
  const seats = table.seats.map((seat) => ({ ...seat, name: seat.seat === 0 ? WIDEST : LONG }));
  const open: OpenGame = { gameId: 'o', game: 'kalah', variant: 'standard', options: {}, seats: 2, seatsEmpty: 1, names: [WIDEST] };
  const live = { ...table, gameId: 'l', seats, yourSeat: undefined as never };
  return { name: WIDEST, tables: [{ ...table, seats }], openGames: [open, { ...open, gameId: 'p', names: [LONG] }], liveTables: [live], http };
}

const outcome = { results: ['lost', 'won'], winner: 1, reason: 'finished', scores: [20, 28] };
const clock = { remaining: ['187s', '291s'], running: 0, serverTime: new Date().toISOString() };
const path = '/';

export const nameShots: Record<string, Shot> = Object.fromEntries(
  ['en', 'tr', 'ru'].flatMap((tongue): [string, Shot][] => [
    [`names-lobby-${tongue}`, { path, scene: longNames(), tongue }],
    [`names-board-${tongue}`, { scene: longNames({ series: seriesOf(5), clock }), tongue }],
    [`names-over-${tongue}`, { scene: longNames({ phase: 'over', toMove: [], outcome, series: seriesOf(2), rematch: 'available' }), tongue }],
    [`names-account-${tongue}`, { path, scene: longNames(), tongue, act: (page) => page.locator('header .name').click() }],
  ]),
);
