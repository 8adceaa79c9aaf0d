// Live play in the page: clocks, a line that is cut, people who watch, and moves that are taken back.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { byMouse, Guest, play } from '../guest';
import { atHome, still } from '../here';
import { Proxy } from '../proxy';
import { clocked } from '../shots/crossword';
import { GAME_ID, kalahTable, ORIGIN, setStage } from '../stage';

const here = atHome();

interface Meeting {
  origins?: [string, string];
  options?: BrowserContextOptions;
  isPublic?: boolean;
  /** The clock as the lobby names it, and how many seconds it is made to begin with. */
  clock?: { name: string; seconds: number };
  /** By how much the device of the second guest is wrong. */
  skewMs?: number;
  /** Runs in both pages before anything else. */
  script?: () => void;
}

/** Two people at a table, with the draw behind them. */
async function seated({ origins, options = {}, isPublic = false, clock, skewMs = 0, script }: Meeting = {}): Promise<[Guest, Guest]> {
  const ada = await Guest.come(here.browser, origins?.[0] ?? here.house.origin, { ...still, ...options });
  const ben = await Guest.come(here.browser, origins?.[1] ?? here.house.origin, { ...still, ...options });
  if (script) {
    await Promise.all([ada, ben].map(({ page }) => page.addInitScript(script)));
  }
  if (skewMs !== 0) {
    await ben.page.addInitScript((skew) => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + skew;
    }, skewMs);
  }
  if (clock) {
    await shorten(ada.page, clock.seconds);
  }
  await ada.lobby();
  if (clock) {
    await ada.page.getByLabel('Clock', { exact: true }).selectOption({ label: clock.name });
  }
  await ada.button(isPublic ? 'Quick match' : 'Play a friend').click();
  await ada.toBoard();
  // Ben's clock may run from the moment he sits down, so nothing lies over his board then.
  await ben.page.addInitScript((id) => localStorage.setItem('astragal.draws', JSON.stringify([id])), ada.gameId());
  await ben.page.goto(new URL(new URL(ada.page.url()).pathname, ben.origin).href);
  await ben.button('Take the seat').click();
  await ben.find('table').and(ben.page.locator('[data-phase="playing"], [data-phase="over"]')).waitFor();
  return [ada, ben];
}

/** No test waits for a minute, so the clock that is asked for is made a shorter one on its way. */
async function shorten(page: Page, seconds: number): Promise<void> {
  await page.routeWebSocket(/\/v1\/ws$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((frame) => server.send(String(frame).replace(/"initial":"\d+s"/, `"initial":"${seconds}s"`)));
  });
}

/** The one who is to move, and the other. */
async function turn(guests: [Guest, Guest]): Promise<[Guest, Guest]> {
  const mover = await Promise.race(guests.map(async (guest) => (await guest.turn(), guest)));
  return mover === guests[0] ? guests : [guests[1], guests[0]];
}

const shows = (guest: Guest, revision: number) =>
  guest.page.locator(`[data-testid="table"][data-revision="${revision}"]`).waitFor();

describe('a line that is cut', () => {
  test('G4: in mid-game comes back by itself, and no move is lost or made twice', async () => {
    const [near, far] = await Promise.all([Proxy.to(here.house.port), Proxy.to(here.house.port)]);
    const guests = await seated({ origins: [near.origin, far.origin] });
    const lines = new Map(guests.map((guest) => [guest, guest.origin === near.origin ? near : far]));
    const begun = await Promise.all(guests.map(({ page }) => page.evaluate(() => performance.timeOrigin)));
    for (let round = 0; round < 3; round += 1) {
      await play(guests, byMouse, 2);
      const [mover, other] = await turn(guests);
      const [line, before] = [lines.get(mover)!, await mover.revision()];
      // The move arrives, its answer does not.
      line.deafen();
      await byMouse(mover.page, (await mover.turn()).at(-1)!);
      await shows(other, before + 1);
      line.cut();
      await mover.find('connection-lost').waitFor();
      // Meanwhile the game may go on.
      if ((await other.page.locator('[data-pit][aria-disabled="false"]').count()) > 0) {
        await play([other], byMouse, 1);
      }
      const after = await other.revision();
      line.mend();
      await mover.find('connection-lost').waitFor({ state: 'detached' });
      await shows(mover, after);
      const { view } = (await (await fetch(`${here.house.origin}/v1/tables/${mover.gameId()}`)).json()) as {
        view: { pits: number[][]; stores: number[] };
      };
      const all = [...view.pits.flat(), ...view.stores].sort((one, two) => one - two);
      await expect.poll(async () => (await mover.counts()).sort((one, two) => one - two)).toEqual(all);
      const moves = await other.find('moves').locator('li').count();
      await expect.poll(() => mover.find('moves').locator('li').count()).toBe(moves);
    }
    await play(guests, byMouse);
    for (const guest of guests) {
      await guest.find('game-over').getByRole('button', { name: 'Check this game' }).click();
      await guest.find('verdict').getByText('in that order').waitFor();
    }
    expect(await Promise.all(guests.map(({ page }) => page.evaluate(() => performance.timeOrigin)))).toEqual(begun);
    await Promise.all(guests.map((guest) => guest.leave()));
    await Promise.all([near.close(), far.close()]);
  });
});

interface Sample {
  shown: number[];
  at: number;
}

/** What both clocks of a page show, and when that was. */
const sample = (page: Page): Promise<Sample> =>
  page.evaluate(() => ({
    shown: [0, 1].map((seat) => Number(document.querySelector<HTMLElement>(`[data-testid="clock-${seat}"]`)?.dataset['ms'])),
    at: performance.timeOrigin + performance.now(),
  }));

/** What the server says the clocks show at that moment; all of this happens on one machine. */
async function truth(gameId: string): Promise<(at: number) => number[]> {
  const answer = await fetch(`${here.house.origin}/v1/tables/${gameId}`);
  const { clock } = (await answer.json()) as { clock: { remaining: string[]; running?: number; serverTime: string } };
  return (at) =>
    clock.remaining.map((left, seat) => parseFloat(left) * 1000 - (seat === clock.running ? at - Date.parse(clock.serverTime) : 0));
}

describe('clocks', () => {
  test('G3: agree with the server within 100 ms, also on a device whose own clock is wrong', async () => {
    const guests = await seated({ clock: { name: '5+5', seconds: 540 }, skewMs: 47_000 });
    for (let round = 0; round < 3; round += 1) {
      await play(guests, byMouse, 1);
      await turn(guests);
      const server = await truth(guests[0].gameId());
      for (const guest of guests) {
        // A tick, or what the page heard of the server's time, may have been held up by everything else that this
        // machine does; a later one is not.
        const off = async () => {
          const { shown, at } = await sample(guest.page);
          return Math.max(...server(at).map((left, seat) => Math.abs(left - shown[seat]!)));
        };
        await expect.poll(off).toBeLessThanOrEqual(100);
      }
    }
    expect(await guests[0].find('clock-0').innerText()).toMatch(/^\d:\d\d$/);
    await Promise.all(guests.map((guest) => guest.leave()));
  });

  test('G3: show tenths at the end, never less than nothing, and the flag falls by itself', async () => {
    const look = () => {
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      const note = () => {
        seen.push(...[...document.querySelectorAll('[role="timer"]')].map(({ textContent }) => textContent ?? ''));
        requestAnimationFrame(note);
      };
      requestAnimationFrame(note);
    };
    const guests = await seated({ clock: { name: '1+0', seconds: 4 }, script: look });
    const ends = guests.map(async (guest) => {
      const end = guest.find('game-over').getByText('ran out of time.');
      return end.innerText();
    });
    expect((await Promise.all(ends)).sort()).toEqual(['You ran out of time.', 'Your opponent ran out of time.']);
    for (const { page } of guests) {
      const seen = () => page.evaluate(() => [...new Set((globalThis as unknown as { seen: string[] }).seen)]);
      await expect.poll(seen).toContain('0:00.0');
      expect((await seen()).filter((text) => !/^0:0\d\.\d$/.test(text))).toEqual([]);
    }
    await Promise.all(guests.map((guest) => guest.leave()));
  });

  test('G3 W3: are there on a phone, and nothing is wider than it', async () => {
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
    const guests = await seated({ options: phone, clock: { name: '3+2', seconds: 180 } });
    await play(guests, (page, pit) => page.locator(`[data-pit="${pit}"]`).tap(), 2);
    for (const { page } of guests) {
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
      for (const seat of [0, 1]) {
        const box = await page.getByTestId(`clock-${seat}`).boundingBox();
        expect(box!.x >= 0 && box!.x + box!.width <= 360).toBe(true);
      }
    }
    await Promise.all(guests.map((guest) => guest.leave()));
  });
});

test('G3 W3: clocks leave room for the names of players of crossword, on a phone', async () => {
  const ada = await here.come({ ...still, viewport: { width: 360, height: 740 } });
  const seats = clocked.seats.map((seat) => ({ ...seat, name: `Guest 123${seat.seat}` }));
  await setStage(ada.page, { tables: [{ ...clocked, seats }] });
  await ada.page.goto(`${ORIGIN}/game/${GAME_ID}`);
  await ada.toBoard();
  for (const side of ['top', 'bottom']) {
    const name = ada.find(`player-${side}`).locator('.name');
    await expect.poll(() => name.evaluate((one) => one.clientWidth > 0 && one.scrollWidth <= one.clientWidth)).toBe(true);
  }
  await ada.leave();
});

describe('someone who watches', () => {
  test('G5: finds a live game, sees what happens, can do nothing, and is counted', async () => {
    const guests = await seated({ isPublic: true });
    const cleo = await here.come(still);
    await cleo.lobby();
    await cleo.find('live-games').locator(`a[href="/game/${guests[0].gameId()}"]`).click();
    await cleo.find('turn').getByText('You are watching').waitFor();
    await guests[0].find('viewers').getByText('1 watches').waitFor();
    await play(guests, byMouse, 4);
    const revision = await guests[0].revision();
    await shows(cleo, revision);
    const counts = (await guests[0].counts()).sort();
    await expect.poll(async () => (await cleo.counts()).sort()).toEqual(counts);
    expect(await cleo.page.locator('[data-pit][aria-disabled="false"]').count()).toBe(0);
    for (const name of ['Take back', 'Resign', 'Leave', 'Call off']) {
      expect(await cleo.page.getByRole('button', { name, exact: true }).count()).toBe(0);
    }
    await cleo.page.reload();
    await shows(cleo, revision);
    // The lobby of a player lists their own game among theirs, and not among those to watch.
    const tab = await guests[0].context.newPage();
    await tab.goto(here.house.origin);
    await tab.getByTestId('my-games').waitFor();
    expect(await tab.getByTestId('live-games').locator(`a[href="/game/${guests[0].gameId()}"]`).count()).toBe(0);
    await cleo.leave();
    await guests[0].find('viewers').waitFor({ state: 'detached' });
    await Promise.all(guests.map((guest) => guest.leave()));
  });
});

describe('taking back', () => {
  test('L12: is offered only while it would be accepted, and stays in the list', async () => {
    const guests = await seated();
    const [mover, other] = await turn(guests);
    const undo = mover.button('Take back');
    expect(await undo.count()).toBe(0);
    // The first pit of four doesn't end in the store, so the turn goes over.
    for (let time = 1; time <= 3; time += 1) {
      await byMouse(mover.page, 1);
      await other.turn();
      expect(await other.button('Take back').count()).toBe(0);
      await undo.click();
      await mover.turn();
      for (const guest of guests) {
        await guest.page.waitForFunction((n) => document.querySelectorAll('[data-testid="moves"] s').length === n, time);
      }
    }
    await byMouse(mover.page, 1);
    await other.turn();
    // Three times is as often as one may.
    await mover.find('turn').getByText('to move').waitFor();
    expect(await undo.count()).toBe(0);
    await byMouse(other.page, (await other.turn())[0]!);
    expect(await undo.count()).toBe(0);
    expect(await mover.find('moves').locator('li').filter({ hasText: 'taken back' }).count()).toBe(3);
    await Promise.all(guests.map((guest) => guest.leave()));
  });

  test('L12: a refusal says why', async () => {
    const ada = await here.come(still);
    const seats = kalahTable().seats;
    const table = kalahTable({ revision: 1, toMove: [1], seats });
    const message = 'the rules do not let this move be taken back';
    await setStage(ada.page, {
      tables: [table],
      answer: (frame, send) => {
        if (frame.undo) {
          send({ replyTo: frame.id, error: { code: 'UNDO_REFUSED', message } });
        } else if (frame.watch?.sinceRevision === 0) {
          send({ replyTo: frame.id, ack: { gameId: GAME_ID, revision: 1 } });
          const { view } = table;
          send({ onGameUpdate: { gameId: GAME_ID, revision: 1, number: 1, seat: 0, move: { pit: 1 }, drew: false, view: view!, toMove: [1], viewHash: '' } });
        } else {
          return false;
        }
        return true;
      },
    });
    await ada.page.goto(`${ORIGIN}/game/${GAME_ID}`);
    await ada.toBoard();
    await ada.button('Take back').click();
    await ada.find('notice').getByText(`That move can’t be taken back. The server says: ${message}.`).waitFor();
    await ada.leave();
  });
});

describe('an opponent without a connection', () => {
  // "Opponent gone" claimed against a thinking, connected player, or on one's own turn.
  test.each([
    { toMove: [0], online: false, isAway: false, when: 'on our own turn' },
    { toMove: [1], online: false, isAway: true, when: 'on their turn' },
    { toMove: [1], online: true, isAway: false, when: 'while they think' },
  ])('G4: is called away only when it matters: $when', async ({ toMove, online, isAway }) => {
    const ada = await here.come(still);
    const stage = await setStage(ada.page, { tables: [kalahTable({ toMove })] });
    await ada.page.goto(`${ORIGIN}/game/${GAME_ID}`);
    await ada.toBoard();
    stage.send({ onPresence: { gameId: GAME_ID, seat: 1, online } });
    stage.send({ onViewers: { gameId: GAME_ID, viewers: 3 } });
    await ada.find('viewers').getByText('3 watch').waitFor();
    await expect.poll(() => ada.find('away').count()).toBe(isAway ? 1 : 0);
    await ada.leave();
  });
});

test('a turn is announced by sound and title, unless that is switched off', async () => {
  const ada = await here.come(still);
  await ada.page.addInitScript(() => {
    Object.assign(globalThis, { tones: 0 });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) {
      (globalThis as unknown as { tones: number }).tones += 1;
      return start.apply(this, given);
    };
  });
  const stage = await setStage(ada.page, { tables: [kalahTable({ toMove: [1] })] });
  const tones = () => ada.page.evaluate(() => (globalThis as unknown as { tones: number }).tones);
  let revision = 12;
  const moves = async (seat: number, toMove: number) => {
    revision += 1;
    const { view } = kalahTable();
    stage.send({ onGameUpdate: { gameId: GAME_ID, revision, number: revision, seat, move: { pit: 1 }, drew: false, view: view!, toMove: [toMove], viewHash: '' } });
    await shows(ada, revision);
  };
  await ada.page.goto(`${ORIGIN}/game/${GAME_ID}`);
  await ada.toBoard();
  expect(await ada.page.title()).not.toContain('Your turn');
  await moves(1, 0);
  await expect.poll(tones).toBe(2);
  await expect.poll(() => ada.page.title()).toContain('● Your turn');
  await moves(0, 0);
  expect(await tones()).toBe(2);

  await ada.button('Settings').click();
  for (const name of ['Sound on your turn', 'Mark in the title on your turn']) {
    await ada.page.getByRole('group', { name }).getByRole('radio', { name: 'Off' }).check({ force: true });
  }
  await ada.page.keyboard.press('Escape');
  await expect.poll(() => ada.page.title()).not.toContain('Your turn');
  await moves(0, 1);
  await moves(1, 0);
  await ada.find('turn').getByText('Your turn').waitFor();
  expect([await tones(), await ada.page.title()]).toEqual([2, expect.not.stringContaining('Your turn')]);
  await ada.leave();
});

test('G2: a pass is renewed before it runs out, and the guest stays who they are', async () => {
  const DAY_MS = 86_400_000;
  const ada = await here.come();
  await ada.lobby();
  const kept = () => ada.page.evaluate(() => JSON.parse(localStorage.getItem('astragal.guest')!) as { accountId: string; expiresAt: string });
  const { accountId } = await kept();
  await ada.page.evaluate((soon) => {
    const guest = JSON.parse(localStorage.getItem('astragal.guest')!) as object;
    localStorage.setItem('astragal.guest', JSON.stringify({ ...guest, expiresAt: soon }));
  }, new Date(Date.now() + DAY_MS).toISOString());
  await ada.lobby();
  await expect.poll(async () => Date.parse((await kept()).expiresAt) - Date.now()).toBeGreaterThan(20 * DAY_MS);
  expect((await kept()).accountId).toBe(accountId);
  await ada.leave();
});
