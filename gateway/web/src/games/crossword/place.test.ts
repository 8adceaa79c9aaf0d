import { expect, test } from 'vitest';
import { squaresLaid, wordsRefused } from './notation';
import { CENTRE, nameOf, readStart, SQUARES, startName } from './place';

test('every place has its name in both directions, and no other is read', () => {
  for (let square = 0; square < SQUARES; square += 1) {
    for (const direction of ['across', 'down'] as const) {
      expect(readStart(startName({ square, direction }))).toEqual({ square, direction });
    }
  }
  expect(startName({ square: 7 * 15 + 3, direction: 'across' })).toBe('8D');
  expect(startName({ square: 7 * 15 + 3, direction: 'down' })).toBe('D8');
  expect(nameOf(CENTRE)).toBe('H8');
  for (const text of ['', '8', 'D', '16A', 'A16', 'P1', '0A', '08D', 'd8', '8D ', '8DD', '88D']) {
    expect(readStart(text), text).toBeUndefined();
  }
});

test('a play lays tiles where it has letters, and nowhere off the board', () => {
  expect(squaresLaid({ at: '8D', tiles: 'J.T' })).toEqual([108, 110]);
  expect(squaresLaid({ at: 'D8', tiles: 'jT' })).toEqual([108, 123]);
  expect(squaresLaid({ at: '1O', tiles: 'AB' })).toEqual([14]);
  expect(squaresLaid({ at: 'nowhere', tiles: 'AB' })).toEqual([]);
});

test('the words of a refusal are found, whatever else the server may say', () => {
  expect(wordsRefused('QZX is not in the dictionary')).toEqual(['QZX']);
  expect(wordsRefused('ЪЪЪ, ИЁ are not in the dictionary')).toEqual(['ЪЪЪ', 'ИЁ']);
  expect(wordsRefused('H8 is filled, write . for it')).toEqual([]);
});
