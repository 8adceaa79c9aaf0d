// The states of crossword that are looked at.

import type { Page } from 'playwright-core';
import type { GameUpdate, Table } from '../../client';
import { crosswordTable, english, four, RUSSIAN, toldMoves, TURKISH } from './crossword-tables';
import { draw, GAME_ID, type Scene } from '../stage';
import type { Shot } from './shot';

/** A scene at a table whose moves are told when asked for. */
function at(table: Table, updates: GameUpdate[]): Scene {
  return {
    tables: [table],
    answer: (frame, send) => {
      if (frame.watch?.sinceRevision !== 0 || table.revision === 0) {
        return false;
      }
      send({ replyTo: frame.id, ack: { gameId: GAME_ID, revision: table.revision } });
      updates.forEach((onGameUpdate) => send({ onGameUpdate }));
      return true;
    },
  };
}

const square = (name: string) => `[data-square="${(Number(name.slice(1)) - 1) * 15 + name.charCodeAt(0) - 65}"]`;
const updates = toldMoves(english);
const playing = crosswordTable(english);
const scene = at(playing, updates);
const russianOptions = { variant: 'erudit', words: 'any', challenge: 'void' } as const;
const russian = crosswordTable(
  RUSSIAN,
  { variant: 'erudit', options: russianOptions, seats: four, toMove: [0] },
  { rack: '??ЁЖКЩЮ'.replace('Ё', 'Ы'), racks: [7, 7, 5, 7], scores: [126, 98, 241, 7], bag: 79 },
);
const drawOfFour = draw([[['Б', 1], ['', -1], ['Щ', 25], ['К', 10]]], 1);
[1, 0, 2, 3].forEach((seat, participant) => (drawOfFour.rounds[0]!.picks[participant]!.seat = seat));
const turkish = crosswordTable(
  TURKISH,
  { variant: 'turkish', options: { variant: 'turkish', words: 'dictionary', challenge: 'double' } },
  {
    rack: '?ÇĞIİÖŞ',
    scores: [48, 8],
    fresh: { seat: 1, play: { at: 'H7', tiles: 'İ.İZ' }, words: ['İKİZ'], score: 8, last: false },
  },
);
/** The same with clocks that run. */
export const clocked = { ...playing, clock: { remaining: ['543s', '598s'], running: 0, serverTime: new Date().toISOString() } };
const outcome = { results: ['lost', 'won'], winner: 1, reason: 'finished', scores: [201, 254] };
const over = crosswordTable(
  english,
  { phase: 'over', toMove: [], outcome },
  { rack: 'AEI', racks: [3, 0], hands: ['?EI', ''], scores: [201, 254], bag: 70 },
);

/** The last play has come to rest. */
const settled = (page: Page) => page.locator('.lying').first().waitFor().then(() => page.waitForTimeout(400));

async function layWord(page: Page) {
  await page.locator(square('J8')).click();
  await page.keyboard.press('Space');
  await page.keyboard.type('siren');
}

/** The timeline of a game of which the last word is doubted, and good. */
function timeline(): string {
  const hands = ['?AEINRS', 'DEGILOT'];
  const doubt = { number: updates.length + 1, seat: 0, move: { challenge: true } };
  const verdict = { number: updates.length + 2, move: { verdict: true }, annotations: { words: [], points: [0, 0] } };
  const first = { ...updates[0]!, number: 0, seat: undefined, move: null, view: { ...(updates[0]!.view as object), board: Array(15).fill('.'.repeat(15)), bag: 86 } };
  const end = { number: updates.length + 3, move: { resigned: 0 } };
  const steps = [first, ...updates, ...[doubt, verdict, end].map((step) => ({ ...updates.at(-1)!, seat: undefined, annotations: {}, ...step }))];
  const head = { gameId: GAME_ID, game: 'crossword', version: 1, seats: 2, firstSeat: 0, moves: steps.length - 1, revision: steps.length, over: true };
  return [head, ...steps.map((step) => ({ takenBack: 0, ...step, view: { ...(step.view as object), hands } }))].map((line) => JSON.stringify(line)).join('\n');
}
const looked: Scene = { tables: [over], http: { [`/v1/tables/${GAME_ID}/timeline`]: timeline() } };
const stepped = (step: number, act?: (page: Page) => Promise<unknown>): Shot => ({
  path: `/game/${GAME_ID}?step=${step}`,
  scene: looked,
  act: async (page) => {
    await page.locator(`[data-at="${step}"]`).waitFor();
    await act?.(page);
    await page.waitForTimeout(400);
  },
});

export const crosswordShots: Record<string, Shot> = {
  'crossword-lobby': {
    path: '/',
    act: async (page) => {
      await page.getByRole('radio', { name: 'Crossword' }).check();
      await page.getByText('Rules of this game').click();
    },
  },
  'crossword-first': { scene: at(crosswordTable([], { revision: 0 }), []) },
  crossword: { scene, act: settled },
  'crossword-clocks': { scene: at(clocked, updates), act: settled },
  'crossword-laying': { scene, act: layWord },
  'crossword-flaw': {
    scene,
    act: async (page) => {
      await page.locator('[data-face="R"]').click();
      await page.locator(square('L4')).click();
    },
  },
  'crossword-blank': {
    scene,
    act: async (page) => {
      await page.locator('[data-face="?"]').click();
      await page.locator(square('I14')).click();
      await page.locator('[data-testid="blank-picker"]').waitFor();
    },
  },
  'crossword-exchange': {
    scene,
    act: async (page) => {
      await page.getByRole('button', { name: 'Exchange' }).click();
      await page.locator('[data-face="R"]').click();
      await page.locator('[data-face="I"]').click();
    },
  },
  'crossword-pass': { scene, act: (page) => page.getByRole('button', { name: 'Pass' }).click() },
  'crossword-watched': {
    scene: at(crosswordTable(english, { yourSeat: undefined as never, toMove: [0] }, { rack: undefined }), updates),
    act: settled,
  },
  'crossword-four': { scene: at(russian, toldMoves(RUSSIAN, 4)), act: settled },
  'crossword-draw-four': {
    scene: at({ ...russian, revision: 0, draw: drawOfFour }, []),
    isDrawSeen: false,
    act: (page) => page.getByRole('button', { name: 'Skip' }).click(),
  },
  'crossword-challenge': { scene: at(turkish, toldMoves(TURKISH)) },
  'crossword-unseen': {
    scene,
    act: async (page) => {
      const unseen = page.locator('[data-testid="unseen"]');
      if ((await unseen.getAttribute('open')) === null) {
        await unseen.locator('summary').click();
      }
      await unseen.scrollIntoViewIfNeeded();
    },
  },
  'crossword-replay': stepped(5),
  'crossword-replay-verdict': stepped(updates.length + 2),
  'crossword-replay-eyes': stepped(6, (page) => page.getByRole('combobox').selectOption({ label: 'Ada' })),
  'crossword-over': { scene: { ...at(over, updates), http: looked.http! }, act: settled },
};

