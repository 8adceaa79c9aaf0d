import { describe, expect, test } from 'vitest';
import { backwards, led, onwards } from './cursor';
import { EDITIONS } from './edition';
import { letterOf } from './keyboard';
import { moved, reconciled, shuffled, type Tile } from './rack';
import { unseen } from './unseen';

const faces = (tiles: readonly Tile[]) => tiles.map(({ face }) => face).join('');

describe('the rack', () => {
  const tiles = reconciled([], 'AAB?');

  test('keeps the order of what is left, and new tiles come last', () => {
    const mixed = moved(tiles, tiles[3]!.id, tiles[0]!.id);
    expect(faces(mixed)).toBe('?AAB');
    const next = reconciled(mixed, 'ABCD?');
    expect(faces(next)).toBe('?ABCD');
    expect(next.slice(0, 3).map(({ id }) => id)).toEqual([mixed[0]!.id, mixed[1]!.id, mixed[3]!.id]);
    expect(new Set(next.map(({ id }) => id)).size).toBe(5);
    expect(reconciled(next, '')).toEqual([]);
  });

  test('is shuffled into another order, with the same tiles', () => {
    for (let k = 0; k < 100; k += 1) {
      const mixed = shuffled(tiles);
      expect(faces(mixed)).not.toBe(faces(tiles));
      expect([...mixed].sort((one, other) => one.id - other.id)).toEqual([...tiles]);
    }
    // A random source that leaves everything in its place.
    expect(faces(shuffled(tiles, () => 0.999_999))).toBe('AB?A');
    expect(shuffled([], () => 0)).toEqual([]);
    expect(faces(shuffled(reconciled([], 'A')))).toBe('A');
  });

  test('lets a tile be moved anywhere', () => {
    const [first, , third] = tiles as [Tile, Tile, Tile];
    expect(faces(moved(tiles, third.id, first.id))).toBe('BAA?');
    expect(faces(moved(tiles, third.id, undefined))).toBe('AA?B');
    expect(moved(tiles, 99, undefined)).toEqual(tiles);
  });
});

describe('unseen tiles', () => {
  const english = EDITIONS['english']!;

  test('are the set without the board and what is in sight', () => {
    const all = unseen(english, [], '');
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(100);
    const left = new Map(unseen(english, ['Q', 'i', '.', 'E'], 'EE?').map(({ face, count }) => [face, count]));
    expect([left.get('Q'), left.get('I'), left.get('E'), left.get('?')]).toEqual([0, 9, 9, 0]);
    expect([...left.values()].reduce((sum, count) => sum + count, 0)).toBe(94);
  });
});

describe('the keyboard', () => {
  const key = (written: string, code = '') => ({ key: written, code });

  test.each([
    ['english', 'q', 'KeyQ', 'Q'],
    ['english', 'Q', 'KeyQ', 'Q'],
    ['english', 'й', 'KeyQ', 'Q'],
    ['russian', 'й', 'KeyQ', 'Й'],
    ['russian', 'q', 'KeyQ', 'Й'],
    ['russian', '.', 'Period', 'Ю'],
    ['russian', '`', 'Backquote', 'Ё'],
    ['erudit', 'ё', 'Backquote', 'Е'],
    ['turkish', 'i', 'Quote', 'İ'],
    ['turkish', 'ı', 'KeyI', 'I'],
    ['turkish', 'I', 'KeyI', 'I'],
    ['turkish', 'ş', 'Semicolon', 'Ş'],
  ])('on a table with %s tiles %s lays a letter', (variant, written, code, letter) => {
    expect(letterOf(EDITIONS[variant]!, key(written, code))).toBe(letter);
  });

  test('leaves other keys alone', () => {
    for (const given of [key('Enter', 'Enter'), key('1', 'Digit1'), key(' ', 'Space'), key('F5', 'F5'), key('Dead', 'KeyQ'), key('ğ', 'BracketLeft')]) {
      expect(letterOf(EDITIONS['english']!, given)).toBeUndefined();
    }
  });

  test('leads from square to square and stops at the edge', () => {
    expect([led(16, 'ArrowLeft'), led(16, 'ArrowRight'), led(16, 'ArrowUp'), led(16, 'ArrowDown')]).toEqual([15, 17, 1, 31]);
    expect([led(15, 'ArrowLeft'), led(14, 'ArrowRight'), led(3, 'ArrowUp'), led(220, 'ArrowDown')]).toEqual([15, 14, 3, 220]);
    expect([led(20, 'Home'), led(20, 'End'), led(20, 'x')]).toEqual([15, 29, undefined]);
  });

  test('goes on to the next free square, and back to the last own tile', () => {
    const isFilled = (square: number) => square === 1 || square === 2;
    expect(onwards({ square: 0, direction: 'across' }, isFilled)).toBe(3);
    expect(onwards({ square: 14, direction: 'across' }, isFilled)).toBe(14);
    expect(onwards({ square: 0, direction: 'down' }, isFilled)).toBe(15);
    expect(backwards({ square: 4, direction: 'across' }, isFilled)).toBe(2);
    expect(backwards({ square: 16, direction: 'down' }, isFilled)).toBe(1);
    expect(backwards({ square: 0, direction: 'across' }, isFilled)).toBeUndefined();
  });
});
