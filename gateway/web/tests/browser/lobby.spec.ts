// The lobby and what surrounds a game: filters, seats that fill up, draws that are checked, names that are taken,
// and finished games that are looked at again.

import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findings } from '../axe';
import { byMouse, type Guest, play } from '../guest';
import { atHome, still } from '../here';
import { overflow } from '../parlour';
import { draw, GAME_ID, kalahTable, ORIGIN, setStage } from '../stage';

const here = atHome();

const come = (options: BrowserContextOptions = {}): Promise<Guest> => here.come({ ...still, ...options });

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
    await ada.toBoard();
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

  test('W1: says how each game is played, in the lobby and at the table', async () => {
    const ada = await come();
    await ada.lobby();
    await ada.page.getByText('Rules of this game').click();
    await ada.page.getByText('If the last seed falls into your store, you go again.').waitFor();
    await ada.page.getByRole('radio', { name: 'Crossword' }).check({ force: true });
    await ada.page.getByText('The first word covers the centre').waitFor();
    await ada.button('Play robot 2').click();
    await ada.toBoard();
    await ada.page.getByText('How it is played').click();
    await ada.page.getByText('The first word covers the centre').waitFor();
    expect(await findings(ada.page)).toEqual([]);
    await ada.leave();
  });

  test('D13: a draw is checked in the browser', async () => {
    const ada = await come();
    await ada.page.goto(`${here.house.origin}/?bot=1`);
    await ada.button('Check this draw').click();
    await ada.page.locator('[data-testid="draw-check"][data-good="true"]').waitFor();
    await ada.find('draw-check').getByText('What proves it').click();
    await ada.find('draw-check').locator('li').nth(1).waitFor();
    expect(await findings(ada.page)).toEqual([]);
    await ada.leave();
  });

  test('a long draw can be cut short', async () => {
    const ada = await here.come();
    const ties = Array.from({ length: 60 }, (): [string, number][] => [['E', 4], ['E', 4]]);
    const rounds: [string, number][][] = [...ties, [['E', 4], ['K', 10]]];
    await setStage(ada.page, { tables: [kalahTable({ draw: draw(rounds, 0) })] });
    await ada.page.goto(`${ORIGIN}/game/${GAME_ID}`);
    await ada.button('Skip').click();
    await ada.find('draw').and(ada.page.locator(`[data-open="${2 * rounds.length}"]`)).waitFor();
    expect(await ada.find('draw-result').innerText()).toBe('You go first');
    await ada.toBoard();
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
  await ada.button('Change name').waitFor({ state: 'detached' });

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
  await ada.confirm('Delete the account');
  await ada.page.locator('header').getByText(name, { exact: true }).waitFor({ state: 'detached' });
  await ada.lobby();
  await Promise.all([ada.leave(), elsewhere.leave()]);
});

test('G8: another password ends the sessions that were begun with the old one', async () => {
  const name = 'Ben of Astragal';
  const [ben, elsewhere] = await Promise.all([come(), come()]);
  const openAccount = async (guest: Guest) => {
    await guest.lobby();
    await guest.button(/^Your account/).click();
  };
  const signIn = async (guest: Guest, password: string) => {
    await openAccount(guest);
    await guest.button('I have a name already').click();
    await guest.page.getByLabel('Name', { exact: true }).fill(name);
    await guest.page.getByLabel('Password').fill(password);
    await guest.button('Sign in').click();
  };
  const change = async (old: string, chosen: string) => {
    await ben.page.getByLabel('Old password').fill(old);
    await ben.page.getByLabel('New password').fill(chosen);
    await ben.button('Change the password').click();
  };
  await openAccount(ben);
  await ben.page.getByLabel('Name', { exact: true }).fill(name);
  await ben.page.getByLabel('Password').fill('nine letters');
  await ben.button('Take this name').click();
  await ben.page.locator('header').getByText(name, { exact: true }).waitFor();
  await signIn(elsewhere, 'nine letters');
  await elsewhere.page.locator('header').getByText(name, { exact: true }).waitFor();

  await openAccount(ben);
  await ben.button('Change the password').click();
  expect(await findings(ben.page)).toEqual([]);
  await change('not this one', 'ten letters');
  await ben.find('account-failure').getByText('The old password is wrong.').waitFor();
  await change('nine letters', 'ten letters');
  await ben.page.getByText('The password is changed.').waitFor();
  await ben.lobby();
  await ben.page.locator('header').getByText(name, { exact: true }).waitFor();

  await elsewhere.page.evaluate(() => localStorage.removeItem('astragal.guest'));
  await signIn(elsewhere, 'nine letters');
  await elsewhere.find('account-failure').getByText('Name or password is wrong.').waitFor();
  await elsewhere.page.getByLabel('Password').fill('ten letters');
  await elsewhere.button('Sign in').click();
  await elsewhere.page.locator('header').getByText(name, { exact: true }).waitFor();
  await Promise.all([ben.leave(), elsewhere.leave()]);
});

test('P4: a finished game is stepped through, by link without its end, and listed', async () => {
  const ada = await come();
  await ada.page.goto(`${here.house.origin}/?bot=1`);
  await ada.toBoard();
  await play([ada], byMouse, 3);
  await ada.turn();
  await ada.button('Resign').click();
  await ada.confirm('Resign');
  await ada.find('game-over').getByRole('button', { name: 'See the board' }).click();
  const gameId = ada.gameId();
  const replay = ada.find('replay');
  await ada.page.locator('[data-testid="replay"][data-last]').waitFor();
  const last = Number(await replay.getAttribute('data-last'));
  const ended = await ada.counts();
  await replay.getByRole('button', { name: 'To the beginning' }).click();
  await ada.page.locator('[data-testid="replay"][data-at="0"]').waitFor();
  await expect.poll(async () => (await ada.counts()).filter((seeds) => seeds === 4)).toHaveLength(12);
  for (let step = 1; step <= last; step += 1) {
    await replay.getByRole('button', { name: 'One step on' }).click();
    await ada.page.locator(`[data-testid="replay"][data-at="${step}"]`).waitFor();
  }
  await expect.poll(() => ada.counts()).toEqual(ended);
  await replay.getByRole('button', { name: 'One step back' }).focus();
  await ada.page.keyboard.press('Home');
  await ada.page.locator('[data-testid="replay"][data-at="0"]').waitFor();
  // It goes on by itself until it is stopped, and at the end stops by itself.
  const playing = replay.getByRole('button', { name: 'Play by itself' });
  // In this page no time passes until it is stopped, so that it can't come to the end before.
  const now = await ada.page.evaluate(() => Date.now());
  await ada.page.clock.install({ time: now });
  await ada.page.clock.pauseAt(now + 1_000);
  await playing.focus();
  await ada.page.keyboard.press('Enter');
  await replay.getByRole('button', { name: 'Pause' }).and(ada.page.locator(':focus')).waitFor();
  await ada.page.keyboard.press('Enter');
  await playing.and(ada.page.locator(':focus')).waitFor();
  await ada.page.clock.resume();
  await replay.getByRole('slider').fill(`${last - 1}`);
  await ada.page.locator(`[data-testid="replay"][data-at="${last - 1}"]`).waitFor();
  await playing.click();
  await ada.page.locator(`[data-testid="replay"][data-at="${last}"]`).waitFor();
  await playing.waitFor();
  expect(await findings(ada.page)).toEqual([]);

  const [certificate] = await Promise.all([
    ada.page.waitForEvent('download'),
    ada.page.getByRole('link', { name: 'Download the certificate' }).click(),
  ]);
  expect(certificate.suggestedFilename()).toContain(gameId);

  // Somebody else follows a link to a step: the end stays hidden until they want it.
  const ben = await come({ viewport: { width: 360, height: 740 }, colorScheme: 'dark' });
  await ben.page.goto(`${here.house.origin}/game/${gameId}?step=1`);
  await ben.page.locator('[data-testid="replay"][data-at="1"]').waitFor();
  expect(await ben.find('result').count()).toBe(0);
  await expect.poll(() => ben.find('moves').locator('li').count()).toBe(1);
  await expect.poll(() => overflow(ben)).toBe(0);
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
  await ada.toBoard();
  await ada.button('Pass').click();
  await ada.confirm('Pass');
  // The robot has answered when it is our turn again.
  await ada.find('moves').locator('li').nth(1).waitFor();
  await ada.page.locator('[data-testid="board"][data-may-move="true"]').waitFor();
  const name = await ada.page.locator('header .name').innerText();
  await ada.button('Resign').click();
  await ada.confirm('Resign');
  await ada.find('game-over').getByRole('button', { name: 'See the board' }).click();
  await ada.find('replay').getByRole('button', { name: 'To the beginning' }).click();
  const hands = ada.find('hands').locator('dt');
  await expect.poll(() => hands.count()).toBe(2);
  await ada.find('replay').getByRole('combobox').selectOption({ label: name });
  await expect.poll(() => hands.count()).toBe(1);
  expect(await hands.innerText()).toBe(name);
  await ada.find('unseen').getByText('86 in the bag, 7 on other racks').waitFor();
  expect(await findings(ada.page)).toEqual([]);

  // Step by step the board has what the timeline says, and the line below it tells who did what.
  await ada.find('replay').getByRole('combobox').selectOption({ label: 'everybody' });
  const text = await (await fetch(`${here.house.origin}/v1/tables/${ada.gameId()}/timeline`)).text();
  const steps = text.trim().split('\n').slice(1).map((line) => JSON.parse(line) as { number: number; seat?: number; view: { board: string[]; bag: number } });
  expect(steps.length).toBeGreaterThan(3);
  for (const { number, view } of steps.slice(1, -1)) {
    await ada.find('replay').getByRole('button', { name: 'One step on' }).click();
    await ada.page.locator(`[data-testid="replay"][data-at="${number}"]`).waitFor();
    await ada.find('turn').getByText(/ (played|passed|exchanged) ?/).waitFor();
    await ada.find('unseen').getByText(`In the bag: ${view.bag}`).waitFor();
    const lying = view.board.join('').replaceAll('.', '').length;
    await expect.poll(() => ada.page.locator('[data-square] .letter').count()).toBe(lying);
  }
  await ada.leave();
});
