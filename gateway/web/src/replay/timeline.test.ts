import { expect, test } from 'vitest';
import { readTimeline, stepNamed, updateOf } from './timeline';

const head = { gameId: 'g', game: 'kalah', moves: 1, over: true };
const deal = { number: 0, move: null, annotations: {}, drew: true, view: { pits: [] }, toMove: [0], stateHash: '', takenBack: 0 };
const step = { ...deal, number: 1, seat: 0, move: { pit: 3 }, drew: false, toMove: [1], at: '2026-11-30T12:00:00Z' };
const lines = (...all: unknown[]) => `${all.map((one) => JSON.stringify(one)).join('\n')}\n`;

test('P4: a timeline is a head and its steps', () => {
  expect(readTimeline(lines(head, deal, step))).toEqual({ head, steps: [deal, step] });
  expect(readTimeline(lines(head))).toEqual({ head, steps: [] });
});

test.each([[''], ['{'], ['null'], [lines(deal)], [lines(head, 7)], [`${lines(head)}<html>`]])('P4: %j is no timeline', (text) => {
  expect(readTimeline(text)).toBeUndefined();
});

test('P4: a step tells what a move tells', () => {
  expect(updateOf('g', step)).toEqual({
    gameId: 'g', revision: 1, number: 1, seat: 0, move: { pit: 3 }, annotations: {}, drew: false, view: { pits: [] }, toMove: [1], viewHash: '',
  });
  expect('seat' in updateOf('g', deal)).toBe(false);
});

test.each([['0', 0], ['12', 12], ['', undefined], [null, undefined], ['-1', undefined], ['1e3', undefined], ['99999999', undefined]])(
  'P4: the step of an address %j is %s',
  (text, number) => {
    expect(stepNamed(text)).toBe(number);
  },
);
