// Rematches and series in front of a scripted server: every state of the card, the strip in numbers and colours,
// and other languages. What two people see of each other is tested against the real server.

import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { ServerFrame, Table } from '../../client';
import { findings } from '../axe';
import type { Guest } from '../guest';
import { onStage, still } from '../here';
import { overflow } from '../parlour';
import { ended, seriesOf } from '../shots/series';
import { GAME_ID, kalahTable, ORIGIN, setStage, type Scene, type Stage } from '../stage';

const here = onStage();

const SKEW_MS = 3_600_000;
const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const request = (seconds = 42): ServerFrame => ({ onRematchRequest: { gameId: GAME_ID, fromSeat: 1, expiresAt: soon(seconds) } });
const end = (reason: string): ServerFrame => ({ onRematchEnded: { gameId: GAME_ID, reason } });

/** How often the page has asked for one's own games and was answered. */
const asked = (guest: Guest) =>
  guest.page.evaluate(() => (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name, responseEnd }) => name.includes('/v1/me/tables') && responseEnd > 0).length);

interface Visit {
  options?: BrowserContextOptions;
  path?: string;
  skewMs?: number;
}

async function visit(scene: Scene, { options = {}, path = `/game/${GAME_ID}`, skewMs = 0 }: Visit = {}): Promise<{ ada: Guest; stage: Stage }> {
  const ada = await here.come({ ...still, ...options });
  await ada.page.addInitScript((id) => localStorage.setItem('astragal.draws', JSON.stringify([id])), GAME_ID);
  if (skewMs !== 0) {
    await ada.page.addInitScript((skew) => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + skew;
    }, skewMs);
  }
  const stage = await setStage(ada.page, scene);
  await ada.page.goto(ORIGIN + path);
  await ada.page.locator('[data-testid="table"][data-revision], [data-testid="lobby"][data-ready="true"]').waitFor();
  return { ada, stage };
}

describe('W1: the card', () => {
  test('R8: counts down to the server’s deadline, also on a device whose own clock is wrong', async () => {
    const { ada } = await visit(ended(), { skewMs: SKEW_MS });
    await ada.find('result').getByRole('button', { name: 'Rematch' }).click();
    await ada.find('rematch-line').getByText('Waiting for').waitFor();
    const seconds = async () => Number(await ada.find('countdown').first().getAttribute('data-seconds'));
    await expect.poll(seconds).toBeLessThanOrEqual(60);
    expect(await seconds()).toBeGreaterThan(0);
    await ada.leave();
  });

  test('is opened again by a request', async () => {
    const { ada, stage } = await visit(ended());
    expect(await ada.find('game-over').count()).toBe(0);
    stage.send(request());
    const card = ada.find('game-over');
    await card.getByText('wants a rematch').waitFor();
    await expect.poll(() => card.getByTestId('rematch').getByRole('button').allInnerTexts()).toEqual(['Rematch', 'No']);
    await ada.page.locator('dialog *:focus').waitFor();
    await card.getByRole('button', { name: 'See the board' }).click();
    await card.waitFor({ state: 'detached' });
    stage.send(end('withdrawn'));
    await ada.find('rematch-line').getByText('took the request back').waitFor();
    stage.send(request());
    await card.getByText('wants a rematch').waitFor();
    await ada.leave();
  });

  // Worded by who asked, and asked again only where that is of use.
  test.each([
    ['declined', 'ours', 'doesn’t want a rematch', ['New game']],
    ['declined', 'theirs', 'You said no', ['New game']],
    ['withdrawn', 'ours', 'You took your request back', ['Rematch', 'New game']],
    ['withdrawn', 'theirs', 'took the request back', ['Rematch', 'New game']],
    ['expired', 'ours', 'didn’t answer in time', ['Rematch', 'New game']],
    ['expired', 'theirs', 'You didn’t answer', ['Rematch', 'New game']],
    ['offline', 'ours', 'is away right now', ['Rematch', 'New game']],
    ['offline', 'theirs', 'has gone away', ['Rematch', 'New game']],
    ['left', 'ours', 'plays elsewhere now', ['New game']],
    ['left', 'theirs', 'plays elsewhere now', ['New game']],
    ['closed', 'ours', 'isn’t possible any more', ['New game']],
  ])('says that it ended as %s when the request was %s', async (reason, whose, said, buttons) => {
    const { ada, stage } = await visit(ended());
    if (whose === 'ours') {
      await ada.find('result').getByRole('button', { name: 'Rematch' }).click();
      await ada.find('countdown').first().waitFor();
    } else {
      stage.send(request());
      await ada.find('game-over').waitFor();
    }
    stage.send(end(reason));
    const rematch = ada.page.getByTestId('rematch').and(ada.page.locator('[data-offer="ended"]')).first();
    await rematch.getByText(said).waitFor();
    await expect.poll(() => rematch.getByRole('button').allInnerTexts()).toEqual(buttons);
    await ada.leave();
  });

  test('R1: closes by itself when the time to ask is over', async () => {
    const scene = ended();
    const { ada, stage } = await visit(scene);
    await ada.find('result').getByRole('button', { name: 'Rematch' }).waitFor();
    stage.send({ onGameStart: { table: { ...scene.tables![0]!, rematchUntil: soon(2) } } });
    await ada.find('rematch-line').getByText('isn’t possible any more').waitFor();
    expect(await ada.find('result').getByRole('button', { name: 'Rematch' }).count()).toBe(0);
    await ada.leave();
  });

  test('W3: keeps the keyboard among its buttons while they change', async () => {
    const scene = ended();
    // The answer takes its time, so that the button rests in between.
    const answer: Scene['answer'] = (frame, send) => {
      setTimeout(() => scene.answer!(frame, send), frame.rematch ? 400 : 0);
      return !!frame.rematch;
    };
    const { ada, stage } = await visit({ ...scene, answer });
    stage.send(request());
    await ada.find('game-over').waitFor();
    const focused = () => ada.page.evaluate(() => document.activeElement?.textContent?.trim());
    await expect.poll(focused).toBe('Rematch');
    await ada.page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Cancel');
    stage.send(end('expired'));
    await expect.poll(focused).toBe('Rematch');
    await ada.leave();
  });

  test.each([
    ['RATE_LIMITED', 'too fast'],
    ['UNAVAILABLE', 'can’t do that right now'],
    ['NOT_FOUND', 'doesn’t exist'],
  ] as const)('says why it was refused (%s), and stays as it was', async (code, said) => {
    const scene = ended();
    const { ada } = await visit({
      ...scene,
      answer: (frame, send) => {
        if (frame.rematch) {
          send({ replyTo: frame.id, error: { code, message: 'no' } });
        }
        return !!frame.rematch;
      },
    });
    await ada.find('result').getByRole('button', { name: 'Rematch' }).click();
    await ada.find('notice').getByText(said).waitFor();
    await expect.poll(() => ada.find('result').getByRole('button', { name: 'Rematch' }).isEnabled()).toBe(true);
    await ada.leave();
  });

  test('follows the game of its own series and no other', async () => {
    const series = seriesOf(1);
    const over = { ...ended().tables![0]!, series: { id: 's', games: [{ ...series.games[0]!, gameId: GAME_ID }] } };
    const { ada, stage } = await visit({ tables: [over] });
    const next: Table = kalahTable({ gameId: '0193b0e8-0000-7000-8000-00000000beef', revision: 0, firstSeat: 1, toMove: [1], series: over.series });
    stage.send({ onGameStart: { table: { ...next, gameId: '0193b0e8-0000-7000-8000-00000000dead', series: { id: 'other', games: [] } } } });
    stage.send({ onNextGame: { gameId: 'another', nextGameId: 'nowhere' } });
    stage.send({ onGameStart: { table: next } });
    await ada.page.waitForURL((url) => url.pathname.endsWith('beef'));
    await ada.find('turn').getByText(/Ben.* to move/).waitFor();
    await expect.poll(() => ada.find('series-box').count()).toBe(2);
    await ada.leave();
  });

  test('R9: leads those who watch, and asks them nothing', async () => {
    const next = kalahTable({ gameId: '0193b0e8-0000-7000-8000-00000000beef', yourSeat: undefined as never, series: seriesOf(1) });
    const { ada, stage } = await visit({ tables: [{ ...ended().tables![0]!, yourSeat: undefined as never }, next] });
    expect(await ada.find('result').getByRole('button', { name: /Rematch|New game/ }).count()).toBe(0);
    stage.send({ onNextGame: { gameId: GAME_ID, nextGameId: next.gameId } });
    await ada.page.waitForURL((url) => url.pathname.endsWith('beef'));
    await ada.find('series-score').getByText('Ada').waitFor();
    expect(await ada.find('series-score').innerText()).not.toContain('You');
    await ada.leave();
  });

  test('R11: says that a match is over, and offers another', async () => {
    const outcome = { results: ['won', 'lost'], winner: 0, reason: 'finished', scores: [28, 20] };
    const { ada, stage } = await visit(ended({ series: seriesOf(2), match: { bestOf: 3 }, outcome }));
    stage.send(request());
    await ada.find('game-over').getByText('Match over, 2–1').waitFor();
    await ada.find('game-over').getByRole('button', { name: 'New match' }).waitFor();
    await ada.leave();
  });

  test('R8: is heard of on every other page, and known at the table', async () => {
    const { ada, stage } = await visit(ended(), { path: '/' });
    stage.send(request());
    await ada.find('request-note').getByRole('link').click();
    await ada.find('game-over').getByText('wants a rematch').waitFor();
    await ada.leave();
  });

  test('R8: is named after a new load of the page, and one’s own is none to answer', async () => {
    const scene = ended({ yourSeat: 0 });
    const own = { ...request().onRematchRequest!, fromSeat: 0 };
    const welcome = { accountId: 'a', name: 'Ada', serverTime: new Date().toISOString(), tables: [], openGames: [], offers: [own] };
    const answer: Scene['answer'] = (frame, send) => {
      if (frame.hello) {
        send({ replyTo: frame.id, welcome });
      }
      return !!frame.hello || scene.answer!(frame, send);
    };
    const http = { ...scene.http, '/v1/me/tables': JSON.stringify({ tables: scene.tables }) };
    const { ada, stage } = await visit({ ...scene, answer, http }, { path: '/' });
    await expect.poll(() => asked(ada)).toBe(1);
    expect(await ada.find('request-note').count()).toBe(0);
    stage.send(request());
    await ada.find('request-note').getByText(/Ben.* wants a rematch/).waitFor();
    expect(await asked(ada)).toBe(1);
    await ada.leave();
  });

  test('R8: that ended while another page was shown is none at the table', async () => {
    const scene = ended();
    const welcome = { accountId: 'a', name: 'Ada', serverTime: new Date().toISOString(), tables: [], openGames: [], offers: [request().onRematchRequest!] };
    const answer: Scene['answer'] = (frame, send) => {
      if (frame.hello) {
        send({ replyTo: frame.id, welcome });
      }
      return !!frame.hello || scene.answer!(frame, send);
    };
    const { ada, stage } = await visit({ ...scene, answer }, { path: '/' });
    await ada.find('request-note').waitFor();
    stage.send(end('withdrawn'));
    await ada.find('request-note').waitFor({ state: 'detached' });
    // A link without a new load of the page.
    await ada.page.evaluate((path) => {
      const link = Object.assign(document.createElement('a'), { href: path });
      document.body.append(link);
      link.click();
    }, `/game/${GAME_ID}`);
    await ada.find('result').getByRole('button', { name: 'Rematch' }).waitFor();
    expect(await ada.find('game-over').count()).toBe(0);
    expect(await ada.find('result').getByTestId('rematch').getAttribute('data-offer')).toBe('available');
    await ada.leave();
  });
});

const GREEN = 'rgb(23, 102, 90)';
const RED = 'rgb(155, 58, 41)';
const PLAIN = 'rgb(220, 207, 187)';

describe('W2: the strip', () => {
  test.each([
    [0, 0, 0],
    [1, 2, 0],
    [7, 8, 0],
    [8, 8, 1],
    [11, 8, 4],
  ])('after %i games shows %i boxes and hides %i, and the page is never wider than a phone', async (games, boxes, hidden) => {
    const phone = { viewport: { width: 360, height: 740 } };
    for (const options of [{}, phone]) {
      const { ada } = await visit({ tables: [kalahTable({ series: seriesOf(games), firstSeat: games % 2 })] }, { options });
      await expect.poll(() => ada.find('series-box').count()).toBe(boxes);
      expect(await ada.find('series-strip').getByText(/^\+\d/).allInnerTexts()).toEqual(hidden ? [`+${hidden}`] : []);
      await expect.poll(() => overflow(ada)).toBe(0);
      if (boxes > 0) {
        // The current game is in sight, outlined, and says so.
        const now = ada.find('series-box').last();
        const isInSight = () => now.evaluate((box) => box.getBoundingClientRect().left >= 0 && box.getBoundingClientRect().right <= innerWidth);
        await expect.poll(isInSight).toBe(true);
        await now.getByText('now', { exact: true }).waitFor();
        expect(await now.evaluate((box) => [getComputedStyle(box).outlineStyle, box.getAttribute('aria-current'), box.tagName])).toEqual(['solid', 'true', 'SPAN']);
      }
      await ada.leave();
    }
  });

  test('colours each game by who won, from the side of the reader, and says how it ended', async () => {
    const look = async (yourSeat: number | undefined) => {
      const { ada } = await visit({ tables: [kalahTable({ series: seriesOf(7), yourSeat: yourSeat as number })] });
      const boxes = ada.find('series-box');
      await boxes.nth(7).waitFor();
      const colours = await boxes.evaluateAll((all) => all.map((box) => getComputedStyle(box).borderTopColor));
      const seen = await boxes.evaluateAll((all) => all.map((box) => [...box.querySelectorAll('[aria-hidden]')].map((part) => part.textContent?.replaceAll(/\s+/g, ' ').trim())));
      const read = await boxes.evaluateAll((all) => all.map((box) => box.querySelector('.hidden-but-read')?.textContent?.replaceAll(/[\u2068\u2069]/g, '')));
      const links = await boxes.evaluateAll((all) => all.map((box) => [box.getAttribute('href'), box.getAttribute('target')]));
      await ada.leave();
      return { colours, seen, read, links };
    };
    const mine = await look(0);
    expect(mine.colours).toEqual([GREEN, RED, PLAIN, GREEN, RED, GREEN, RED, PLAIN]);
    expect(mine.seen.slice(0, 4)).toEqual([['1', '30–18'], ['2time', '12–20'], ['3', '24–24'], ['4resigned', '9–4']]);
    expect(mine.seen[6]).toEqual(['7left', '3–2']);
    expect(mine.read[0]).toBe('Game 1, 30–18, You won, you moved first, opens in a new tab');
    expect(mine.read[1]).toBe('Game 2, 12–20, Ben won, time, Ben moved first, opens in a new tab');
    expect(mine.read.at(-1)).toBe('Game 8, now, you moved first');
    expect(mine.links[0]).toEqual([`/game/${seriesOf(1).games[0]!.gameId}`, '_blank']);
    const theirs = await look(1);
    expect(theirs.colours).toEqual([RED, GREEN, PLAIN, RED, GREEN, RED, GREEN, PLAIN]);
    expect(theirs.seen[0]).toEqual(['1', '18–30']);
    expect((await look(undefined)).read[0]).toBe('Game 1, 30–18, Ada won, Ada moved first, opens in a new tab');
  });

  test('W3: is reached by keyboard, game by game', async () => {
    const { ada } = await visit({ tables: [kalahTable({ series: seriesOf(3) })] });
    const reached: (string | null)[] = [];
    for (let presses = 0; presses < 12; presses += 1) {
      await ada.page.keyboard.press('Tab');
      reached.push(await ada.page.evaluate(() => document.activeElement?.getAttribute('data-number') ?? null));
    }
    expect(reached.filter((number) => number !== null)).toEqual(['1', '2', '3']);
    await ada.leave();
  });
});

describe('W3: other languages', () => {
  test.each([
    ['tr-TR', 'tr', ['Rövanş', 'Yeni oyun', 'Ana sayfa'], 'rövanş istiyor', 'şimdi'],
    ['ru-RU', 'ru', ['Реванш', 'Новая партия', 'На главную'], 'хочет реванш', 'сейчас'],
  ])('%s: the browser’s language is spoken, on the card and in the strip', async (locale, tongue, ways, asked, now) => {
    const { ada, stage } = await visit(ended({ series: seriesOf(2) }), { options: { locale } });
    await expect.poll(() => ada.page.evaluate(() => document.documentElement.lang)).toBe(tongue);
    const rematch = ada.find('result').getByTestId('rematch');
    await expect.poll(() => rematch.locator('button, a').allInnerTexts()).toEqual(ways);
    stage.send(request());
    await ada.find('game-over').getByText(asked).waitFor();
    await expect.poll(() => overflow(ada)).toBe(0);
    await ada.leave();
    const { ada: other } = await visit({ tables: [kalahTable({ series: seriesOf(2) })] }, { options: { locale, viewport: { width: 360, height: 740 } } });
    await other.find('series-strip').getByText(now, { exact: true }).waitFor();
    await expect.poll(() => overflow(other)).toBe(0);
    await other.leave();
  });

  test('another one may be chosen, and stays', async () => {
    const { ada } = await visit({}, { path: '/' });
    await ada.button('Settings').click();
    await ada.page.getByLabel('Language').selectOption('ru');
    await ada.page.getByRole('heading', { name: 'Настройки' }).waitFor();
    await ada.page.keyboard.press('Escape');
    await ada.page.getByRole('heading', { name: 'Садитесь за стол' }).waitFor();
    await ada.page.reload();
    await ada.page.getByRole('heading', { name: 'Садитесь за стол' }).waitFor();
    await expect.poll(() => ada.page.evaluate(() => document.documentElement.lang)).toBe('ru');
    await ada.leave();
  });
});

describe.each(['light', 'dark'] as const)('W3: by %s an accessibility library finds nothing', (colorScheme) => {
  test('in any state of the card and the strip', async () => {
    const found: Record<string, string[]> = {};
    for (const width of [1280, 360]) {
      const options = { colorScheme, viewport: { width, height: 800 } };
      const { ada, stage } = await visit(ended({ series: seriesOf(6) }), { options });
      const look = async (state: string) => (found[`${state} at ${width}`] = await findings(ada.page));
      await look('available');
      stage.send(request());
      await ada.find('game-over').waitFor();
      await look('requested');
      await ada.find('game-over').getByRole('button', { name: 'Rematch' }).click();
      await ada.find('rematch-line').getByText('Waiting for').first().waitFor();
      await look('waiting');
      stage.send(end('expired'));
      await ada.find('rematch-line').getByText('in time').first().waitFor();
      await look('ended');
      await ada.leave();
      const { ada: other } = await visit({ tables: [kalahTable({ series: seriesOf(11), match: { bestOf: 7 } })] }, { options });
      found[`strip at ${width}`] = await findings(other.page);
      await other.leave();
    }
    expect(Object.entries(found).flatMap(([state, list]) => list.map((finding) => `${state}: ${finding}`))).toEqual([]);
  });
});
