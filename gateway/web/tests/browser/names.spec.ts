// The longest names that there can be, on a phone: nothing is pushed out of the window, and the head of the page keeps
// its parts apart.

import { describe, expect, test } from 'vitest';
import { type Guest } from '../guest';
import { onStage, still } from '../here';
import { overflow } from '../parlour';
import { longNames, WIDEST } from '../shots/names';
import { seriesOf } from '../shots/series';
import { GAME_ID, kalahTable, ORIGIN, setStage, type Scene } from '../stage';

const here = onStage();

async function visit(locale: string, path: string, scene: Scene): Promise<Guest> {
  const ada = await here.come({ ...still, locale, viewport: { width: 360, height: 740 } });
  await ada.page.addInitScript((id) => localStorage.setItem('astragal.draws', JSON.stringify([id])), GAME_ID);
  await setStage(ada.page, scene);
  await ada.page.goto(ORIGIN + path);
  await ada.page.waitForFunction((tongue) => document.documentElement.lang === tongue, locale.slice(0, 2));
  await ada.page.locator('[data-testid="table"][data-revision], [data-testid="lobby"][data-ready="true"]').waitFor();
  return ada;
}

/** What in the head of the page is outside of it, or lies over its neighbour. */
const misplaced = ({ page }: Guest): Promise<string[]> =>
  page.locator('header').evaluate((header) => {
    const box = header.getBoundingClientRect();
    const faults: string[] = [];
    const inside = (name: string, { left, right, top, bottom }: DOMRect) => {
      if (left < 0 || right > innerWidth || top < box.top || bottom > box.bottom) {
        faults.push(`${name} is outside`);
      }
    };
    const parts = [...header.children].map((part) => ({ name: part.className, at: part.getBoundingClientRect() }));
    parts.forEach(({ name, at }, k) => {
      inside(name, at);
      if (k > 0 && at.left < parts[k - 1]!.at.right) {
        faults.push(`${name} lies over ${parts[k - 1]!.name}`);
      }
    });
    inside('the name itself', header.querySelector('bdi')!.getBoundingClientRect());
    return faults;
  });

const over = { phase: 'over', toMove: [], outcome: { results: ['lost', 'won'], winner: 1, reason: 'finished', scores: [20, 28] }, rematch: 'available' };

describe.each(['en-GB', 'tr-TR', 'ru-RU'])('W3: %s', (locale) => {
  test.each([
    ['in the lobby', '/', longNames()],
    ['at a table', `/game/${GAME_ID}`, longNames({ series: seriesOf(5) })],
    ['after a game', `/game/${GAME_ID}`, longNames({ ...over, series: seriesOf(2) })],
  ])('the longest names find their place %s', async (_, path, scene) => {
    const ada = await visit(locale, path, scene);
    await expect.poll(() => misplaced(ada)).toEqual([]);
    await expect.poll(() => overflow(ada)).toBe(0);
    // What is cut for the eye is read out whole.
    await ada.page.locator('header').getByRole('button', { name: WIDEST }).waitFor();
    await ada.leave();
  });
});

test.each(['Guest 1234', 'Marie Sklodowska Curie'])('W3: “%s” is not cut in the head of a phone', async (name) => {
  const ada = await visit('en-GB', '/', { name, tables: [kalahTable()] });
  const isWhole = () => ada.page.locator('header bdi').evaluate((one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight);
  await expect.poll(isWhole).toBe(true);
  await ada.leave();
});
