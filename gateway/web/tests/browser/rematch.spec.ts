// Rematches between real browsers and the real server: asked, accepted, declined, left, over reloads and tabs, with
// people who watch, and with a robot.

import { describe, expect, test } from 'vitest';
import { byMouse, type Guest, PATIENCE_MS, play } from '../guest';
import { atHome, still } from '../here';

const here = atHome();
/** So long an answer is awaited. */
const ANSWER_MS = 60_000;

/** Two at a table of their own, with the draw behind them. */
async function seated(match?: string): Promise<[Guest, Guest]> {
  const [ada, ben] = await Promise.all([here.come(still), here.come(still)]);
  await ada.lobby();
  await ada.rename('Ada');
  await ben.lobby();
  await ben.rename('Ben');
  if (match) {
    await ada.page.getByLabel('Match').selectOption({ label: match });
  }
  await ada.button('Play a friend').click();
  await ada.toBoard();
  await ben.page.goto(ada.page.url());
  await ben.button('Take the seat').click();
  await ben.toBoard();
  return [ada, ben];
}

/** A move is made, then one resigns. */
async function resign(loser: Guest, winner: Guest): Promise<void> {
  await play([loser, winner], byMouse, 1);
  await loser.button('Resign').click();
  await loser.confirm('Resign');
  await Promise.all([loser, winner].map((guest) => guest.find('game-over').waitFor()));
}

const press = (guest: Guest, name: string) => guest.find('game-over').getByRole('button', { name }).click();

/** Resolves when the page shows another game than that one. */
async function next(guest: Guest, before: string): Promise<string> {
  await guest.page.waitForURL((url) => /^\/game\//.test(url.pathname) && url.pathname !== `/game/${before}`);
  await guest.page.locator('[data-testid="table"][data-revision]').waitFor();
  return guest.gameId();
}

interface Told {
  firstSeat: number;
  series: { id: string; games: { gameId: string; firstSeat: number }[] };
}
const told = async (gameId: string) => (await (await fetch(`${here.house.origin}/v1/tables/${gameId}`)).json()) as Told;

let asking: Promise<[Guest, Guest]> | undefined;
/** Two of whom the first asks and the second doesn't answer. It begins once, and takes as long as the server waits. */
function unanswered(): Promise<[Guest, Guest]> {
  return (asking ??= (async () => {
    const [ada, ben] = await seated();
    for (const guest of [ada, ben]) {
      guest.context.setDefaultTimeout(ANSWER_MS + PATIENCE_MS);
    }
    await resign(ben, ada);
    await press(ada, 'Rematch');
    await ben.find('countdown').first().waitFor();
    return [ada, ben];
  })());
}

const leave = (...guests: Guest[]) => Promise.all(guests.map((guest) => guest.leave()));

describe('W1: a rematch', () => {
  test('R1: is asked for, and counted down for who is asked', async () => {
    const [ada, ben] = await unanswered();
    await ada.find('game-over').getByText('Waiting for').waitFor();
    await ben.find('game-over').getByText('wants a rematch').waitFor();
  });

  test('R1 R9 W2: is asked for and accepted, the other goes first, and who watches is led on', async () => {
    const [ada, ben] = await seated();
    const first = ada.gameId();
    const cleo = await here.come(still);
    await cleo.page.goto(ada.page.url());
    await cleo.find('turn').getByText('You are watching').waitFor();
    await resign(ben, ada);
    await cleo.find('result').waitFor();
    expect(await cleo.page.getByRole('button', { name: 'Rematch' }).count()).toBe(0);

    await press(ada, 'Rematch');
    await ada.find('game-over').getByText('Waiting for').waitFor();
    await ben.find('game-over').getByText('wants a rematch').waitFor();
    await press(ben, 'Rematch');
    const [second] = await Promise.all([ada, ben, cleo].map((guest) => next(guest, first)));
    expect([ben.gameId(), cleo.gameId()]).toEqual([second, second]);

    const [before, after] = [await told(first), await told(second!)];
    expect(after.series.id).toBe(before.series.id);
    expect(after.series.games.map(({ gameId }) => gameId)).toEqual([first]);
    expect(after.firstSeat).toBe(1 - before.firstSeat);
    for (const guest of [ada, ben, cleo]) {
      await expect.poll(() => guest.find('series-box').count()).toBe(2);
    }
    await expect.poll(() => ada.find('series-score').innerText()).toMatch(/You\s*1\s*–\s*0\s*Ben/);
    await expect.poll(() => ben.find('series-score').innerText()).toMatch(/You\s*0\s*–\s*1\s*Ada/);
    expect(await cleo.find('series-score').innerText()).not.toContain('You');

    // A box leads to the finished game, in a tab of its own.
    const [tab] = await Promise.all([ada.context.waitForEvent('page'), ada.find('series-box').first().click()]);
    await tab.getByTestId('result').waitFor();
    expect(new URL(tab.url()).pathname).toBe(`/game/${first}`);
    expect(ada.gameId()).toBe(second);
    // Somebody who comes back to it finds the way to the game that goes on.
    await tab.getByTestId('result').getByRole('link', { name: 'To your next game' }).waitFor();
    await tab.close();

    // The third game begins as the first did.
    await resign(ada, ben);
    await press(ben, 'Rematch');
    await ada.find('game-over').getByText('wants a rematch').waitFor();
    await press(ada, 'Rematch');
    const third = await next(ada, second!);
    expect((await told(third)).firstSeat).toBe(before.firstSeat);
    await expect.poll(() => ada.find('series-box').count()).toBe(3);
    await leave(ada, ben, cleo);
  });

  test('R1: is declined, in two languages', async () => {
    const [ada, ben] = await seated();
    await resign(ben, ada);
    for (const [guest, tongue] of [[ada, 'tr'], [ben, 'ru']] as const) {
      await guest.page.evaluate((one) => localStorage.setItem('astragal.language', JSON.stringify(one)), tongue);
      await guest.page.reload();
      await guest.find('result').waitFor();
    }
    await ada.find('result').getByRole('button', { name: 'Rövanş' }).click();
    await ben.find('game-over').getByText('хочет реванш').waitFor();
    await ben.find('game-over').getByRole('button', { name: 'Нет' }).click();
    await ben.find('game-over').getByText('вы отказались').waitFor();
    await ada.find('result').getByText('rövanş istemiyor').waitFor();
    expect(await ada.find('result').getByRole('button', { name: 'Rövanş' }).count()).toBe(0);
    await ada.find('result').getByRole('button', { name: 'Yeni oyun' }).waitFor();
    await leave(ada, ben);
  });

  test('R1: is withdrawn, asked for again, and ends when one goes on to another game', async () => {
    const [ada, ben] = await seated();
    await resign(ben, ada);
    await press(ada, 'Rematch');
    await ben.find('game-over').getByText('wants a rematch').waitFor();
    await press(ada, 'Cancel');
    await ada.find('game-over').getByText('You took your request back.').waitFor();
    await ben.find('game-over').getByText('took the request back').waitFor();
    await press(ada, 'Rematch');
    await ben.find('game-over').getByText('wants a rematch').waitFor();
    // Another tab of theirs finds somebody else to play.
    const tab = await ben.context.newPage();
    await tab.goto(here.house.origin);
    await tab.getByRole('button', { name: 'Play robot 2' }).click();
    await ada.find('game-over').getByText('plays elsewhere now').waitFor();
    await ben.find('game-over').getByText('You have gone on to another game.').waitFor();
    expect(await ada.find('game-over').getByRole('button', { name: 'Rematch' }).count()).toBe(0);
    await leave(ada, ben);
  });

  test('R1: is not offered after a game that was left', async () => {
    const [ada, ben] = await seated();
    await play([ada, ben], byMouse, 1);
    await ben.button('Leave').click();
    await ben.confirm('Leave');
    await ada.find('game-over').getByRole('button', { name: 'New game' }).waitFor();
    expect(await ada.find('game-over').getByRole('button', { name: 'Rematch' }).count()).toBe(0);
    await leave(ada, ben);
  });

  test('R8: outlives reloads, and is known and followed in every tab', async () => {
    const [ada, ben] = await seated();
    const first = ada.gameId();
    const tab = await ada.context.newPage();
    await tab.goto(ada.page.url());
    await resign(ben, ada);
    await tab.getByTestId('game-over').waitFor();
    await press(ada, 'Rematch');
    await ada.find('countdown').first().waitFor();
    await ada.page.reload();
    await ada.find('rematch-line').getByText('Waiting for').first().waitFor();
    const left = async () => Number(await ada.find('countdown').first().getAttribute('data-seconds'));
    // The page may have heard the server's time late.
    await expect.poll(left).toBeLessThanOrEqual(ANSWER_MS / 1000);
    expect(await left()).toBeGreaterThan(0);
    await ben.page.reload();
    await ben.find('game-over').getByText('wants a rematch').waitFor();
    await press(ben, 'Rematch');
    const second = await next(ben, first);
    await Promise.all([ada.page, tab].map((page) => page.waitForURL((url) => url.pathname === `/game/${second}`)));
    await leave(ada, ben);
  });

  test('R12: can be asked for again after the next game was called off', async () => {
    const [ada, ben] = await seated();
    const first = ada.gameId();
    await resign(ben, ada);
    await press(ada, 'Rematch');
    await ben.find('game-over').getByText('wants a rematch').waitFor();
    await press(ben, 'Rematch');
    const [second] = await Promise.all([ada, ben].map((guest) => next(guest, first)));
    const calledOff = await told(second!);
    await ben.button('Call off').click();
    await ben.confirm('Call off');
    await ada.find('game-over').getByText('No result').waitFor();
    await press(ada, 'Rematch');
    await ben.find('game-over').getByText('wants a rematch').waitFor();
    await press(ben, 'Rematch');
    const [third] = await Promise.all([ada, ben].map((guest) => next(guest, second!)));
    const after = await told(third!);
    expect(after.firstSeat).toBe(calledOff.firstSeat);
    expect(after.series.games.map(({ gameId }) => gameId)).toEqual([first]);
    await leave(ada, ben);
  });

  test('R10: of three seats waits for all, and one who declines ends it for all', async () => {
    const people = await Promise.all([1, 2, 3].map(() => here.come(still)));
    const [ada, ben, cleo] = people as [Guest, Guest, Guest];
    await ada.lobby();
    await ada.page.getByRole('radio', { name: 'Crossword' }).check({ force: true });
    await ada.page.getByText('Rules of this game').click();
    await ada.page.locator('.rules').getByRole('radio', { name: '3', exact: true }).check({ force: true });
    await ada.button('Play a friend').click();
    await ada.toBoard();
    for (const guest of [ben, cleo]) {
      await guest.page.goto(ada.page.url());
      await guest.button('Take the seat').click();
      await guest.toBoard();
    }
    const first = ada.gameId();
    await ada.find('waiting').waitFor({ state: 'detached' });
    // Nobody may call it off once somebody has moved.
    const mover = await Promise.race(
      people.map(async (guest) => (await guest.page.locator('button:enabled', { hasText: /^Pass$/ }).waitFor(), guest)),
    );
    await mover.button('Pass').click();
    await mover.confirm('Pass');
    await Promise.all(people.map((guest) => guest.button('Resign').waitFor()));
    for (const guest of people.filter((one) => one !== mover)) {
      await guest.button('Resign').click();
      await guest.confirm('Resign');
    }
    await Promise.all(people.map((guest) => guest.find('game-over').waitFor()));
    await press(ada, 'Rematch');
    await ada.find('game-over').getByText('Waiting for the others').waitFor();
    await cleo.find('game-over').getByText('wants a rematch').waitFor();
    await press(ben, 'Rematch');
    await ben.find('game-over').getByText('Waiting for the others').waitFor();
    await press(cleo, 'No');
    for (const guest of people) {
      await guest.find('game-over').getByText('Not everybody wants a rematch.').waitFor();
    }
    expect(people.map((guest) => guest.gameId())).toEqual([first, first, first]);
    await leave(...people);
  });

  test('R4: a robot plays again at once, at the same level, and the first move alternates', async () => {
    const ada = await here.come(still);
    await ada.page.goto(`${here.house.origin}/?bot=3`);
    await ada.toBoard();
    const games = [ada.gameId()];
    for (let game = 0; game < 2; game += 1) {
      await play([ada], byMouse, 1);
      // Whoever is alone with a robot may have to wait for it.
      await ada.button('Resign').click();
      await ada.confirm('Resign');
      await ada.find('game-over').waitFor();
      await press(ada, 'Play again');
      games.push(await next(ada, games.at(-1)!));
      await ada.find('player-top').getByText('Robot 3').waitFor();
    }
    const tables = await Promise.all(games.map(told));
    expect(tables.map(({ firstSeat }) => (firstSeat + tables[0]!.firstSeat) % 2)).toEqual([0, 1, 0]);
    expect(new Set(tables.map(({ series }) => series.id)).size).toBe(1);
    await expect.poll(() => ada.find('series-box').count()).toBe(3);
    await leave(ada);
  });

  test('R11: a match ends when it is decided, and another one may follow', async () => {
    const [ada, ben] = await seated('Best of 3');
    let game = ada.gameId();
    await resign(ben, ada);
    await press(ada, 'Rematch');
    await ben.find('game-over').getByText('wants a rematch').waitFor();
    await press(ben, 'Rematch');
    [game] = (await Promise.all([ada, ben].map((guest) => next(guest, game)))) as [string, string];
    await ada.find('series-score').getByText('Best of 3').waitFor();
    await resign(ben, ada);
    await ada.find('game-over').getByText('Match over, 2–0').waitFor();
    await ben.find('game-over').getByText('Match over, 0–2').waitFor();
    await press(ben, 'New match');
    await ada.find('game-over').getByText('wants a rematch').waitFor();
    await press(ada, 'New match');
    const fresh = await Promise.all([ada, ben].map((guest) => next(guest, game)));
    expect((await told(fresh[0]!)).series.games).toEqual([]);
    expect(fresh[0]).toBe(fresh[1]);
    await leave(ada, ben);
  });

  test('R1: ends when nobody has answered for as long as the server waits', async () => {
    const [ada, ben] = await unanswered();
    await ada.find('game-over').getByText('didn’t answer in time').waitFor();
    await ben.find('game-over').getByText('You didn’t answer').waitFor();
    await press(ben, 'Rematch');
    await ada.find('game-over').getByText('wants a rematch').waitFor();
    await leave(ada, ben);
  });
});
