// What people come with: wrong links, old passes, strange names, a server that isn't there.

import { describe, expect, test } from 'vitest';
import { byMouse, type Guest, play } from '../guest';
import { atHome, still } from '../here';

const here = atHome();

async function opened(by: Guest): Promise<string> {
  await by.lobby();
  await by.button('Play a friend').click();
  await by.toBoard();
  return by.page.url();
}

describe('a link', () => {
  test.each(['0193b0e8-0000-7000-8000-00000000abcd', 'nonsense', '%3Cscript%3E'])('to no game says so: %s', async (id) => {
    const ada = await here.come();
    await ada.page.goto(`${here.house.origin}/game/${id}`);
    await ada.find('message').getByText('There is no such game').waitFor();
    await ada.page.getByRole('link', { name: 'To the lobby' }).click();
    await ada.find('lobby').waitFor();
    await ada.leave();
  });

  test('G5: to a game that waits is an invitation, of which the first one to say yes makes use', async () => {
    const [ada, ben, cleo] = await Promise.all([1, 2, 3].map(() => here.come(still)));
    const link = await opened(ada!);
    for (const guest of [ben!, cleo!]) {
      await guest.page.goto(link);
      await guest.find('message').getByText('A seat is free').waitFor();
    }
    await ben!.button('Take the seat').click();
    await ben!.find('draw').waitFor();
    await cleo!.button('Take the seat').click();
    // Whoever came too late may watch, and has nothing to press.
    await cleo!.find('turn').getByText('You are watching').waitFor();
    expect(await cleo!.page.locator('[data-pit]').count()).toBe(0);
    expect(await cleo!.button(/Resign|Leave|Call off/).count()).toBe(0);
    await Promise.all([ada, ben, cleo].map((guest) => guest!.leave()));
  });

  test('to a game that was cancelled is a decent page', async () => {
    const [ada, ben] = await Promise.all([1, 2].map(() => here.come(still)));
    const link = await opened(ada!);
    await ben!.page.goto(link);
    await ben!.find('message').getByText('A seat is free').waitFor();
    await ada!.button('Cancel the search').click();
    await ada!.confirm('Cancel the search');
    await ada!.find('lobby').waitFor();
    await ben!.button('Take the seat').click();
    await ben!.page.getByText(/This game isn’t yours|No result/).first().waitFor();
    await ben!.page.reload();
    await ben!.page.getByText(/There is no such game|No result/).first().waitFor();
    await Promise.all([ada, ben].map((guest) => guest!.leave()));
  });

  test('to a game that has ended shows how it ended, and lets anyone check it', async () => {
    const ada = await here.come(still);
    await ada.page.goto(`${here.house.origin}/?bot=1`);
    await ada.toBoard();
    await play([ada], byMouse, 2);
    await ada.turn();
    await ada.button('Resign').click();
    await ada.confirm('Resign');
    await ada.find('game-over').waitFor();

    const ben = await here.come(still);
    await ben.page.goto(ada.page.url());
    await ben.find('result').getByText(/Robot 1.* won/).waitFor();
    expect(await ben.find('game-over').count()).toBe(0);
    await ben.find('result').getByRole('button', { name: 'Check this game' }).click();
    await ben.find('verdict').getByText('this browser kept no seal').waitFor();
    await Promise.all([ada.leave(), ben.leave()]);
  });
});

describe('a server that is away', () => {
  test('while the page loads is waited for', async () => {
    const ada = await here.come();
    await ada.page.route('**/v1/**', (route) => route.abort());
    await ada.page.goto(here.house.origin);
    await ada.find('message').getByText('The server doesn’t answer').waitFor();
    await ada.page.unroute('**/v1/**');
    await ada.find('message').getByRole('button', { name: 'Try now' }).click();
    await ada.find('lobby').and(ada.page.locator('[data-ready="true"]')).waitFor();
    await ada.leave();
  });

  test('while a table loads is waited for', async () => {
    const ada = await here.come(still);
    const link = await opened(ada);
    await ada.page.goto('about:blank');
    await ada.page.addInitScript(() => {
      const Real = WebSocket;
      const way = { isBlocked: true };
      // Sockets lead nowhere until the way is free.
      globalThis.WebSocket = class extends Real {
        constructor(url: string | URL, protocols?: string | string[]) {
          super(way.isBlocked ? String(url).replace('/ws', '/nowhere') : url, protocols);
        }
      };
      Object.assign(globalThis, { way });
    });
    await ada.page.goto(link);
    await ada.find('connection-lost').waitFor();
    await ada.page.evaluate(() => ((globalThis as unknown as { way: { isBlocked: boolean } }).way.isBlocked = false));
    await ada.page.locator('[data-testid="table"][data-phase="waiting"]').waitFor();
    await ada.find('connection-lost').waitFor({ state: 'detached' });
    await ada.leave();
  });
});

test('G2: a pass that has run out is told, and a new guest begins', async () => {
  const ada = await here.come();
  await ada.page.addInitScript(() => {
    if (!sessionStorage.getItem('once')) {
      sessionStorage.setItem('once', 'yes');
      const guest = { accountId: 'a', name: 'Ada', token: 'old.old.old', expiresAt: '2020-01-01T00:00:00Z' };
      localStorage.setItem('astragal.guest', JSON.stringify(guest));
    }
  });
  await ada.page.goto(here.house.origin);
  await ada.find('message').getByText('Your pass has run out').waitFor();
  await ada.button('Go on as a new guest').click();
  await ada.find('lobby').and(ada.page.locator('[data-ready="true"]')).waitFor();
  await ada.leave();
});

test('what this browser kept may be rubbish', async () => {
  const ada = await here.come();
  await ada.page.addInitScript(() => {
    for (const key of ['draws', 'seals', 'theme', 'animates', 'robot', 'guest']) {
      localStorage.setItem(`astragal.${key}`, '{"half');
    }
  });
  await ada.lobby();
  await ada.leave();
});

describe('names', () => {
  const names = ['W'.repeat(32), 'מרים בת־חוה אל־פאריסי שלום עולם', '<img src=x onerror=alert(1)>', '🦄🦄🦄 & "Co" \\ %s'];

  test.each(names)('are shown as they are: %s', async (name) => {
    const narrow = { ...still, viewport: { width: 360, height: 740 } };
    const [ada, ben] = await Promise.all([here.come(narrow), here.come(narrow)]);
    await ada.lobby();
    await ada.rename(name);
    await ada.button('Quick match').click();
    await ada.toBoard();
    await ben.lobby();
    await ben.find('open-games').getByText(name, { exact: true }).waitFor();
    const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    await expect.poll(() => ben.page.evaluate(overflow)).toBe(0);
    await ben.button(/^Join/).click();
    await ben.find('draw').getByText(name, { exact: true }).waitFor();
    await ben.toBoard();
    await ben.find('player-top').getByText(name, { exact: true }).waitFor();
    await expect.poll(() => ben.page.evaluate(overflow)).toBe(0);
    await expect.poll(() => ada.page.evaluate(overflow)).toBe(0);
    await Promise.all([ada.leave(), ben.leave()]);
  });

  test('that the server refuses are refused with its reason', async () => {
    const ada = await here.come();
    await ada.lobby();
    await ada.button('Change name').click();
    await ada.page.getByLabel('Your name').fill('a\u202eb');
    await ada.button('Save').click();
    await ada.find('notice').getByText('control characters').waitFor();
    await ada.leave();
  });
});
