// The lobby and what surrounds a game: filters, seats that fill up, draws that are checked, names that are taken,
// and finished games that are looked at again.

import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../axe';
import { byMouse, Guest, play } from '../guest';
import { House, openBrowser } from '../house';

let house: House;
let browser: Browser;
const PATIENCE_MS = 45_000;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

async function come(options: BrowserContextOptions = {}): Promise<Guest> {
  const guest = await Guest.come(browser, house.origin, { reducedMotion: 'reduce', ...options });
  guest.context.setDefaultTimeout(PATIENCE_MS);
  return guest;
}

describe('the lobby', () => {
  test('W1: shows open games as they come, by kind and clock', async () => {
    const [ada, ben] = await Promise.all([come(), come()]);
    await Promise.all([ada.lobby(), ben.lobby()]);
    await ada.page.getByLabel('Clock', { exact: true }).selectOption({ label: '10+5' });
    await ada.button('Quick match').click();
    await ada.find('draw').waitFor();
    const list = ben.find('open-games').locator('li');
    await list.getByText('10+5').waitFor();
    await ben.page.getByLabel('Only with this clock').selectOption('days');
    await ben.page.getByText('Nobody waits for such a game').waitFor();
    await ben.page.getByLabel('Only with this clock').selectOption('live');
    await list.getByText('10+5').waitFor();
    await ben.page.getByLabel('Only this game').selectOption('crossword');
    await list.waitFor({ state: 'detached' });
    await ben.page.getByLabel('Only this game').selectOption('kalah');
    await list.getByText('10+5').waitFor();
    await Promise.all([ada.leave(), ben.leave()]);
  });

  test('W1: shows seats filling up, in the lobby and at the table', async () => {
    const [ada, ben, cleo] = await Promise.all([come(), come(), come()]);
    await ada.lobby();
    await ada.page.getByRole('radio', { name: 'Crossword' }).check({ force: true });
    await ada.page.getByText('Rules of this game').click();
    await ada.page.locator('.rules').getByRole('radio', { name: '3', exact: true }).check({ force: true });
    await ada.button('Quick match').click();
    await ada.find('draw').locator('button.primary').click();
    await ada.find('seated').getByText('1 of 3 seats taken').waitFor();
    await cleo.lobby();
    await cleo.find('open-games').getByText('1 of 3 seats taken').waitFor();
    await ben.lobby();
    await ben.button(/^Join.*Crossword/).click();
    await ada.find('seated').getByText('2 of 3 seats taken').waitFor();
    await cleo.find('open-games').getByText('2 of 3 seats taken').waitFor();
    await cleo.button(/^Join.*Crossword/).click();
    await ada.find('waiting').waitFor({ state: 'detached' });
    await Promise.all([ada.leave(), ben.leave(), cleo.leave()]);
  });

  test('D13: a draw is checked in the browser', async () => {
    const ada = await come();
    await ada.page.goto(`${house.origin}/?bot=1`);
    await ada.button('Check this draw').click();
    await ada.page.locator('[data-testid="draw-check"][data-good="true"]').waitFor();
    await ada.find('draw-check').getByText('What proves it').click();
    expect(await ada.find('draw-check').locator('li').count()).toBeGreaterThan(1);
    expect(await findings(ada.page)).toEqual([]);
    await ada.leave();
  });
});

test('G8: a guest takes a name, goes on with it elsewhere, and goes for good', async () => {
  const name = 'Ada of Astragal';
  const password = 'nine letters';
  const ada = await come();
  await ada.lobby();
  await ada.button(/^Your account/).click();
  await ada.page.getByLabel('Name', { exact: true }).fill(name);
  await ada.page.getByLabel('Password').fill(password);
  expect(await findings(ada.page)).toEqual([]);
  await ada.button('Take this name').click();
  await ada.page.locator('header').getByText(name, { exact: true }).waitFor();
  expect(await ada.button('Change name').count()).toBe(0);

  const elsewhere = await come({ colorScheme: 'dark' });
  await elsewhere.lobby();
  await elsewhere.button(/^Your account/).click();
  await elsewhere.page.getByLabel('Name', { exact: true }).fill(name.toUpperCase());
  await elsewhere.page.getByLabel('Password').fill(password);
  await elsewhere.button('Take this name').click();
  await elsewhere.find('account-failure').getByText('That name is taken.').waitFor();
  await elsewhere.button('I have a name already').click();
  await elsewhere.page.getByLabel('Name', { exact: true }).fill(name);
  await elsewhere.page.getByLabel('Password').fill('not this one');
  await elsewhere.button('Sign in').click();
  await elsewhere.find('account-failure').getByText('Name or password is wrong.').waitFor();
  expect(await findings(elsewhere.page)).toEqual([]);
  await elsewhere.page.getByLabel('Password').fill(password);
  await elsewhere.button('Sign in').click();
  await elsewhere.page.locator('header').getByText(name, { exact: true }).waitFor();
  const accounts = await Promise.all(
    [ada, elsewhere].map(({ page }) => page.evaluate(() => (JSON.parse(localStorage.getItem('astragal.guest')!) as { accountId: string }).accountId)),
  );
  expect(accounts[0]).toBe(accounts[1]);

  await elsewhere.button(/^Your account/).click();
  expect(await findings(elsewhere.page)).toEqual([]);
  await elsewhere.button('Sign out').first().click();
  await elsewhere.page.locator('header').getByText(name, { exact: true }).waitFor({ state: 'detached' });
  await ada.button(/^Your account/).click();
  await ada.button('Delete the account').click();
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete the account' }).click();
  await ada.page.locator('header').getByText(name, { exact: true }).waitFor({ state: 'detached' });
  await ada.lobby();
  await Promise.all([ada.leave(), elsewhere.leave()]);
});

test('P4: a finished game is stepped through, by link without its end, and listed', async () => {
  const ada = await come();
  await ada.page.goto(`${house.origin}/?bot=1`);
  await ada.find('draw').locator('button.primary').click();
  await play([ada], byMouse, 3);
  await ada.turn();
  await ada.button('Resign').click();
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await ada.find('game-over').getByRole('button', { name: 'See the board' }).click();
  const gameId = ada.gameId();
  const replay = ada.find('replay');
  await ada.page.locator('[data-testid="replay"][data-last]').waitFor();
  const last = Number(await replay.getAttribute('data-last'));
  const ended = await ada.counts();
  await replay.getByRole('button', { name: 'To the beginning' }).click();
  await ada.page.locator('[data-testid="replay"][data-at="0"]').waitFor();
  expect((await ada.counts()).filter((seeds) => seeds === 4)).toHaveLength(12);
  for (let step = 1; step <= last; step += 1) {
    await replay.getByRole('button', { name: 'One step on' }).click();
    await ada.page.locator(`[data-testid="replay"][data-at="${step}"]`).waitFor();
  }
  expect(await ada.counts()).toEqual(ended);
  await replay.getByRole('button', { name: 'One step back' }).focus();
  await ada.page.keyboard.press('Home');
  await ada.page.locator('[data-testid="replay"][data-at="0"]').waitFor();
  await replay.getByRole('button', { name: 'Play by itself' }).click();
  await ada.page.locator('[data-testid="replay"][data-at="2"]').waitFor();
  await replay.getByRole('button', { name: 'Pause' }).click();
  expect(await findings(ada.page)).toEqual([]);

  const [certificate] = await Promise.all([
    ada.page.waitForEvent('download'),
    ada.page.getByRole('link', { name: 'Download the certificate' }).click(),
  ]);
  expect(certificate.suggestedFilename()).toContain(gameId);

  // Somebody else follows a link to a step: the end stays hidden until they want it.
  const ben = await come({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
  await ben.page.goto(`${house.origin}/game/${gameId}?step=1`);
  await ben.page.locator('[data-testid="replay"][data-at="1"]').waitFor();
  expect(await ben.find('result').count()).toBe(0);
  expect(await ben.find('moves').locator('li').count()).toBe(1);
  expect(await ben.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  expect(await findings(ben.page)).toEqual([]);
  await ben.button('Show how it ended').click();
  await ben.find('result').waitFor();
  await ben.leave();

  await ada.lobby();
  await ada.page.getByRole('link', { name: 'All my games' }).click();
  const listed = ada.find('past').locator('li').first();
  await listed.getByText('You lost').waitFor();
  expect(await findings(ada.page)).toEqual([]);
  await listed.getByRole('link', { name: 'Watch it from the beginning' }).click();
  await ada.page.locator('[data-testid="replay"][data-at="0"]').waitFor();
  expect(await ada.find('result').count()).toBe(0);
  await ada.leave();
});

test('P4: a finished game of crossword is seen through anybody’s eyes', async () => {
  const ada = await come();
  await ada.lobby();
  await ada.page.getByRole('radio', { name: 'Crossword' }).check({ force: true });
  await ada.button('Play robot 2').click();
  await ada.find('draw').locator('button.primary').click();
  await ada.button('Pass').click();
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Pass' }).click();
  const name = await ada.page.locator('header .name').innerText();
  await ada.button('Resign').click();
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await ada.find('game-over').getByRole('button', { name: 'See the board' }).click();
  await ada.find('replay').getByRole('button', { name: 'To the beginning' }).click();
  const hands = ada.find('hands').locator('dt');
  await ada.page.waitForFunction(() => document.querySelectorAll('[data-testid="hands"] dt').length === 2);
  await ada.find('replay').getByRole('combobox').selectOption({ label: name });
  await ada.page.waitForFunction(() => document.querySelectorAll('[data-testid="hands"] dt').length === 1);
  expect(await hands.innerText()).toBe(name);
  expect(await findings(ada.page)).toEqual([]);
  await ada.leave();
});
