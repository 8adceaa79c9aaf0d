// The pages of administrators by their document: every step of real games of crossword and kalah held
// against the timeline that the server gives to everyone once a game is over.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../axe';
import { PATIENCE_MS } from '../guest';
import { atHome } from '../here';
import { program } from '../house';

const SHOTS = process.env['ASTRAGAL_GM_SHOTS'];

const here = atHome();
let cookie: string;

beforeAll(() => {
  const key = join(here.house.data, 'token-key.pem');
  cookie = execFileSync(program(), ['token', '--role', 'admin', '--token-key', key]).toString().trim();
});

interface Wanted {
  game: 'crossword' | 'kalah';
  variant?: string;
  seats?: number;
  /** Own moves until the player gives up; none: the game goes on. */
  moves: number;
  resign?: boolean;
}

/** A guest plays against robots, by the protocol, in a page of the server. */
async function played(wanted: Wanted): Promise<string> {
  const page = await here.browser.newPage();
  const id = await play(page, wanted);
  await page.close();
  return id;
}

/** The same in a page that stays: `goOn()` there makes one move more. */
async function play(page: Page, wanted: Wanted): Promise<string> {
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

async function admin(options: BrowserContextOptions = {}): Promise<{ context: BrowserContext; page: Page }> {
  const context = await here.browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addCookies([{ name: 'astragal_gm', value: cookie, url: `${here.house.origin}/_gm`, httpOnly: true, sameSite: 'Strict' }]);
  return { context, page: await context.newPage() };
}

async function timeline(id: string): Promise<{ head: any; steps: any[] }> {
  const answer = await fetch(`${here.house.origin}/v1/tables/${id}/timeline`);
  expect(answer.status).toBe(200);
  const [head, ...steps] = (await answer.text()).trim().split('\n').map((line) => JSON.parse(line));
  return { head, steps };
}

async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS) {
    mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
  }
}

/** What the page shows now. */
function shown(page: Page) {
  return page.evaluate(() => {
    const tiles = (element: Element) =>
      [...element.querySelectorAll('.tile')].map((tile) => ({
        letter: tile.firstChild?.textContent ?? '',
        value: tile.querySelector('sub')?.textContent ?? '',
      }));
    return {
      squares: [...document.querySelectorAll('.letters tbody td')].map((square) => ({ premium: square.className.split(' ')[0], ...tiles(square)[0] })),
      panels: [...document.querySelectorAll('.panel')].map((panel) => ({
        place: [...panel.classList].find((name) => ['top', 'bottom', 'left', 'right'].includes(name)),
        isToMove: panel.classList.contains('turn'),
        score: panel.querySelector('.score')!.textContent,
        profile: panel.querySelector('h2 a')?.getAttribute('href') ?? '',
        tiles: tiles(panel),
      })),
      lines: [...document.querySelectorAll('.log li')].map((line) => line.textContent!.trim()),
      current: document.querySelector('.log .current')?.textContent?.trim(),
      isLast: document.querySelector('.log li:last-child')?.classList.contains('current'),
    };
  });
}

const PREMIUMS: Record<string, string> = { '.': 'plain', d: 'letter2', t: 'letter3', D: 'word2', T: 'word3' };
const PLACES = ['top', 'bottom', 'left', 'right'];

/** Holds a page that shows a step against that step of the timeline. */
async function compare(page: Page, head: any, step: any): Promise<void> {
  await page.waitForFunction((where) => document.getElementById('where')?.textContent?.trim() === where, `${step.number} / ${head.moves}`);
  const seen = await shown(page);
  const { letters, premiums } = head.description;
  const tile = (character: string) => {
    const own = letters.find((letter: any) => letter.letter === character);
    const blank = letters.find((letter: any) => letter.small === character);
    return { letter: own?.letter ?? blank?.letter ?? character, value: own?.value ? String(own.value) : '' };
  };
  const squares = [...step.view.board.join('')].map((lies, index) => ({
    premium: PREMIUMS[[...premiums.join('')][index]!],
    ...(lies === '.' ? {} : tile(lies)),
  }));
  expect(seen.squares).toEqual(squares);
  expect(seen.panels.map((panel) => panel.place)).toEqual(PLACES.slice(0, head.seats));
  seen.panels.forEach((panel, seat) => {
    expect(panel.isToMove).toBe(step.toMove.includes(seat));
    expect(panel.score).toBe(String(step.view.scores[seat]));
    expect(panel.tiles).toEqual([...step.view.hands[seat]].map(tile));
    expect(panel.profile).toMatch(/^\/_gm\/accounts\//);
  });
  expect(seen.lines).toHaveLength(step.number + 1);
  expect(seen.isLast).toBe(true);
  expect(seen.current).toContain(`bag ${step.view.bag}`);
  for (const drawn of (step.annotations.drawn ?? []).filter(Boolean)) {
    expect(seen.current).toContain(`draws ${drawn}`);
  }
}

describe('P2: the replay of a game of crossword', () => {
  test.each([
    { variant: 'english', seats: 2 },
    { variant: 'russian', seats: 3 },
    { variant: 'erudit', seats: 4 },
    { variant: 'turkish', seats: 2 },
  ])('shows every step of $variant with $seats seats, and asks for nothing on the way', async ({ variant, seats }) => {
    const id = await played({ game: 'crossword', variant, seats, moves: 6, resign: true });
    const { head, steps } = await timeline(id);
    const { context, page } = await admin();
    await page.goto(`${here.house.origin}/_gm/games/${id}`);
    expect(await page.locator('.letters thead th').allTextContents()).toEqual([...'ABCDEFGHIJKLMNO']);
    expect(await page.locator('.letters tbody th').allTextContents()).toEqual(Array.from({ length: 15 }, (_, row) => String(row + 1)));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await compare(page, head, steps[0]);
    await shot(page, `${variant}-0-deal`);
    for (const step of steps.slice(1)) {
      await page.getByRole('link', { name: 'Next' }).click();
      await compare(page, head, step);
      if (step.number === Math.floor(steps.length / 2)) await shot(page, `${variant}-1-middle`);
    }
    await shot(page, `${variant}-2-end`);
    await page.getByRole('link', { name: 'Previous' }).click();
    await compare(page, head, steps.at(-2));
    await page.keyboard.press('Home');
    await compare(page, head, steps[0]);
    await page.keyboard.press('ArrowRight');
    await compare(page, head, steps[1]);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await compare(page, head, steps.at(-2));
    await page.locator('#slider').fill('2');
    await compare(page, head, steps[2]);
    expect(asked).toEqual([]);
    await page.waitForURL((url) => url.search === '?step=2');
    await page.reload();
    await compare(page, head, steps[2]);
    const draw = page.locator('.draw');
    expect(await draw.count()).toBeGreaterThan(0);
    expect(await draw.last().textContent()).toContain('leads');
    expect(await draw.first().locator('a').count()).toBe(seats);
    expect(await findings(page)).toEqual([]);
    await context.close();
  });

  test('works without a script, by a link for each step', async () => {
    const id = await played({ game: 'crossword', moves: 2, resign: true });
    const { head, steps } = await timeline(id);
    const { context, page } = await admin({ javaScriptEnabled: false });
    await page.goto(`${here.house.origin}/_gm/games/${id}`);
    for (const step of [1, 2]) {
      await page.getByRole('link', { name: 'Next' }).click();
      await page.waitForURL((url) => url.search === `?step=${step}`);
    }
    await expect.poll(() => page.locator('.log li').count()).toBe(3);
    expect(await page.locator('.panel.turn').count()).toBe(steps[2].toMove.length);
    expect(await page.locator('#where').textContent()).toBe(`2 / ${head.moves}`);
    const laid = [...steps[2].view.board.join('')].filter((character) => character !== '.');
    expect(await page.locator('.letters .tile').count()).toBe(laid.length);
    await page.locator('.log a').first().click();
    await expect.poll(() => page.locator('.letters .tile').count()).toBe(0);
    await context.close();
  });

  test('fits a phone, light and dark', async () => {
    const id = await played({ game: 'crossword', seats: 4, moves: 3, resign: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      const { context, page } = await admin({ viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true, colorScheme });
      await page.goto(`${here.house.origin}/_gm/games/${id}?step=5`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      expect(await findings(page)).toEqual([]);
      await shot(page, `phone-${colorScheme}`);
      await page.goto(`${here.house.origin}/_gm`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      await shot(page, `phone-list-${colorScheme}`);
      await context.close();
    }
  });
});

describe('P2, P3: other games, and those that go on', () => {
  test('kalah has pits and stores', async () => {
    const id = await played({ game: 'kalah', moves: 4, resign: true });
    const { steps } = await timeline(id);
    const { context, page } = await admin();
    await page.goto(`${here.house.origin}/_gm/games/${id}`);
    for (const step of steps) {
      for (const seat of [0, 1]) {
        const pits = () => page.locator(`[id^="pit-${seat}-"]`).evaluateAll((all) => all.map((pit) => [pit.id, Number(pit.textContent)]));
        const wanted = step.view.pits[seat].map((seeds: number, k: number) => [`pit-${seat}-${k + 1}`, seeds]);
        await expect.poll(async () => (await pits()).sort()).toEqual(wanted);
        await expect.poll(async () => Number(await page.locator(`#store-${seat}`).textContent())).toBe(step.view.stores[seat]);
      }
      await page.keyboard.press('ArrowRight');
    }
    await shot(page, 'kalah');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('It holds:').waitFor();
    await context.close();
  });

  test('a game that goes on says so and is followed, and who looked is listed', async () => {
    const table = await here.browser.newPage();
    const id = await play(table, { game: 'crossword', moves: 1 });
    const { context, page } = await admin();
    await page.goto(`${here.house.origin}/_gm/games/${id}`);
    await page.getByText('live', { exact: true }).waitFor();
    expect(await page.locator('.looks li').count()).toBe(1);
    expect(await page.locator('.rack .tile').count()).toBe(14);
    const before = (await shown(page)).lines.length;
    await table.evaluate(() => (globalThis as unknown as { goOn(): void }).goOn());
    await page.locator('.log li').nth(before).waitFor();
    await shot(page, 'live');
    await page.reload();
    expect(await page.locator('.looks li').count()).toBeGreaterThan(1);
    await Promise.all([context.close(), table.close()]);
  });

  test('the list finds games by name, and a token opens it', async () => {
    const id = await played({ game: 'kalah', moves: 1, resign: true });
    const page = await here.browser.newPage();
    await page.goto(`${here.house.origin}/_gm`);
    await page.getByLabel('Token of the role admin').fill(cookie);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Id or name').fill('Ada');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator(`a[href="/_gm/games/${id}"]`).waitFor();
    await shot(page, 'list');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token of the role admin').waitFor();
    await page.close();
  });
});
