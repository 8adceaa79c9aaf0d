// For everyone: an accessibility library finds nothing serious in any state, in light and in dark, and
// nothing moves or jumps that should not.

import { describe, expect, test } from 'vitest';
import { findings } from '../axe';
import { byMouse, type Guest, play } from '../guest';
import { atHome, still } from '../here';

const here = atHome();

describe.each(['light', 'dark'] as const)('by %s', (colorScheme) => {
  test('W3: every state of the page is fit for all', async () => {
    const [ada, ben] = await Promise.all(
      [1280, 360].map((width) => here.come({ colorScheme, ...still, viewport: { width, height: 800 } })),
    );
    const found: Record<string, string[]> = {};
    const look = async (state: string, guest: Guest | undefined) => (found[state] = await findings(guest!.page));

    await ada!.lobby();
    await ada!.page.getByText('Rules of this game').click();
    await look('lobby', ada);
    await ada!.button('Change name').click();
    await look('name', ada);
    await ada!.button('Cancel').click();
    await ada!.button('Settings').click();
    await look('settings', ada);
    await ada!.confirm('Close');
    await ada!.page.getByLabel('Clock', { exact: true }).selectOption({ label: '10+5' });
    await ada!.button('Quick match').click();
    await ada!.find('draw').waitFor();
    await look('draw', ada);
    await ada!.toBoard();
    await ada!.page.getByRole('img', { name: 'Code with the link' }).waitFor();
    await look('waiting', ada);
    await ben!.lobby();
    await ben!.find('open-games').locator('li').waitFor();
    await look('lobby with a game', ben);
    await ben!.button(/^Join/).click();
    await ben!.toBoard();
    await play([ada!, ben!], byMouse, 3);
    await ada!.page.getByText('Sealed chance').click();
    const cleo = await here.come({ colorScheme, ...still, viewport: { width: 360, height: 800 } });
    await cleo.lobby();
    await cleo.find('live-games').getByRole('link').first().waitFor();
    await look('lobby with a live game, narrow', cleo);
    await cleo.find('live-games').getByRole('link').first().click();
    await cleo.find('turn').getByText('You are watching').waitFor();
    await look('table, watched', cleo);
    await cleo.leave();
    await look('table', ada);
    await look('table, narrow', ben);
    await ben!.button('Resign').click();
    await look('question', ben);
    await ben!.confirm('Resign');
    await ada!.find('game-over').waitFor();
    await look('over', ada);
    await look('over, narrow', ben);
    await ada!.find('game-over').getByRole('button', { name: 'Check this game' }).click();
    await ada!.find('verdict').waitFor();
    await look('check', ada);
    await ada!.find('check').getByRole('button', { name: 'Close' }).click();
    await look('result', ada);
    await ben!.page.goto(`${here.house.origin}/game/nonsense`);
    await ben!.find('message').waitFor();
    await look('no such game', ben);

    expect(Object.entries(found).flatMap(([state, list]) => list.map((finding) => `${state}: ${finding}`))).toEqual([]);
    await Promise.all([ada!.leave(), ben!.leave()]);
  });
});

test('with less motion nothing moves, and the board still tells the last move', async () => {
  const ada = await here.come(still);
  await ada.page.addInitScript(() => {
    const counted = globalThis as unknown as { flights: number };
    counted.flights = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
      counted.flights += 1;
      return animate.apply(this, given);
    };
  });
  await ada.page.goto(`${here.house.origin}/?bot=2`);
  await ada.toBoard();
  await play([ada], byMouse, 4);
  await ada.turn();
  expect(await ada.page.evaluate(() => (globalThis as unknown as { flights: number }).flights)).toBe(0);
  await expect.poll(() => ada.page.locator('.hollow.from').count()).toBe(1);
  await ada.leave();
});

test('the keyboard may skip the head of the page', async () => {
  const ada = await here.come();
  await ada.lobby();
  await ada.page.keyboard.press('Tab');
  await ada.page.keyboard.press('Enter');
  await ada.page.locator('main:focus').waitFor();
  await ada.page.keyboard.press('Tab');
  await ada.page.locator('main *:focus').waitFor();
  await ada.leave();
});

test('W3: moves are read out, with whose turn it is', async () => {
  const ada = await here.come(still);
  await ada.page.goto(`${here.house.origin}/?bot=1`);
  await ada.toBoard();
  await ada.turn();
  await ada.page.evaluate(() => {
    const heard: string[] = [];
    (globalThis as unknown as { heard: string[] }).heard = heard;
    const live = document.querySelector('[data-testid="said"]')!;
    new MutationObserver(() => heard.push(live.textContent ?? '')).observe(live, { childList: true, characterData: true, subtree: true });
  });
  await play([ada], byMouse, 3);
  await ada.turn();
  const heard = () => ada.page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
  await expect.poll(async () => (await heard()).at(-1)).toMatch(/Your turn\.\s?$/);
  expect((await heard()).some((text) => /^You sowed pit [1-6]/.test(text))).toBe(true);
  await ada.leave();
});

test.each([360, 768, 1280, 2200])('W3: nothing is wider than a window of %i pixels', async (width) => {
  const ada = await here.come({ ...still, viewport: { width, height: 800 } });
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  await ada.lobby();
  await ada.page.getByText('Rules of this game').click();
  await expect.poll(() => ada.page.evaluate(overflow)).toBe(0);
  await ada.page.goto(`${here.house.origin}/?bot=1`);
  await ada.toBoard();
  await ada.turn();
  await expect.poll(() => ada.page.evaluate(overflow)).toBe(0);
  const targets = await ada.page.locator('button, a, input').evaluateAll((all) =>
    all
      .filter((one) => one.checkVisibility() && !one.classList.contains('skip'))
      .map((one) => one.getBoundingClientRect())
      .filter(({ width, height }) => Math.min(width, height) < 24).length,
  );
  expect(targets).toBe(0);
  await ada.leave();
});

test('nothing jumps: not while the lobby comes, not while a game begins, goes on and ends', async () => {
  const ada = await here.come(still);
  await ada.page.addInitScript(() => {
    const shifts: string[] = [];
    (globalThis as unknown as { shifts: string[] }).shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { value: number; sources: { node?: Node }[] }[]) {
        const where = entry.sources.map(({ node }) => (node as Element | undefined)?.className ?? '?').join(', ');
        // A number in the middle of its place that grows from 9 to 10 is no jump.
        if (entry.value > 0.001) {
          shifts.push(`${entry.value.toFixed(4)} ${where}`);
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const shifts = () => ada.page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts);
  await ada.lobby();
  await ada.button('Play robot 2').click();
  await ada.toBoard();
  await play([ada], byMouse);
  await ada.find('game-over').waitFor();
  expect(await shifts()).toEqual([]);
  // Once more with games to resume.
  await ada.page.goto(`${here.house.origin}/?bot=1`);
  await ada.toBoard();
  await ada.lobby();
  await ada.find('my-games').waitFor();
  expect(await shifts()).toEqual([]);
  await ada.page.reload();
  await ada.find('my-games').waitFor();
  expect(await shifts()).toEqual([]);
  await ada.leave();
});
