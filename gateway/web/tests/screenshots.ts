// Pictures of every state, for people to look at: `npm run screenshots`, into `screenshots/`.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { GameUpdate, Json, OpenGame, Table } from '../client';
import { openBrowser } from './house';
import { crosswordShots } from './shots/crossword';
import { lobbyShots } from './shots/lobby';
import { nameShots } from './shots/names';
import { http, replayShots } from './shots/replay';
import { seriesShots } from './shots/series';
import type { Shot } from './shots/shot';
import { draw, GAME_ID, kalahTable, ORIGIN, setStage, type Scene } from './stage';

const FOLDER = join(import.meta.dirname, '../screenshots');
const GAME = `/game/${GAME_ID}`;
let browser: Browser;

beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true });
  browser = await openBrowser();
});

afterAll(() => browser?.close());

const seed = '5f'.repeat(32);
const seal = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex');
const playing = kalahTable({ commitment: seal });
const empty = { seat: 1, name: '', robot: false, online: false, empty: true };
const waiting = kalahTable({ phase: 'waiting', revision: 0, seats: [playing.seats[0]!, empty], view: opening(), legalMoves: [1, 2, 3, 4, 5, 6].map((pit) => ({ pit })) });
const outcome = { results: ['won', 'lost'], winner: 0, reason: 'finished', scores: [31, 17] };
const over: Table = { ...playing, phase: 'over', toMove: [], outcome, view: { pits: [Array(6).fill(0), Array(6).fill(0)], stores: [31, 17] } };
const openGames: OpenGame[] = [
  ['Grace', {}],
  ['Kōbō Abe', { seeds: 6 }],
  ['مريم بنت يوسف', {}],
].map(([name, options], k) => ({
  gameId: `g${k}`,
  game: 'kalah',
  variant: 'standard',
  options: { seeds: 4, capture: 'standard', ...(options as object) } as Json,
  seats: 2,
  seatsEmpty: 1,
  names: [name as string],
}));
const made: [number, number, object][] = [
  [0, 3, { again: true }], [0, 6, {}], [1, 2, { again: true }], [1, 5, {}], [0, 1, {}], [1, 1, { captured: 6 }],
  [0, 2, { again: true }], [0, 5, {}], [1, 4, {}], [0, 4, { captured: 3 }], [1, 6, {}],
];
const updates = made.map(([seat, pit, notes], k): GameUpdate => ({
  gameId: GAME_ID,
  revision: k + 2,
  number: k + 1,
  seat,
  move: { pit },
  annotations: { captured: 0, again: false, ...notes },
  drew: false,
  view: k === made.length - 2 ? { pits: [[0, 1, 7, 2, 12, 3], [3, 0, 2, 6, 1, 3]], stores: [14, 8] } : playing.view!,
  toMove: [0],
  viewHash: '',
}));
const log = JSON.stringify({
  seed,
  seats: [{ kind: 'player' }, { kind: 'player' }],
  moves: made.map(([seat, pit], k) => ({ number: k + 1, seat, move: { pit }, drew: false })),
});

function opening(): Json {
  return { pits: [Array(6).fill(4), Array(6).fill(4)], stores: [0, 0] };
}

/** How long seeds have been on their way in the picture of a move. */
const SOWING_MS = 620;

/** In the page: whatever begins to move from now on stands still at one instant, however slow the machine is. */
function stopAnimations(instant: number): void {
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    const animation = animate.apply(this, given);
    if (Number(animation.effect?.getComputedTiming().endTime) > instant) {
      animation.pause();
      animation.currentTime = instant;
    } else {
      animation.finish();
    }
    return animation;
  };
}

/** A scene at a table, with its moves told when asked for. */
function at(table: Table, given: Scene = {}): Scene {
  return {
    tables: [table],
    log,
    http,
    answer: (frame, send) => {
      if (frame.watch?.sinceRevision !== 0 || table.revision === 0) {
        return false;
      }
      send({ replyTo: frame.id, ack: { gameId: GAME_ID, revision: table.revision } });
      updates.forEach((onGameUpdate) => send({ onGameUpdate }));
      return true;
    },
    ...given,
  };
}

/** Clocks with so many seconds left, running for a seat. */
function clocks(one: number, other: number, running = 0): Partial<Table> {
  return { clock: { remaining: [`${one}s`, `${other}s`], running, serverTime: new Date().toISOString() } };
}

const liveTables: Table[] = [
  { names: ['Grace', 'Robot 3'], viewers: 0 },
  { names: ['Kōbō Abe', 'مريم بنت يوسف'], viewers: 1, timeControl: { initial: '180s', increment: '2s' } },
  { names: ['Bartholomew the Unreasonably Long-Winded', 'Ada'], viewers: 27, timeControl: { perMove: '86400s' } },
].map(({ names, ...given }, k) => ({
  ...playing,
  ...given,
  gameId: `l${k}`,
  seats: names.map((name, seat) => ({ seat, name, robot: false, online: true, empty: false })),
}));

const shots: Record<string, Shot> = {
  lobby: { path: '/', scene: { openGames } },
  'lobby-games': { path: '/', scene: { openGames: [], tables: [playing, { ...waiting, gameId: 'w' }] } },
  'lobby-live': { path: '/', scene: { openGames, liveTables } },
  'lobby-rules': {
    path: '/',
    scene: { openGames },
    act: async (page) => {
      await page.getByText('Rules of this game').click();
      await page.getByRole('button', { name: 'Change name' }).click();
    },
  },
  settings: { path: '/', act: (page) => page.getByRole('button', { name: 'Settings' }).click() },
  waiting: { scene: at(waiting) },
  'draw-going-on': { scene: at({ ...playing, revision: 0, view: opening() }), isDrawSeen: false, act: (page) => page.locator('[data-testid="draw"][data-open="1"]').waitFor() },
  'draw-one-round': { scene: at({ ...playing, revision: 0, view: opening() }), isDrawSeen: false, act: (page) => page.getByRole('button', { name: 'Skip' }).click() },
  'draw-three-rounds': {
    scene: at({ ...playing, revision: 0, view: opening(), draw: draw([[['E', 4], ['E', 4]], [['', -1], ['', -1]], [['T', 19], ['C', 2]]], 1) }),
    isDrawSeen: false,
    act: (page) => page.getByRole('button', { name: 'Skip' }).click(),
  },
  board: { scene: at(playing) },
  'board-clocks': { scene: at({ ...playing, ...clocks(187.4, 291) }) },
  'board-clock-low': { scene: at({ ...playing, ...clocks(7.4, 3_723) }), act: (page) => page.waitForTimeout(300) },
  'board-clock-days': { scene: at({ ...playing, ...clocks(273_600, 518_400) }) },
  'board-opponent-away': {
    scene: at({ ...playing, ...clocks(187.4, 291, 1), toMove: [1], seats: playing.seats.map((seat) => ({ ...seat, online: seat.seat === 0 })), viewers: 12 }),
  },
  'board-taken-back': {
    scene: at({ ...playing, revision: 13 }),
    act: async (page, stage) => {
      stage.send({ onGameUpdate: { ...updates.at(-1)!, revision: 13, undone: true } });
      await page.locator('s').waitFor();
    },
  },
  'board-hover': { scene: at(playing), act: (page) => page.locator('[data-pit="3"]').hover() },
  'board-focus': {
    scene: at(playing),
    act: async (page) => {
      await page.locator('[data-pit="5"]').focus();
      await page.keyboard.press('ArrowLeft');
    },
  },
  'board-sowing': {
    scene: at({ ...playing, toMove: [1] }),
    act: async (page, stage) => {
      await page.getByTestId('board').waitFor();
      await page.evaluate(stopAnimations, SOWING_MS);
      const view = { pits: [[1, 2, 8, 3, 14, 4], [4, 0, 2, 0, 2, 1]], stores: [14, 10] };
      stage.send({ onGameUpdate: { ...updates[0]!, revision: 13, number: 12, seat: 1, move: { pit: 4 }, annotations: { captured: 0, again: false }, view } });
      await page.waitForFunction(() => document.getAnimations().some(({ playState }) => playState === 'paused'));
    },
  },
  'board-full': { scene: at({ ...playing, view: { pits: [[21, 3, 9, 11, 0, 1], [8, 10, 5, 6, 12, 2]], stores: [38, 26] } }) },
  watching: { scene: at({ ...playing, yourSeat: undefined as never }) },
  question: { scene: at(playing), act: (page) => page.getByRole('button', { name: 'Resign' }).click() },
  'game-over': {
    scene: at(playing),
    act: async (page, stage) => {
      stage.send({ onGameEnd: { gameId: GAME_ID, revision: 12, outcome } });
      await page.locator('[data-testid="game-over"]').waitFor();
    },
  },
  'result-lost': { scene: at({ ...over, outcome: { ...outcome, results: ['lost', 'won'], winner: 1, scores: [17, 31] } }) },
  check: {
    scene: at(over),
    act: async (page) => {
      await page.getByRole('button', { name: 'Check this game' }).click();
      await page.locator('[data-testid="verdict"]').waitFor();
    },
  },
  'check-bad': {
    scene: at({ ...over, commitment: 'ab'.repeat(32) }),
    act: async (page) => {
      await page.getByRole('button', { name: 'Check this game' }).click();
      await page.locator('[data-testid="verdict"]').waitFor();
    },
  },
  'no-such-game': { scene: {} },
  invitation: { scene: { answer: (frame, send) => !!frame.watch && (send({ replyTo: frame.id, error: { code: 'PERMISSION_DENIED', message: 'waits' } }), true) } },
  away: { path: '/', scene: { isAway: true }, act: (page) => page.locator('[data-testid="message"]').waitFor() },
  'connection-lost': {
    scene: at(playing),
    act: async (page, stage) => {
      await stage.drop();
      await page.locator('[data-testid="connection-lost"]').waitFor();
    },
  },
  'pass-has-run-out': {
    path: '/',
    scene: { answer: (frame, send) => !!frame.hello && (send({ replyTo: frame.id, error: { code: 'UNAUTHENTICATED', message: 'expired' } }), true) },
  },
  refusal: {
    scene: at(playing, {
      answer: (frame, send) => !!frame.move && (send({ replyTo: frame.id, error: { code: 'CONCURRENT_MOVE', message: 'stale' } }), true),
    }),
    act: async (page) => {
      await page.locator('[data-pit="3"]').click();
      await page.locator('[data-testid="notice"]').waitFor();
    },
  },
};

const windows = {
  wide: { viewport: { width: 1280, height: 860 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 780 }, colorScheme: 'light', isMobile: true, hasTouch: true },
  'phone-dark': { viewport: { width: 360, height: 780 }, colorScheme: 'dark', isMobile: true, hasTouch: true },
} as const;

Object.assign(shots, lobbyShots, replayShots, seriesShots, crosswordShots, nameShots);

describe.each(Object.entries(windows))('%s', (window, options) => {
  test.each(Object.entries(shots))('%s', async (name, { path = GAME, scene = {}, isDrawSeen = true, tongue = 'en-GB', act }) => {
    const context = await browser.newContext({ ...options, locale: tongue });
    const page = await context.newPage();
    if (isDrawSeen) {
      await page.addInitScript((id) => localStorage.setItem('astragal.draws', JSON.stringify([id])), GAME_ID);
    }
    const stage = await setStage(page, scene);
    await page.goto(ORIGIN + path);
    await page.waitForFunction(() => document.querySelector('[data-testid="table"][data-revision], [data-testid="lobby"][data-ready="true"], [data-testid="message"], [data-testid="past"]'));
    await act?.(page, stage);
    // Whatever fades in or turns over, but for the seeds in a hand.
    await page.evaluate(() =>
      Promise.allSettled(
        document
          .getAnimations()
          .filter(({ effect }) => !(effect as KeyframeEffect).target?.classList.contains('seed') && effect?.getTiming().iterations === 1)
          .map(({ finished }) => finished),
      ),
    );
    await page.screenshot({ path: join(FOLDER, `${name}-${window}.png`), fullPage: !!process.env['ASTRAGAL_WHOLE_PAGES'] });
    await context.close();
  });
});
