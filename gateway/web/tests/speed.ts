// Times, printed, and held against what the page promises. A bench, not a test: a busy machine fails it.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byMouse, Guest, play } from './guest';
import { House, openBrowser } from './house';

const USABLE_MS_MAX = 1_000;
const MOVE_MS_MAX = 100;
const FRAME_MS_MAX = 50;

let house: House;
let browser: Browser;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

const print = (line: string) => process.stdout.write(`  ${line}\n`);
const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

test('the lobby is usable within a second of its first paint, and of the first byte asked for', async () => {
  const times: { paint: number; usable: number }[] = [];
  for (let visit = 0; visit < 5; visit += 1) {
    const ada = await Guest.come(browser, house.origin);
    await ada.page.addInitScript(() => {
      const seen = globalThis as unknown as { usable?: number };
      new MutationObserver(() => {
        if (seen.usable === undefined && document.querySelector('[data-testid="lobby"][data-ready="true"] button:not(:disabled)')) {
          requestAnimationFrame(() => (seen.usable ??= performance.now()));
        }
      }).observe(document, { subtree: true, childList: true, attributes: true });
    });
    await ada.lobby();
    await ada.page.waitForFunction(() => (globalThis as unknown as { usable?: number }).usable !== undefined);
    times.push(
      await ada.page.evaluate(() => ({
        paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
        usable: (globalThis as unknown as { usable: number }).usable,
      })),
    );
    await ada.leave();
  }
  const usable = times.map((time) => time.usable);
  print(`first paint after ${median(times.map(({ paint }) => paint)).toFixed(0)} ms, lobby usable after ${median(usable).toFixed(0)} ms (worst of ${usable.length}: ${Math.max(...usable).toFixed(0)})`);
  expect(median(usable)).toBeLessThan(USABLE_MS_MAX);
});

/** Notes when a page's seeds begin to move, and marks for the trace while any of them does. */
async function watchSeeds(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted = globalThis as unknown as { pressed: number; moved: number };
    noted.pressed = noted.moved = 0;
    addEventListener('click', () => (noted.pressed = Date.now()), { capture: true });
    let moving = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
      const animation = animate.apply(this, given);
      if (this.classList.contains('seed')) {
        if (noted.moved === 0) {
          noted.moved = -1;
          requestAnimationFrame(() => (noted.moved = Date.now()));
        }
        moving += 1;
        if (moving === 1) {
          performance.mark('seeds move');
        }
        const rest = () => {
          moving -= 1;
          if (moving === 0) {
            performance.mark('seeds rest');
          }
        };
        void animation.finished.then(rest, rest);
      }
      return animation;
    };
  });
}

test('a move is seen to begin on the other board within a tenth of a second', async () => {
  const [ada, ben] = await Promise.all([Guest.come(browser, house.origin), Guest.come(browser, house.origin)]);
  await Promise.all([ada, ben].map(({ page }) => watchSeeds(page)));
  await ada.lobby();
  await ada.button('Play a friend').click();
  await ada.seeDraw();
  await ben.page.goto(ada.page.url());
  await ben.button('Take the seat').click();
  await ben.seeDraw();
  const taken: number[] = [];
  for (let move = 0; move < 12; move += 1) {
    const { mover, pits } = await Promise.race(
      [ada, ben].map(async (mover) => ({ mover, pits: await mover.turn() })),
    );
    const pit = pits.at(-1);
    if (pit === undefined) {
      break;
    }
    const other = mover === ada ? ben : ada;
    await other.page.locator('[data-testid="table"][data-playing="false"]').waitFor();
    await other.page.evaluate(() => ((globalThis as unknown as { moved: number }).moved = 0));
    const before = await mover.revision();
    await byMouse(mover.page, pit);
    const moved = await other.page.waitForFunction(() => {
      const { moved } = globalThis as unknown as { moved: number };
      return moved > 0 && moved;
    });
    const pressed = await mover.page.evaluate(() => (globalThis as unknown as { pressed: number }).pressed);
    taken.push(((await moved.jsonValue()) as number) - pressed);
    await mover.page.waitForFunction(
      (known) => Number(document.querySelector<HTMLElement>('[data-testid="table"]')?.dataset['revision']) > known,
      before,
    );
  }
  print(`a move to the other's moving seeds: median ${median(taken)} ms, worst of ${taken.length}: ${Math.max(...taken)} ms`);
  expect(median(taken)).toBeLessThan(MOVE_MS_MAX);
  await Promise.all([ada.leave(), ben.leave()]);
});

interface TraceEvent {
  name: string;
  cat: string;
  ph: string;
  ts: number;
  dur?: number;
  pid: number;
  tid: number;
  args: { name?: string };
}

test('no frame takes longer than fifty milliseconds while seeds move', async () => {
  const ada = await Guest.come(browser, house.origin);
  await watchSeeds(ada.page);
  await ada.page.goto(`${house.origin}/?bot=3`);
  await ada.seeDraw();
  await ada.turn();
  await browser.startTracing(ada.page, {
    categories: ['toplevel', 'blink.user_timing', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'disabled-by-default-devtools.timeline.frame'],
  });
  await play([ada], byMouse, 6);
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mains = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = trace.traceEvents
    .filter(({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && mains.has(`${pid} ${tid}`))
    .map(({ dur = 0 }) => dur / 1000);
  const frames = trace.traceEvents
    .filter(({ name }) => name === 'DrawFrame')
    .map(({ ts }) => ts / 1000)
    .toSorted((one, other) => one - other);
  const times = (mark: string) => trace.traceEvents.filter(({ name }) => name === mark).map(({ ts }) => ts / 1000).toSorted((a, b) => a - b);
  const rests = times('seeds rest');
  const moves = times('seeds move').map((begin) => ({ begin, end: rests.find((at) => at > begin) ?? begin }));
  const gaps = moves.flatMap(({ begin, end }) => {
    const drawn = frames.filter((at) => at >= begin && at <= end);
    return drawn.slice(1).map((at, k) => at - drawn[k]!);
  });
  const sorted = gaps.toSorted((one, other) => one - other);
  const late = sorted[Math.floor(sorted.length * 0.99)]!;
  print(
    `while seeds move: ${gaps.length} frames, median ${median(gaps).toFixed(1)} ms, 99 % within ${late.toFixed(1)}, longest ${sorted.at(-1)!.toFixed(1)}; ` +
      `longest task of the page ${Math.max(...tasks).toFixed(1)} ms of ${tasks.length}`,
  );
  expect(gaps.length).toBeGreaterThan(100);
  expect(Math.max(...tasks)).toBeLessThan(FRAME_MS_MAX);
  // A busy machine may drop a frame; the page itself must not.
  expect(late).toBeLessThan(FRAME_MS_MAX);
  await ada.leave();
});
