// How the program serves the page, and that the page does without what browsers keep for HTTPS.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byMouse, Guest, play } from '../guest';
import { House, openBrowser } from '../house';

let house: House;

beforeAll(async () => {
  house = await House.open();
});

afterAll(() => house?.close());

describe('the program serves', () => {
  test.each(['/', '/game/0193b0e8-0000-7000-8000-00000000abcd'])('the page at %s, asked for anew each time', async (path) => {
    const answer = await fetch(house.origin + path);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(await answer.text()).toContain('<div id="page">');
  });

  test('its files for ever, packed as the browser likes', async () => {
    const page = await (await fetch(house.origin)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)![1]!;
    for (const encoding of ['br', 'gzip', undefined]) {
      const answer = await fetch(house.origin + script, { headers: { 'accept-encoding': encoding ?? 'identity' } });
      expect(answer.headers.get('content-encoding')).toBe(encoding ?? null);
      expect(answer.headers.get('cache-control')).toContain('immutable');
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect((await answer.text()).length).toBeGreaterThan(50_000);
    }
  });

  test.each(['/assets/none.js', '/assets/..%2f..%2fCargo.toml', '/nowhere'])('nothing at %s', async (path) => {
    expect((await fetch(house.origin + path)).status).toBe(404);
  });
});

test('a page by plain HTTP from another machine plays and checks as well', async () => {
  // Browsers treat every name but localhost so.
  const browser = await openBrowser('--host-resolver-rules=MAP house.test 127.0.0.1');
  const ada = await Guest.come(browser, `http://house.test:${house.port}`, { reducedMotion: 'reduce' });
  await ada.lobby();
  expect(await ada.page.evaluate(() => [isSecureContext, 'subtle' in crypto])).toEqual([false, false]);
  await ada.button('Play robot 2').click();
  await ada.toBoard();
  await play([ada], byMouse);
  await ada.find('game-over').getByRole('button', { name: 'Check this game' }).click();
  await ada.find('verdict').getByText('fixed before the first move').waitFor();
  await ada.leave();
  await browser.close();
});
