import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { backoff, WAIT_MS } from '../backoff';
import { canonical } from '../canonical';
import { Emitter } from '../emitter';
import { Problem } from '../problem';
import { bytesOf, digest, hexOf, sha256, sha256OfText } from '../sha256';
import { socketAddress } from '../socket';
import { milliseconds, ServerClock } from '../time';
import { uuid } from '../uuid';

describe('SHA-256', () => {
  test('in plain arithmetic equals the platform for every length around the blocks', () => {
    for (let length = 0; length <= 200; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, k) => (k * 167 + length) & 0xff);
      expect(digest(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
    }
  });

  test('does without WebCrypto, which browsers keep from pages by plain HTTP', async () => {
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(await sha256OfText('abc')).toBe(abc);
    vi.stubGlobal('crypto', {});
    expect(await sha256(new TextEncoder().encode('abc'))).toBe(abc);
    vi.unstubAllGlobals();
  });

  test('hex goes there and back, and nothing else is hex', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, k) => k);
    expect(bytesOf(hexOf(bytes))).toEqual(bytes);
    for (const odd of ['0', 'AB', 'zz', '0x12', ' 00']) {
      expect(bytesOf(odd)).toBeUndefined();
    }
  });
});

describe('canonical JSON', () => {
  test('sorts keys by UTF-16 units and writes numbers and strings as the RFC does', () => {
    const value = { '\u20ac': 'Euro', '\r': 'CR', '\ufb33': 'dagesh', '1': 'one', '\u{1f600}': 'smile', '\u0080': 'control', 'ö': 'o' };
    expect(canonical(value)).toBe(
      '{"\\r":"CR","1":"one","\u0080":"control","ö":"o","€":"Euro","😀":"smile","\ufb33":"dagesh"}',
    );
    expect(canonical([1e21, 0.002, -0, 1e-7, 333333333.33333329, true, null, '\u000f"\\/'])).toBe(
      '[1e+21,0.002,0,1e-7,333333333.3333333,true,null,"\\u000f\\"\\\\/"]',
    );
    expect(canonical({ pits: [[4, 4], []], deep: { b: 1, a: {} } })).toBe('{"deep":{"a":{},"b":1},"pits":[[4,4],[]]}');
  });
});

test('a random UUID is one, also where the browser offers no ready one', () => {
  const ids = Array.from({ length: 500 }, uuid);
  ids.forEach((id) => expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/));
  expect(new Set(ids).size).toBe(ids.length);
});

test('waits grow, have a bound, and are spread', () => {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const [least, most] = [backoff(attempt, () => 0), backoff(attempt, () => 1)];
    expect(most).toBe(least * 2);
    expect(most).toBeLessThanOrEqual(WAIT_MS.most);
    expect(least).toBeGreaterThanOrEqual(WAIT_MS.first / 2);
  }
});

test('durations are those of protobuf JSON', () => {
  expect(['20s', '1.5s', '0s', '-2.25s'].map(milliseconds)).toEqual([20_000, 1_500, 0, -2_250]);
  expect([undefined, '', '20', '1m', '1.5', 's'].map(milliseconds)).toEqual(Array(6).fill(undefined));
});

test('the clock believes the quickest exchange', () => {
  const clock = new ServerClock();
  clock.learn(new Date(10_000).toISOString(), 0, 200);
  expect(clock.offset).toBe(9_900);
  clock.learn(new Date(20_000).toISOString(), 0, 5_000);
  clock.learn('no time', 0, 1);
  expect(clock.offset).toBe(9_900);
  clock.learn(new Date(10_050).toISOString(), 0, 100);
  expect(clock.offset).toBe(10_000);
  clock.renew();
  clock.learn(new Date(60_000).toISOString(), 0, 4_000);
  expect(clock.offset).toBe(58_000);
});

test('the socket is where the page came from', () => {
  expect(socketAddress({ protocol: 'https:', host: 'play.example' })).toBe('wss://play.example/v1/ws');
  expect(socketAddress({ protocol: 'http:', host: '10.0.0.2:8080' })).toBe('ws://10.0.0.2:8080/v1/ws');
});

test('what is no error of the protocol becomes one', () => {
  expect(Problem.read({ code: 'GAME_OVER', message: 'the game is over' })).toMatchObject({ code: 'GAME_OVER', passes: false });
  for (const odd of [undefined, null, 'text', 7, {}, { code: 3 }]) {
    expect(Problem.read(odd)).toMatchObject({ code: 'GARBLED', passes: true });
  }
});

test('a listener that throws keeps nothing from the others', () => {
  class Loud extends Emitter<{ word: string }> {
    say(word: string): void {
      this.emit('word', word);
    }
  }
  const thrown = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => undefined);
  const loud = new Loud();
  const heard = vi.fn();
  loud.on('word', () => {
    throw new Error('deaf');
  });
  const stop = loud.on('word', heard);
  loud.say('one');
  stop();
  loud.say('two');
  expect(heard).toHaveBeenCalledExactlyOnceWith('one');
  expect(thrown).toHaveBeenCalledTimes(2);
  thrown.mockRestore();
});
