// Long games and long lists, in front of a scripted server: what is fetched, and when.

import { describe, expect, test } from 'vitest';
import type { Guest } from '../guest';
import { onStage, still } from '../here';
import { ended } from '../shots/replay';
import { GAME_ID, ORIGIN, setStage, type Scene } from '../stage';

const here = onStage();

/** A visit, and the addresses below /v1 that the page has asked for. */
async function visit(scene: Scene, path: string): Promise<{ ada: Guest; asked: string[] }> {
  const ada = await here.come(still);
  const asked: string[] = [];
  ada.page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    asked.push(pathname + search);
  });
  await setStage(ada.page, scene);
  await ada.page.goto(ORIGIN + path);
  return { ada, asked };
}

const MOVES = 2_300;
const BLOCK = 1_000;
const TIMELINE = `/v1/tables/${GAME_ID}/timeline`;

/** The lines of one block of a long game in which the first store counts the steps. */
function block(from: number): string {
  const head = { gameId: GAME_ID, game: 'kalah', moves: MOVES, over: true };
  const steps = Array.from({ length: Math.min(BLOCK, MOVES + 1 - from) }, (_, k) => ({
    number: from + k,
    ...(from + k > 0 && { seat: 0 }),
    move: { pit: 1 },
    annotations: {},
    drew: false,
    view: { pits: [Array(6).fill(0), Array(6).fill(0)], stores: [(from + k) % 100, 0] },
    toMove: [0],
    takenBack: 0,
  }));
  return [head, ...steps].map((line) => JSON.stringify(line)).join('\n');
}

describe('P4: a long game', () => {
  test('is fetched a thousand steps at a time, and never step by step', async () => {
    const http = Object.fromEntries([0, BLOCK, 2 * BLOCK].map((from) => [`${TIMELINE}?from=${from}&to=${from + BLOCK - 1}`, block(from)]));
    const { ada, asked } = await visit({ tables: [ended], http }, `/game/${GAME_ID}?step=5`);
    const at = (step: number) => ada.page.locator(`[data-testid="replay"][data-at="${step}"]`).waitFor();
    const timelines = () => asked.filter((path) => path.startsWith(TIMELINE)).length;
    await at(5);
    for (let step = 6; step <= 15; step += 1) {
      await ada.find('replay').getByRole('button', { name: 'One step on' }).click();
      await at(step);
    }
    expect(timelines()).toBe(1);
    await ada.find('replay').getByRole('slider').fill('1000');
    await at(1_000);
    expect(timelines()).toBe(2);
    await ada.find('replay').getByRole('button', { name: 'To the end' }).click();
    await at(MOVES);
    expect(timelines()).toBe(3);
    await ada.find('result').waitFor();
    await ada.leave();
  });

  test('that can’t be fetched says so, and may be asked for again', async () => {
    const http: Record<string, string> = { [TIMELINE]: '<html>' };
    const { ada } = await visit({ tables: [ended], http }, `/game/${GAME_ID}`);
    await ada.find('replay').getByText('could not be read').waitFor();
    http[TIMELINE] = block(0);
    await ada.find('replay').getByRole('button', { name: 'Try again' }).click();
    await ada.page.locator('[data-testid="replay"][data-last]').waitFor();
    await ada.leave();
  });

  test('of which a part can’t be fetched goes on there once it can', async () => {
    const http: Record<string, string> = { [`${TIMELINE}?from=0&to=${BLOCK - 1}`]: block(0) };
    const { ada } = await visit({ tables: [ended], http }, `/game/${GAME_ID}?step=5`);
    await ada.page.locator('[data-testid="replay"][data-at="5"]').waitFor();
    await ada.find('replay').getByRole('slider').fill('1500');
    const again = ada.find('replay').getByRole('button', { name: 'Try again' });
    await again.waitFor();
    http[`${TIMELINE}?from=${BLOCK}&to=${2 * BLOCK - 1}`] = block(BLOCK);
    await again.click();
    await ada.page.locator('[data-testid="replay"][data-at="1500"]').waitFor();
    await again.waitFor({ state: 'detached' });
    await ada.leave();
  });

  test('by a link to a step keeps its end to itself, also while its steps can’t be fetched', async () => {
    const { ada } = await visit({ tables: [ended], http: { [TIMELINE]: '<html>' } }, `/game/${GAME_ID}?step=3`);
    const bars = ada.page.locator('[data-testid^="player-"]');
    await ada.find('replay').getByText('could not be read').waitFor();
    await ada.find('player-top').getByText('Ben').waitFor();
    expect((await bars.allInnerTexts()).join()).not.toContain('★');
    expect(await ada.find('result').count()).toBe(0);
    await ada.button('Show how it ended').click();
    await ada.find('result').waitFor();
    await expect.poll(async () => (await bars.allInnerTexts()).join()).toContain('★');
    await ada.leave();
  });
});

describe('P4, L0: a game that can’t be looked back at', () => {
  test('because it broke down says so, and offers neither steps nor files', async () => {
    const outcome = { results: ['none', 'none'], reason: 'crashed', scores: [0, 0] };
    for (const path of [`/game/${GAME_ID}`, `/game/${GAME_ID}?step=3`]) {
      const { ada, asked } = await visit({ tables: [{ ...ended, outcome }] }, path);
      await ada.find('result').getByText('Something broke on the server').waitFor();
      expect(await ada.page.locator('a[href*="/v1/tables/"]').count()).toBe(0);
      expect(await ada.button('Check this game').count()).toBe(0);
      expect(await ada.find('replay').count()).toBe(0);
      expect(asked.filter((address) => address.startsWith(TIMELINE))).toEqual([]);
      await ada.leave();
    }
  });

  test('because it never was says so, and asks for no steps', async () => {
    const { ada, asked } = await visit({}, `/game/${GAME_ID}?step=3`);
    await ada.page.getByText('There is no such game').waitFor();
    expect(await ada.find('replay').count()).toBe(0);
    expect(asked.filter((address) => address.startsWith(TIMELINE))).toEqual([]);
    await ada.leave();
  });
});

test('P4: my games come a page at a time', async () => {
  const page = (from: number, length: number) =>
    JSON.stringify({ tables: Array.from({ length }, (_, k) => ({ ...ended, gameId: `g${from + k}` })) });
  const http = { '/v1/me/tables?limit=20': page(0, 20), '/v1/me/tables?limit=20&after=g19': page(20, 3) };
  const { ada } = await visit({ http }, '/games');
  const rows = ada.find('past').locator('li');
  await rows.nth(19).waitFor();
  await expect.poll(() => rows.count()).toBe(20);
  await ada.button('Show more').click();
  await rows.nth(22).waitFor();
  await expect.poll(() => rows.count()).toBe(23);
  await expect.poll(() => ada.button('Show more').count()).toBe(0);
  await ada.leave();
});
