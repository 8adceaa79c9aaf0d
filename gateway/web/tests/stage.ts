// A stage for looks: the built page in front of a scripted server inside the browser, for what a real
// server shows only by luck (a draw of three rounds) or never twice the same. Behaviour is tested
// against the real server only.

import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Page, WebSocketRoute } from 'playwright-core';
import { crosswordListed } from './shots/crossword-tables';
import type { ClientFrame, Json, OpenGame, ServerFrame, Table } from '../client';

export const ORIGIN = 'http://localhost:9999';
const DIST = process.env['ASTRAGAL_DIST'] ?? join(import.meta.dirname, '../dist');
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** What the scripted server knows. */
export interface Scene {
  name?: string;
  tables?: Table[];
  openGames?: OpenGame[];
  liveTables?: Table[];
  log?: string;
  /** What other addresses below /v1 answer, as JSON text; with or without what follows a question mark. */
  http?: Record<string, string>;
  /** Answers by hand; true if it did. */
  answer?: (frame: ClientFrame, send: (frame: ServerFrame) => void) => boolean;
  /** Nothing answers at all. */
  isAway?: boolean;
}

/** The events of a page's socket, to be sent at will. */
export interface Stage {
  send(frame: ServerFrame): void;
  drop(): Promise<void>;
}

/** Sets the stage; go to any address at `ORIGIN` afterwards. */
export async function setStage(page: Page, scene: Scene): Promise<Stage> {
  let socket: WebSocketRoute | undefined;
  await page.route(`${ORIGIN}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    if (pathname.startsWith('/v1/')) {
      const { status, body } = answerHttp(scene, pathname, search);
      return scene.isAway ? route.abort() : route.fulfill({ status, contentType: 'application/json', body });
    }
    const file = extname(pathname) ? pathname : '/index.html';
    return route.fulfill({ contentType: TYPES[extname(file)] ?? 'text/plain', body: await readFile(join(DIST, file)) });
  });
  await page.routeWebSocket(`${ORIGIN.replace('http', 'ws')}/v1/ws`, (route) => {
    if (scene.isAway) {
      void route.close();
      return;
    }
    socket = route;
    route.onMessage((text) => {
      const frame = JSON.parse(String(text)) as ClientFrame;
      const send = (answer: ServerFrame) => route.send(JSON.stringify(answer));
      if (!scene.answer?.(frame, send)) {
        send({ replyTo: frame.id, ...answerFrame(scene, frame) });
      }
    });
  });
  return {
    send: (frame) => socket?.send(JSON.stringify(frame)),
    drop: async () => socket?.close(),
  };
}

function answerHttp({ name = 'Ada', log, liveTables = [], http = {} }: Scene, path: string, search: string): { status: number; body: string } {
  if (path === '/v1/guests') {
    const guest = { accountId: 'a', name, token: 't', expiresAt: '2036-01-01T00:00:00Z' };
    return { status: 201, body: JSON.stringify(guest) };
  }
  if (path === '/v1/sessions') {
    return { status: 401, body: '{"code":"UNAUTHENTICATED","message":"the name or the password is wrong"}' };
  }
  if (path === '/v1/tables') {
    return { status: 200, body: JSON.stringify({ tables: liveTables }) };
  }
  if (path === '/v1/games') {
    return { status: 200, body: JSON.stringify({ games: [kalahListed, crosswordListed] }) };
  }
  const given = http[path + search] ?? http[path];
  if (given !== undefined) {
    return { status: 200, body: given };
  }
  return log ? { status: 200, body: log } : { status: 404, body: '{"code":"NOT_FOUND","message":"there is no such game"}' };
}

function answerFrame({ name = 'Ada', tables = [], openGames = [] }: Scene, frame: ClientFrame): ServerFrame {
  if (frame.hello) {
    const mine = tables.filter(({ phase, yourSeat }) => phase !== 'over' && yourSeat !== undefined);
    return { welcome: { accountId: 'a', name, serverTime: new Date().toISOString(), tables: mine.map(timed), openGames: [], offers: [] } };
  }
  if (frame.watchOpenGames) {
    return { openGames: { games: openGames } };
  }
  if (frame.watch) {
    const table = tables.find(({ gameId }) => gameId === frame.watch?.gameId);
    if (!table) {
      return { error: { code: 'NOT_FOUND', message: 'there is no such game' } };
    }
    return frame.watch.sinceRevision === undefined ? { table: timed(table) } : { ack: { gameId: table.gameId, revision: table.revision } };
  }
  if (frame.ping) {
    return { pong: { serverTime: new Date().toISOString() } };
  }
  return { ack: { gameId: '' } };
}

/** The table with its clocks as they are at this moment. */
function timed(table: Table): Table {
  return table.clock ? { ...table, clock: { ...table.clock, serverTime: new Date().toISOString() } } : table;
}

const kalahListed = {
  game: 'kalah',
  version: 1,
  variants: ['standard'],
  seatsMin: 2,
  seatsMax: 2,
  robots: true,
  optionsSchema: {
    properties: {
      seeds: { type: 'integer', minimum: 3, maximum: 6, default: 4 },
      capture: { $ref: '#/$defs/Capture', default: 'standard' },
    },
    $defs: { Capture: { oneOf: [{ const: 'standard' }, { const: 'empty' }] } },
  },
};

export const GAME_ID = '0193b0e8-0000-7000-8000-00000000abcd';

/** A table of kalah, with what is given put in its place. */
export function kalahTable(given: Partial<Table> = {}): Table {
  return {
    gameId: GAME_ID,
    game: 'kalah',
    variant: 'standard',
    version: 1,
    options: { seeds: 4, capture: 'standard' },
    seats: [
      { seat: 0, name: 'Ada', robot: false, online: true, empty: false },
      { seat: 1, name: 'Ben', robot: false, online: true, empty: false },
    ],
    yourSeat: 0,
    firstSeat: 0,
    revision: 12,
    phase: 'playing',
    toMove: [0],
    view: { pits: [[0, 1, 7, 2, 13, 3], [4, 0, 2, 6, 1, 0]], stores: [14, 9] } as unknown as Json,
    legalMoves: [2, 3, 4, 5, 6].map((pit) => ({ pit })),
    commitment: '9c4b1f0e2d7a6c5539e80b1d4f2a7713c6d5e8f90a1b2c3d4e5f60718293a4b5',
    draw: draw([[['E', 4], ['K', 10]]], 0),
    series: { id: 's', games: [] },
    startedAt: '2026-11-29T20:00:00Z',
    ...given,
  };
}

/** A draw of two, from its rounds of letters and ranks. */
export function draw(rounds: [string, number][][], winner: number): NonNullable<Table['draw']> {
  return {
    rounds: rounds.map((tiles) => ({
      picks: tiles.map(([letter, rank], participant) => ({
        participant,
        seat: participant === winner ? 0 : 1,
        letter,
        blank: letter === '',
        rank,
        recorded: false,
      })),
    })),
    winner,
    tileSet: 'english',
  };
}
