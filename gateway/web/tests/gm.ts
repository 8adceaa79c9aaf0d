// Games to be looked at by administrators, and an administrator who looks.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { PATIENCE_MS } from './guest';
import { still, type Here } from './here';
import { program } from './house';

/** A game against robots. */
export interface Wanted {
  game: 'crossword' | 'kalah';
  variant?: string;
  seats?: number;
  /** Own moves, as far as the game goes on so long. */
  moves: number;
  /** Whether the player gives up then. */
  resign?: boolean;
}

/** A guest plays against robots, by the protocol, in a page of the server; gives the id of the game. */
export async function played(here: Here, wanted: Wanted): Promise<string> {
  const page = await here.browser.newPage();
  const id = await play(here, page, wanted);
  await page.close();
  return id;
}

/** The same in a page that stays: `goOn()` there makes one move more. */
export async function play(here: Here, page: Page, wanted: Wanted): Promise<string> {
  await page.goto(here.house.origin);
  return page.evaluate(async ({ game, variant, seats, moves, resign }) => {
    const json = { 'content-type': 'application/json' };
    const answer = await fetch('/v1/guests', { method: 'POST', headers: json, body: JSON.stringify({ name: 'Ada' }) });
    const { token } = await answer.json();
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/v1/ws`, 'astragal.v1.json');
    const send = (frame: object) => socket.send(JSON.stringify({ id: crypto.randomUUID(), ...frame }));
    return new Promise<string>((resolve, reject) => {
      let gameId = '';
      let seat = -1;
      let made = 0;
      const act = (revision: number, toMove: number[], view: any, legal: any[] | undefined) => {
        if (!toMove.includes(seat)) return;
        Object.assign(globalThis, {
          goOn: () => {
            made -= 1;
            act(revision, toMove, view, legal);
          },
        });
        if (made >= moves) {
          if (resign) send({ resign: { gameId } });
          else resolve(gameId);
          return;
        }
        made += 1;
        const exchange = view.bag >= 7 ? { exchange: [...view.rack][0] } : { pass: true };
        send({ move: { gameId, revision, move: game === 'kalah' ? legal![0] : exchange } });
      };
      socket.onopen = () => send({ hello: { token } });
      socket.onerror = () => reject(new Error('the socket broke'));
      socket.onmessage = ({ data }) => {
        const frame = JSON.parse(data);
        if (frame.error) reject(new Error(data));
        if (frame.welcome) send({ newBotGame: { game, level: 3, ...(variant && { variant }), ...(seats && { seats }) } });
        const { table } = frame.onGameStart ?? {};
        if (table) {
          gameId = table.gameId;
          seat = table.yourSeat;
          act(table.revision, table.toMove, table.view, table.legalMoves);
        }
        const update = frame.onGameUpdate;
        if (update) act(update.revision, update.toMove, update.view, update.legalMoves);
        if (frame.onGameEnd) resolve(gameId);
      };
    });
  }, wanted);
}

/** A token of the role, signed by the key of the house. */
export function adminToken({ house }: Here): string {
  const key = join(house.data, 'token-key.pem');
  return execFileSync(program(), ['token', '--role', 'admin', '--token-key', key]).toString().trim();
}

/** An administrator who is signed in. */
export async function admin(here: Here, options: BrowserContextOptions = {}): Promise<{ context: BrowserContext; page: Page }> {
  const context = await here.browser.newContext({ ...still, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const url = `${here.house.origin}/_gm`;
  await context.addCookies([{ name: 'astragal_gm', value: adminToken(here), url, httpOnly: true, sameSite: 'Strict' }]);
  return { context, page: await context.newPage() };
}

/** A game that is over as the server tells it to anyone. */
export async function timeline({ house }: Here, id: string): Promise<{ head: any; steps: any[] }> {
  const answer = await fetch(`${house.origin}/v1/tables/${id}/timeline`);
  expect(answer.status).toBe(200);
  const [head, ...steps] = (await answer.text()).trim().split('\n').map((line) => JSON.parse(line));
  return { head, steps };
}

const SHOTS = process.env['ASTRAGAL_GM_SHOTS'];

/** A picture for people to look at, if they want any. */
export async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS) {
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
  }
}

/** What a page shows now. */
export type Shown = Awaited<ReturnType<typeof shown>>;

/** Reads the page of a game of crossword. */
export function shown(page: Page) {
  return page.evaluate(() => {
    const all = (selector: string, within: ParentNode = document) => [...within.querySelectorAll<HTMLElement>(selector)];
    const text = (element: Element | null | undefined) => element?.textContent?.trim() ?? '';
    /** On the page, however far that is scrolled. */
    const box = (element: Element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      return { top: top + scrollY, bottom: bottom + scrollY, left: left + scrollX, right: right + scrollX };
    };
    const tiles = (within: Element) => all('.tile', within).map((tile) => ({ letter: text(tile.firstChild as Element), value: text(tile.querySelector('sub')) }));
    return {
      where: text(document.getElementById('where')),
      columns: all('.letters thead th').map(text),
      rows: all('.letters tbody th').map(text),
      squares: all('.letters tbody td').map((square) => ({ premium: square.className.split(' ')[0]!, colour: getComputedStyle(square).backgroundColor, tile: tiles(square)[0] })),
      board: box(document.querySelector('.letters')!),
      panels: all('.panel').map((panel) => ({
        box: box(panel),
        isToMove: panel.classList.contains('turn'),
        border: getComputedStyle(panel).borderTopColor,
        name: text(panel.querySelector('h2 a')),
        profile: panel.querySelector('h2 a')?.getAttribute('href') ?? '',
        score: text(panel.querySelector('.score')),
        tiles: tiles(panel),
      })),
      lines: all('.log li').map(text),
      current: all('.log li').findIndex((line) => line.classList.contains('current') && line.getAttribute('aria-current') === 'step'),
    };
  });
}
