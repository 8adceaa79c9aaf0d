import { expect, test } from 'vitest';
import type { GameUpdate, Seat } from '../../client';
import { departure } from './departure';

const seats = (count: number) => ({ seats: Array.from({ length: count }, () => ({}) as Seat) });
const made = (move: GameUpdate['move'], seat?: number) => ({ move, ...(seat !== undefined && { seat }) }) as GameUpdate;

test('who goes while others play on is told', () => {
  expect(departure(made({ resigned: 2 }), seats(3))).toEqual({ gone: 2, how: 'resigns' });
  expect(departure(made({ left: 0 }), seats(4))).toEqual({ gone: 0, how: 'leaves' });
  expect(departure(made({ time: 1 }), seats(4))).toEqual({ gone: 1, how: 'is out of time' });
});

test('the end of a game of two is none, nor is any other move', () => {
  expect(departure(made({ resigned: 1 }), seats(2))).toBeUndefined();
  expect(departure(made({ resigned: 1 }, 0), seats(3))).toBeUndefined();
  for (const move of [{ verdict: true }, { constructor: 1 }, {}, null, 7, [1], { time: 'x' }]) {
    expect(departure(made(move), seats(3))).toBeUndefined();
  }
});
