import { expect, test } from 'vitest';
import { face } from './clock-face';

const words = { days: (days: number, hours: number) => `${days} d ${hours} h` };

test.each([
  [-1, '0:00.0'],
  [0, '0:00.0'],
  [99, '0:00.0'],
  [100, '0:00.1'],
  [9_999, '0:09.9'],
  [10_000, '0:10'],
  [59_999, '0:59'],
  [60_000, '1:00'],
  [3_599_999, '59:59'],
  [3_600_000, '1:00:00'],
  [86_399_999, '23:59:59'],
  [86_400_000, '1 d 0 h'],
  [273_600_000, '3 d 4 h'],
])('G3: %i milliseconds are shown as %s', (ms, shown) => {
  expect(face(ms, words)).toBe(shown);
});
