// The lobby with many seats, accounts, and a draw that is checked.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Draw, OpenGame, Table } from '../../client';
import { GAME_ID, kalahTable } from '../stage';
import type { Shot } from './shot';

interface GoldenDraw {
  tileSet: string;
  participants: number;
  winner: number;
  rounds: { participant: number; letter: string; rank: number; entropy: string }[][];
}
const golden = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../services/rules/tests/golden/draw_1.json'), 'utf8'),
) as { draws: GoldenDraw[] };
const { rounds, winner, tileSet } = golden.draws.find(({ participants, rounds: all }) => participants === 2 && all.length === 2)!;

const proved: Draw = {
  rounds: rounds.map((picks) => ({
    picks: picks.map(({ participant, letter, rank, entropy }) => ({
      participant,
      seat: participant === winner ? 0 : 1,
      letter,
      blank: rank < 0,
      rank,
      recorded: false,
      entropy,
      entropySha256: createHash('sha256').update(Buffer.from(entropy, 'hex')).digest('hex'),
    })),
  })),
  winner,
  tileSet,
};
const forged: Draw = structuredClone(proved);
forged.rounds[0]!.picks[0]!.entropy = 'ab'.repeat(32);

const checked = (draw: Draw): Shot => ({
  isDrawSeen: false,
  scene: {
    tables: [kalahTable({ draw: proved })],
    http: { [`/v1/tables/${GAME_ID}/draw`]: JSON.stringify(draw) },
  },
  act: async (page) => {
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('button', { name: 'Check this draw' }).click();
    await page.getByTestId('draw-check').getByText('What proves it').click();
  },
});

const games: OpenGame[] = [
  { names: ['Grace', 'Kōbō Abe'], seats: 4, seatsEmpty: 2, clock: { initial: '600s', increment: '5s' } },
  { names: ['Ben'], seats: 2, seatsEmpty: 1, match: { bestOf: 5 } },
].map((given, k) => ({ gameId: `s${k}`, game: 'kalah', variant: 'standard', options: {}, ...given }));

const names = ['Ada', '', 'Grace', ''];
const four: Table['seats'] = names.map((name, seat) => ({ seat, name, robot: false, online: name !== '', empty: name === '' }));

const openAccount = (page: Page) => page.getByRole('button', { name: 'Your account' }).click();

export const lobbyShots: Record<string, Shot> = {
  'lobby-seats': { path: '/', scene: { openGames: games } },
  'waiting-seats': { scene: { tables: [kalahTable({ phase: 'waiting', revision: 0, seats: four })] } },
  'draw-checked': checked(proved),
  'draw-forged': checked(forged),
  account: { path: '/', act: openAccount },
  'account-sign-in': {
    path: '/',
    act: async (page) => {
      await openAccount(page);
      await page.getByRole('button', { name: 'I have a name already' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Ada');
      await page.getByLabel('Password').fill('wrong horse');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByTestId('account-failure').waitFor();
    },
  },
  'account-named': {
    path: '/',
    act: async (page) => {
      await page.evaluate(() => {
        const guest = JSON.parse(localStorage.getItem('astragal.guest')!) as object;
        localStorage.setItem('astragal.guest', JSON.stringify({ ...guest, isNamed: true }));
      });
      await page.reload();
      await openAccount(page);
    },
  },
  'settings-ru': {
    path: '/',
    act: async (page) => {
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByLabel('Language').selectOption('ru');
      await page.getByText('Настройки').first().waitFor();
    },
  },
  'lobby-tr': { path: '/', scene: { openGames: games }, act: (page) => speak(page, 'tr') },
  'lobby-ru': { path: '/', scene: { openGames: games }, act: (page) => speak(page, 'ru') },
  'board-ru': { scene: { tables: [kalahTable()] }, act: (page) => speak(page, 'ru') },
};

async function speak(page: Page, tongue: string): Promise<void> {
  await page.evaluate((one) => localStorage.setItem('astragal.language', JSON.stringify(one)), tongue);
  await page.reload();
  await page.waitForFunction((one) => document.documentElement.lang === one, tongue);
  await page.locator('[data-testid="table"][data-revision], [data-testid="lobby"][data-ready="true"]').waitFor();
}
