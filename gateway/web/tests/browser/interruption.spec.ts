// What gets in between: a reload, a server that goes away, a second tab.

import { expect, test } from 'vitest';
import { byMouse, play } from '../guest';
import { atHome } from '../here';

const here = atHome();

test('G4: a reload in mid-game brings back the board, the moves and the turn', async () => {
  const [ada, ben] = await here.seated();
  await play([ada, ben], byMouse, 5);
  const [counts, revision] = [await ada.counts(), await ada.revision()];
  for (const guest of [ada, ben]) {
    await guest.page.reload();
    await guest.page.locator(`[data-testid="table"][data-revision="${revision}"]`).waitFor();
    await guest.find('moves').locator('li').nth(4).waitFor();
    expect(await guest.find('draw').count()).toBe(0);
    await expect.poll(() => guest.page.locator('.hollow.from').count()).toBe(1);
  }
  await expect.poll(() => ada.counts()).toEqual(counts);
  await play([ada, ben], byMouse, 3);
  // The lobby leads back as well.
  await ada.lobby();
  await ada.find('my-games').getByRole('link').click();
  await play([ada, ben], byMouse);
  await ada.find('game-over').waitFor();
  await Promise.all([ada.leave(), ben.leave()]);
});

test.each(['SIGTERM', 'SIGKILL'] as const)('G4 G7: after %s of the server the page goes on without a reload', async (signal) => {
  const [ada, ben] = await here.seated();
  await play([ada, ben], byMouse, 4);
  const begun = await Promise.all([ada, ben].map(({ page }) => page.evaluate(() => performance.timeOrigin)));
  // Whoever may move has the newest revision; both have it before the server goes away.
  const before = await Promise.race([ada, ben].map(async (guest) => (await guest.turn(), guest.revision())));
  const shown = (revision: number) =>
    [ada, ben].map((guest) => guest.page.locator(`[data-testid="table"][data-revision="${revision}"]`).waitFor());
  await Promise.all(shown(before));

  await here.house.stop(signal);
  await Promise.all([ada, ben].map((guest) => guest.find('connection-lost').waitFor()));
  // A move that is made now waits for the server, and is applied once.
  const ready = await Promise.race([ada, ben].map(async (guest) => ({ guest, pits: await guest.turn() })));
  await byMouse(ready.guest.page, ready.pits[0]!);
  await ready.guest.find('turn').getByText('Sending your move').waitFor();
  await here.house.start();
  await Promise.all(shown(before + 1));
  await Promise.all([ada, ben].map((guest) => guest.find('connection-lost').waitFor({ state: 'detached' })));

  await play([ada, ben], byMouse);
  for (const guest of [ada, ben]) {
    await guest.find('game-over').waitFor();
    await guest.find('game-over').getByRole('button', { name: 'Check this game' }).click();
    await guest.find('verdict').getByText('in that order').waitFor();
  }
  expect(await Promise.all([ada, ben].map(({ page }) => page.evaluate(() => performance.timeOrigin)))).toEqual(begun);
  await Promise.all([ada.leave(), ben.leave()]);
});

test('L12: a move is taken back on both boards, and the game goes on', async () => {
  const [ada, ben] = await here.seated();
  const { mover, pits } = await Promise.race([ada, ben].map(async (guest) => ({ mover: guest, pits: await guest.turn() })));
  const other = mover === ada ? ben : ada;
  expect(pits).toHaveLength(6);
  await byMouse(mover.page, 1);
  await other.turn();
  await mover.button('Take back').click();
  expect(await mover.turn()).toHaveLength(6);
  for (const guest of [mover, other]) {
    await guest.find('moves').getByText('taken back').waitFor();
    await expect.poll(() => guest.counts()).toEqual([4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0]);
    await expect.poll(() => guest.page.locator('.hollow.from').count()).toBe(0);
  }
  await play([ada, ben], byMouse, 3);
  await Promise.all([ada.leave(), ben.leave()]);
});

test('G4: two tabs of one player show the same, and either may move', async () => {
  const [ada, ben] = await here.seated();
  const tab = await ada.context.newPage();
  ada.listen(tab);
  await tab.goto(ada.page.url());
  await tab.locator('[data-testid="table"]').waitFor();
  await play([ada, ben], byMouse, 3);
  const revision = await ada.revision();
  await tab.locator(`[data-testid="table"][data-revision="${revision}"]`).waitFor();
  const counts = (await ada.counts()).map(String);
  await expect.poll(() => tab.locator('.count').allInnerTexts()).toEqual(counts);

  // Ben moves until it is Ada's turn; then the other tab moves.
  while ((await Promise.race([ada, ben].map(async (guest) => ({ guest, pits: await guest.turn() })))).guest === ben) {
    await play([ben], byMouse, 1);
  }
  const now = await ada.revision();
  await tab.locator('[data-pit][aria-disabled="false"]').first().click();
  await ada.page.locator(`[data-testid="table"][data-revision="${now + 1}"]`).waitFor();
  await Promise.all([ada.leave(), ben.leave()]);
});

test('a tab that signed up under another name takes the others along', async () => {
  const ada = await here.come();
  await ada.lobby();
  const tab = await ada.context.newPage();
  await tab.goto(here.house.origin);
  await tab.locator('[data-testid="lobby"][data-ready="true"]').waitFor();
  await ada.rename('Augusta');
  await tab.locator('header').getByText('Augusta', { exact: true }).waitFor();
  await ada.leave();
});
