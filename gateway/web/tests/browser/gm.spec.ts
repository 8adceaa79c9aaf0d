// The pages of administrators by their document, point by point: every step of real games held against the timeline
// that the server gives to everyone once a game is over.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { EDITIONS, type Premium } from '../../src/games/crossword/edition';
import { findings } from '../axe';
import { admin, adminToken, play, played, shot, shown, timeline, type Shown } from '../gm';
import { atHome } from '../here';

const here = atHome();

/** Waits until the page has come to a step, and reads it. */
async function at(page: Page, step: number): Promise<Shown> {
  await page.waitForFunction((wanted) => document.getElementById('where')?.textContent?.trim().startsWith(`${wanted} /`), step);
  return shown(page);
}

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

const classOf = ({ letter, word }: Premium) => (word > 1 ? `word${word}` : letter > 1 ? `letter${letter}` : 'plain');

/** What stands on a tile: a capital letter, and below it what it is worth, but nothing for a blank. */
function face(variant: string, character: string): { letter: string; value: string } {
  const { capitals, values } = EDITIONS[variant]!;
  return { letter: capitals.get(character) ?? character, value: values.has(character) && values.get(character)! > 0 ? `${values.get(character)}` : '' };
}

/** A game from its deal to its end and back by the buttons, and what the page asked for on the way. */
interface Walk {
  id: string;
  head: any;
  steps: any[];
  there: Shown[];
  back: Shown[];
  asked: string[];
}

async function walked(variant: string, seats: number): Promise<Walk> {
  const id = await played(here, { game: 'crossword', variant, seats, moves: 6, resign: true });
  const { head, steps } = await timeline(here, id);
  const { context, page } = await admin(here);
  await page.goto(`${here.house.origin}/_gm/games/${id}`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const there = [await at(page, 0)];
  await shot(page, `${variant}-0-deal`);
  for (const { number } of steps.slice(1)) {
    await link(page, 'Next').click();
    there.push(await at(page, number));
    if (number === Math.floor(steps.length / 2)) await shot(page, `${variant}-1-middle`);
  }
  await shot(page, `${variant}-2-end`);
  const back = [there.at(-1)!];
  for (const { number } of steps.slice(0, -1).reverse()) {
    await link(page, 'Previous').click();
    back.unshift(await at(page, number));
  }
  expect(await findings(page)).toEqual([]);
  await context.close();
  return { id, head, steps, there, back, asked };
}

describe.each([
  { variant: 'english', seats: 2 },
  { variant: 'russian', seats: 3 },
  { variant: 'erudit', seats: 4 },
  { variant: 'turkish', seats: 2 },
])('P2: a game of crossword, $variant with $seats seats', ({ variant, seats }) => {
  let walk: Walk;
  beforeAll(async () => {
    walk = await walked(variant, seats);
  }, 300_000);

  test('has the columns A to O and the rows 1 to 15', () => {
    for (const { columns, rows } of walk.there) {
      expect(columns).toEqual([...'ABCDEFGHIJKLMNO']);
      expect(rows).toEqual(Array.from({ length: 15 }, (_, row) => `${row + 1}`));
    }
  });

  test('shows what each of its 225 squares multiplies by, every kind in a colour of its own', () => {
    const [deal] = walk.there as [Shown];
    expect(deal.squares.map(({ premium }) => premium)).toEqual(EDITIONS[variant]!.premiums.map(classOf));
    const colours = new Map(deal.squares.map(({ premium, colour }) => [premium, colour]));
    expect(new Set(colours.values()).size).toBe(5);
    for (const { premium, colour } of deal.squares) expect(colour).toBe(colours.get(premium));
    for (const { squares } of walk.there) expect(squares.map(({ premium }) => premium)).toEqual(deal.squares.map(({ premium }) => premium));
  });

  test('has on the board what the plays so far have laid, in capitals with their value', () => {
    walk.steps.forEach(({ view }, step) => {
      const lies = [...view.board.join('')].map((character) => (character === '.' ? undefined : face(variant, character)));
      expect(walk.there[step]!.squares.map(({ tile }) => tile)).toEqual(lies);
    });
  });

  test('has a panel for each seat: 0 above the board, 1 below, 2 to the left, 3 to the right', () => {
    for (const { board, panels } of walk.there) {
      expect(panels).toHaveLength(seats);
      const [top, bottom, left, right] = panels.map(({ box }) => box);
      expect(top!.bottom).toBeLessThanOrEqual(board.top);
      expect(bottom!.top).toBeGreaterThanOrEqual(board.bottom);
      if (left) expect(left.right).toBeLessThanOrEqual(board.left);
      if (right) expect(right.left).toBeGreaterThanOrEqual(board.right);
    }
  });

  test('names who sits there, with a link to the profile, the score and the rack', () => {
    walk.steps.forEach(({ view }, step) =>
      walk.there[step]!.panels.forEach(({ name, profile, score, tiles }, seat) => {
        expect(name).toMatch(/^(Ada|Robot 3)$/);
        expect(profile).toMatch(/^\/_gm\/accounts\/[0-9a-f-]{36}$/);
        expect(score).toBe(`${view.scores[seat]}`);
        expect(tiles).toEqual([...view.hands[seat]].map((character) => face(variant, character)));
      }),
    );
  });

  test('marks the rack of whoever is to move at every step, and no other', () => {
    const colour = (isToMove: boolean) => new Set(walk.there.flatMap(({ panels }) => panels.filter((panel) => panel.isToMove === isToMove)).map(({ border }) => border));
    walk.steps.forEach(({ toMove }, step) => {
      const marked = walk.there[step]!.panels.flatMap(({ isToMove }, seat) => (isToMove ? [seat] : []));
      expect(marked).toEqual(toMove);
    });
    expect([colour(true).size, colour(false).size]).toEqual([1, 1]);
    expect([...colour(true)]).not.toEqual([...colour(false)]);
  });

  test('has a log that grows to the step that is shown, which is marked; a line says what was drawn and what is left', () => {
    walk.steps.forEach(({ number, view, annotations }, step) => {
      const { lines, current } = walk.there[step]!;
      expect([lines.length, current]).toEqual([number + 1, number]);
      const line = lines[number]!;
      expect(line).toMatch(new RegExp(`^${number}\\. .*; bag ${view.bag}$`));
      const drawn = [...line.matchAll(/ draws (\S+);/g)].map(([, tiles]) => tiles);
      expect(drawn).toEqual((annotations.drawn ?? []).filter(Boolean));
      if (number === 0) for (const hand of view.hands) expect(line).toContain(` ${hand}`);
      expect(lines.slice(0, -1)).toEqual(walk.there[step - 1]?.lines ?? []);
    });
  });

  test('steps by “Next” and “Previous” without asking for anything, and shows the same on the way back', () => {
    expect(walk.asked).toEqual([]);
    expect(walk.back).toEqual(walk.there);
  });

  test('lists its draw round by round, with links to the profiles', async () => {
    const answer = await fetch(`${here.house.origin}/v1/tables/${walk.id}`);
    const { draw } = (await answer.json()) as { draw: { rounds: { picks: { letter?: string; rank?: number; blank?: boolean }[] }[] } };
    const { context, page } = await admin(here);
    await page.goto(`${here.house.origin}/_gm/games/${walk.id}`);
    const rounds = page.locator('.draw');
    expect(await rounds.count()).toBe(draw.rounds.length);
    for (const [place, { picks }] of draw.rounds.entries()) {
      const line = (await rounds.nth(place).textContent())!;
      const fell = picks.map(({ letter, rank = 0, blank }) => `${blank ? 'blank' : letter} (${rank})`);
      expect([...line.matchAll(/: (\S+ \(-?\d+\))/g)].map(([, tile]) => tile)).toEqual(fell);
      expect(line.startsWith(`Round ${place + 1}: `)).toBe(true);
      expect(await rounds.nth(place).locator('a[href^="/_gm/accounts/"]').count()).toBe(picks.length);
    }
    expect(await rounds.last().textContent()).toMatch(/ … .+ leads$/);
    const name = await rounds.first().locator('a').first().textContent();
    await rounds.first().locator('a').first().click();
    await page.getByRole('heading', { level: 1, name: name!.replace(/ \(seat \d\)$/, ''), exact: true }).waitFor();
    await context.close();
  });

  test('is stepped by keys, slider and a link to a step as well', async () => {
    const { context, page } = await admin(here);
    await page.goto(`${here.house.origin}/_gm/games/${walk.id}`);
    const last = walk.steps.length - 1;
    for (const [key, step] of [['ArrowRight', 1], ['End', last], ['ArrowLeft', last - 1], ['Home', 0]] as const) {
      await page.keyboard.press(key);
      expect(await at(page, step)).toEqual(walk.there[step]);
    }
    await page.locator('#slider').fill('2');
    expect(await at(page, 2)).toEqual(walk.there[2]);
    await page.waitForURL((url) => url.search === '?step=2');
    await page.reload();
    expect(await at(page, 2)).toEqual(walk.there[2]);
    await link(page, 'Last').click();
    await page.locator('.log a').nth(1).click();
    expect(await at(page, 1)).toEqual(walk.there[1]);
    await context.close();
  });
});

describe('P2: a game of crossword', () => {
  test('has a blank in a hand and on the board without a value', async () => {
    const small = new Set(EDITIONS['english']!.smalls.values());
    let [id, step, square] = ['', -1, -1];
    while (step < 0) {
      id = await played(here, { game: 'crossword', seats: 4, moves: 12, resign: true });
      const { steps } = await timeline(here, id);
      step = steps.findIndex(({ view }) => [...view.board.join('')].some((character) => small.has(character)));
      square = step < 0 ? -1 : [...steps[step].view.board.join('')].findIndex((character) => small.has(character));
    }
    const { context, page } = await admin(here);
    await page.goto(`${here.house.origin}/_gm/games/${id}?step=${step - 1}`);
    const before = await at(page, step - 1);
    expect(before.panels.flatMap(({ tiles }) => tiles)).toContainEqual({ letter: '?', value: '' });
    await link(page, 'Next').click();
    const { tile } = (await at(page, step)).squares[square]!;
    expect(tile?.letter).toMatch(/^[A-Z]$/);
    expect(tile?.value).toBe('');
    await shot(page, 'blank');
    // The server draws it as the script does.
    await page.reload();
    expect((await at(page, step)).squares[square]!.tile).toEqual(tile);
    await context.close();
  });

  test('works without a script, by a link for each step', async () => {
    const id = await played(here, { game: 'crossword', moves: 2, resign: true });
    const { head, steps } = await timeline(here, id);
    const { context, page } = await admin(here, { javaScriptEnabled: false });
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
    const id = await played(here, { game: 'crossword', seats: 4, moves: 3, resign: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      const { context, page } = await admin(here, { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true, colorScheme });
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
    const id = await played(here, { game: 'kalah', moves: 4, resign: true });
    const { steps } = await timeline(here, id);
    const { context, page } = await admin(here);
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
    const id = await play(here, table, { game: 'crossword', moves: 1 });
    const { context, page } = await admin(here);
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
    const id = await played(here, { game: 'kalah', moves: 1, resign: true });
    const page = await here.browser.newPage();
    await page.goto(`${here.house.origin}/_gm`);
    await page.getByLabel('Token of the role admin').fill(adminToken(here));
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
