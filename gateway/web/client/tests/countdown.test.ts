import { describe, expect, test } from 'vitest';
import { remainingAt, stopped } from '../countdown';
import { ServerClock } from '../time';

const AT = Date.parse('2026-11-29T12:00:00Z');
const clock = { remaining: ['300s', '9.250s'], running: 1, serverTime: '2026-11-29T12:00:00Z' };

describe('G3: the clocks of a table', () => {
  test('run down for the seat that is to move, and for nobody else', () => {
    expect(remainingAt(clock, AT)).toEqual([300_000, 9_250]);
    expect(remainingAt(clock, AT + 1_100)).toEqual([300_000, 8_150]);
    expect(remainingAt(stopped(clock), AT + 60_000)).toEqual([300_000, 9_250]);
  });

  test('never show less than nothing, nor more than the server said', () => {
    expect(remainingAt(clock, AT + 60_000)).toEqual([300_000, 0]);
    expect(remainingAt(clock, AT - 5_000)).toEqual([300_000, 9_250]);
    expect(remainingAt({ remaining: ['-3s'] }, AT)).toEqual([0]);
  });

  test('stand where the server did not say when it spoke, or how much there is', () => {
    expect(remainingAt({ remaining: ['5s'], running: 0 }, AT)).toEqual([5_000]);
    expect(remainingAt({ remaining: ['soon'], running: 0, serverTime: clock.serverTime }, AT)).toEqual([0]);
  });
});

describe("G3: the server's clock", () => {
  const iso = (ms: number) => new Date(ms).toISOString();

  test('is known to half the quickest round trip', () => {
    const server = new ServerClock();
    // The server is 5 s ahead; the first answer took 400 ms, nearly all of it on the way back.
    server.learn(iso(AT + 5_010), AT, AT + 400);
    expect(Math.abs(server.offset - 5_000)).toBeLessThanOrEqual(200);
    server.learn(iso(AT + 6_010), AT + 1_000, AT + 1_020);
    expect(server.offset).toBe(5_000);
    server.learn(iso(AT + 7_000), AT + 2_000, AT + 2_300);
    expect(server.offset).toBe(5_000);
  });

  test('is measured anew once the best measure is old', () => {
    const server = new ServerClock();
    server.learn(iso(AT), AT, AT + 10);
    // The device's clock was set back by a minute meanwhile.
    server.learn(iso(AT + 180_000), AT + 120_000, AT + 120_060);
    expect(server.offset).toBe(59_970);
  });
});
