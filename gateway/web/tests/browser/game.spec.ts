// Whole games, from the lobby to a log that the program itself verifies.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { byKey, byMouse, byTouch, type Guest, play, pressByKey, tabTo } from '../guest';
import { atHome, still } from '../here';
import { program } from '../house';

const here = atHome();
const SHOWN = 8;

/** Opens the check, reads its verdict, downloads the log, and has the program verify it. */
async function checkGame(guest: Guest): Promise<string> {
  const { page } = guest;
  await guest.find('check').and(page.locator('[data-same="true"]')).waitFor();
  await guest.find('verdict').waitFor();
  const verdict = await guest.find('verdict').innerText();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the log' }).click(),
  ]);
  const file = join(here.house.data, download.suggestedFilename());
  await download.saveAs(file);
  const command = await page.locator('code.command').innerText();
  const seal = /--commitment ([0-9a-f]{64})$/.exec(command)![1]!;
  const { stdout } = await promisify(execFile)(program(), ['verify', file, '--commitment', seal]);
  const wrong = seal.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  await expect(promisify(execFile)(program(), ['verify', file, '--commitment', wrong])).rejects.toThrow();
  return `${verdict}\n${stdout}`;
}

describe('two people', () => {
  test('W1 P4: play a whole game by mouse, from the lobby to a verified log', async () => {
    const ada = await here.come();
    const ben = await here.come();
    await ada.lobby();
    await ada.rename('Ada');
    await ben.lobby();
    await ben.rename('Ben');

    await ada.button('Quick match').click();
    const drawn = await ada.seeDraw();
    await ada.find('waiting').waitFor();
    await ben.find('open-games').getByText('Ada').waitFor();
    await ben.button(/^Join/).click();
    const seen = await ben.seeDraw();
    expect(drawn === 'You go first').toBe(seen !== 'You go first');
    await ada.find('waiting').waitFor({ state: 'detached' });
    await ada.find('player-top').getByText('Ben', { exact: true }).waitFor();
    expect(ada.gameId()).toBe(ben.gameId());

    // Some moves are shown seed by seed; the others needn't be, which is a matter of the moment.
    let moves = await play([ada, ben], byMouse, SHOWN);
    for (const { page } of [ada, ben]) {
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('radio', { name: 'At once' }).check({ force: true });
      await page.keyboard.press('Escape');
    }
    moves += await play([ada, ben], byMouse);
    expect(moves).toBeGreaterThan(SHOWN);
    for (const guest of [ada, ben]) {
      await guest.find('game-over').waitFor();
      await expect.poll(() => guest.find('moves').locator('li').count()).toBe(moves);
    }
    const scores = (await ada.find('game-over').locator('dd').allInnerTexts()).map(Number);
    expect(scores[0]! + scores[1]!).toBe(48);
    expect((await ben.find('game-over').locator('dd').allInnerTexts()).map(Number)).toEqual(scores.toReversed());

    await ada.find('game-over').getByRole('button', { name: 'Check this game' }).click();
    const report = await checkGame(ada);
    expect(report).toContain('in that order');
    await ada.leave();
    await ben.leave();
  });

  test('W3 P4: play a whole game by keyboard alone, from the lobby to a verified log', async () => {
    const ada = await here.come();
    const ben = await here.come();
    for (const [guest, name] of [[ada, 'Ada'], [ben, 'Ben']] as const) {
      const { page } = guest;
      await guest.lobby();
      await pressByKey(page, 'Settings');
      await tabTo(page, (label) => label === 'Seed by seed');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Escape');
      await pressByKey(page, 'Change name');
      await page.getByLabel('Your name').and(page.locator(':focus')).waitFor();
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      await page.locator('header').getByText(name, { exact: true }).waitFor();
      await guest.find('lobby').and(page.locator('[data-ready="true"]')).waitFor();
    }
    await pressByKey(ada.page, 'Quick match');
    await ada.find('draw').waitFor();
    await ada.find('draw').locator('button.primary').waitFor();
    await pressByKey(ada.page, 'To the board');
    await ben.find('open-games').getByText('Ada').waitFor();
    await tabTo(ben.page, (label) => label.startsWith('Join') && label.includes('Ada'));
    await ben.page.keyboard.press('Enter');
    await ben.find('draw').locator('button.primary').waitFor();
    await pressByKey(ben.page, 'To the board');

    expect(await play([ada, ben], byKey)).toBeGreaterThan(8);
    await ben.find('game-over').waitFor();
    await pressByKey(ben.page, 'Check this game');
    await ben.find('verdict').waitFor();
    const download = ben.page.waitForEvent('download');
    await pressByKey(ben.page, 'Download the log');
    await download;
    expect(await checkGame(ben)).toContain('in that order');
    await ada.leave();
    await ben.leave();
  });

  test('W1 W3: meet by a link, on a phone and by touch', async () => {
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;
    const ada = await here.come({ ...still, hasTouch: true });
    const ben = await here.come({ ...phone, ...still });
    await ada.lobby();
    await ada.button('Play a friend').click();
    await ada.toBoard();
    const link = ada.page.url();
    await expect.poll(() => ada.page.getByLabel('Link to this game', { exact: true }).inputValue()).toBe(link);
    await ada.page.getByRole('img', { name: 'Code with the link' }).waitFor();

    const stranger = await here.come();
    await stranger.lobby();
    expect(await stranger.find('open-games').locator('li').count()).toBe(0);

    await ben.page.goto(link);
    await ben.button('Change name').tap();
    await ben.page.getByLabel('Your name').fill('Ben');
    await ben.button('Save').tap();
    await ben.page.locator('header').getByText('Ben', { exact: true }).waitFor();
    await ben.button('Take the seat').tap();
    await ben.find('draw').locator('button.primary').tap();
    await play([ada, ben], byTouch);
    await ada.find('game-over').waitFor();
    await ben.find('game-over').waitFor();
    await Promise.all([ada.leave(), ben.leave(), stranger.leave()]);
  });
});

describe('a robot', () => {
  test('W1: is played from the lobby to the end, and once more', async () => {
    const ada = await here.come(still);
    await ada.lobby();
    await ada.page.getByRole('radio', { name: '4' }).check({ force: true });
    await ada.button('Play robot 4').click();
    await ada.toBoard();
    await ada.find('player-top').getByText('Robot 4').waitFor();
    const first = ada.gameId();
    await play([ada], byMouse);
    await ada.find('game-over').waitFor();
    await ada.find('game-over').getByRole('button', { name: 'Check this game' }).click();
    expect(await checkGame(ada)).toContain('fixed before the first move');
    await ada.find('check').getByRole('button', { name: 'Close' }).click();
    await ada.find('result').getByRole('button', { name: 'Play again' }).click();
    await ada.page.waitForURL((url) => url.pathname !== `/game/${first}`);
    // Who goes first changes; nothing is drawn for it.
    await ada.find('series-box').nth(1).waitFor();
    expect(await ada.find('draw').count()).toBe(0);
    await ada.find('player-top').getByText('Robot 4').waitFor();
    await ada.leave();
  });

  test('W1: waits behind an address', async () => {
    const ada = await here.come(still);
    await ada.page.goto(`${here.house.origin}/?bot=3`);
    await ada.toBoard();
    await ada.find('player-top').getByText('Robot 3').waitFor();
    expect(await ada.page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
    await ada.page.goto(`${here.house.origin}/?bot=6`);
    await ada.find('notice').getByText('There are five robots').waitFor();
    await ada.page.waitForURL((url) => url.search === '');
    await expect.poll(() => ada.find('my-games').locator('li').count()).toBe(1);
    await ada.leave();
  });
});

describe('a game ends early', () => {
  test('by resigning, which asks first', async () => {
    const [ada, ben] = await here.seated();
    await play([ada, ben], byMouse, 2);
    await ada.button('Resign').click();
    await ada.button('Keep playing').click();
    await ada.button('Resign').click();
    await ada.confirm('Resign');
    await ada.find('game-over').getByText('You resigned.').waitFor();
    await ben.find('game-over').getByText('Your opponent resigned.').waitFor();
    await ben.find('game-over').getByRole('button', { name: 'Check this game' }).click();
    expect(await checkGame(ben)).toContain('in that order');
    await Promise.all([ada.leave(), ben.leave()]);
  });

  test('by leaving', async () => {
    const [ada, ben] = await here.seated();
    await play([ada, ben], byMouse, 1);
    await ada.button('Leave').click();
    await ada.confirm('Leave');
    await ada.find('lobby').waitFor();
    await ada.find('my-games').waitFor({ state: 'detached' });
    await ben.find('game-over').getByText('Your opponent left the game.').waitFor();
    await Promise.all([ada.leave(), ben.leave()]);
  });

  test('by calling it off while nobody has moved', async () => {
    const [ada, ben] = await here.seated();
    await ben.button('Call off').click();
    await ben.confirm('Call off');
    await ben.find('game-over').getByText('No result').waitFor();
    await ada.find('game-over').getByText('No result').waitFor();
    await Promise.all([ada.leave(), ben.leave()]);
  });

  test('by cancelling the search', async () => {
    const ada = await here.come(still);
    const ben = await here.come();
    await ben.lobby();
    await ada.lobby();
    await ada.button('Quick match').click();
    await ada.toBoard();
    await ben.find('open-games').locator('li').waitFor();
    await ada.button('Cancel the search').click();
    await ada.confirm('Cancel the search');
    await ada.find('lobby').waitFor();
    await ben.find('open-games').locator('li').waitFor({ state: 'detached' });
    await Promise.all([ada.leave(), ben.leave()]);
  });
});
