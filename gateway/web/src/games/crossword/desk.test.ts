import { beforeEach, describe, expect, test } from 'vitest';
import { Desk } from './desk.svelte';
import { EDITIONS } from './edition';
import { CENTRE, SQUARES } from './place';
import { EMPTY, type CrosswordView } from './view';

const shown = (rack: string, lying: Record<number, string> = {}): CrosswordView => ({
  board: Array.from({ length: SQUARES }, (_, square) => lying[square] ?? EMPTY),
  rack,
  racks: [7, 7],
  hands: undefined,
  scores: [0, 0],
  bag: 80,
  fresh: undefined,
});
const faces = (tiles: readonly { face: string }[]) => tiles.map(({ face }) => face).join('');

describe('a desk', () => {
  let desk: Desk;
  const tile = (face: string) => desk.onRack.find((one) => one.face === face)!.id;
  const typed = (word: string) => [...word].map((letter) => desk.type(letter, false));

  beforeEach(() => {
    desk = new Desk(() => EDITIONS['english']!);
    desk.take(shown('ABERTW?'));
  });

  test('lays what is typed, one square after the other, over what lies there', () => {
    desk.take(shown('ABERTW?', { [CENTRE + 1]: 'O' }));
    expect(typed('BAT')).toEqual(['laid', 'laid', 'laid']);
    expect(desk.laid.map(({ square }) => square)).toEqual([CENTRE, CENTRE + 2, CENTRE + 3]);
    expect(desk.laying?.words[0]?.text).toBe('BOAT');
    expect(desk.cursor).toEqual({ square: CENTRE + 4, direction: 'across' });
    desk.turn();
    desk.go(CENTRE);
    expect(typed('E')).toEqual(['laid']);
    expect(desk.bySquare.has(CENTRE + 15)).toBe(true);
  });

  test('takes the blank for a letter that is not there, or when it is asked to, and says if there is neither', () => {
    expect(typed('Q')).toEqual(['laid']);
    expect(desk.puts).toEqual([{ square: CENTRE, character: 'q' }]);
    expect(typed('Z')).toEqual(['missing']);
    desk.recall();
    desk.go(CENTRE);
    expect(desk.type('A', true)).toBe('laid');
    expect(desk.puts[0]?.character).toBe('a');
    expect(desk.type('B', true)).toBe('missing');
    expect(faces(desk.onRack)).toBe('ABERTW');
  });

  test('has no room at the edge', () => {
    desk.go(14);
    expect(typed('AB')).toEqual(['laid', 'full']);
  });

  test('takes back letter by letter, and all at once', () => {
    typed('BAT');
    desk.erase();
    expect(desk.cursor.square).toBe(CENTRE + 2);
    desk.erase();
    expect(faces(desk.laid.map(({ tile: one }) => one))).toBe('B');
    desk.recall();
    desk.erase();
    expect(desk.laid).toEqual([]);
    expect(faces(desk.onRack)).toHaveLength(7);
  });

  test('asks for the letter of a blank that is laid by hand, and keeps it while the tile moves', () => {
    desk.put(tile('?'), CENTRE);
    expect(desk.laid).toEqual([]);
    desk.pick('Q');
    expect(desk.puts).toEqual([{ square: CENTRE, character: 'q' }]);
    desk.put(desk.laid[0]!.tile.id, CENTRE + 1);
    expect(desk.picking).toBeUndefined();
    expect(desk.puts).toEqual([{ square: CENTRE + 1, character: 'q' }]);
  });

  test('swaps tiles that are laid on one another, and lays none on the table’s', () => {
    desk.put(tile('A'), CENTRE);
    desk.put(tile('B'), CENTRE + 1);
    desk.put(desk.bySquare.get(CENTRE)!.tile.id, CENTRE + 1);
    expect([CENTRE, CENTRE + 1].map((square) => desk.bySquare.get(square)?.letter)).toEqual(['B', 'A']);
    desk.put(tile('W'), CENTRE);
    expect(desk.bySquare.get(CENTRE)?.letter).toBe('W');
    expect(faces(desk.onRack)).toContain('B');
    desk.take(shown('ABERTW?', { [3]: 'X' }));
    desk.put(tile('B'), 3);
    expect(desk.bySquare.has(3)).toBe(false);
  });

  test('gives tiles back whose square somebody else has filled, and forgets those that were played', () => {
    typed('BAT');
    desk.take(shown('ABERTW?', { [CENTRE + 1]: 'O' }));
    expect(desk.laid.map(({ letter }) => letter)).toEqual(['B', 'T']);
    expect(faces(desk.onRack)).toBe('AERW?');
    desk.take(shown('AERW?XY', { [CENTRE]: 'B', [CENTRE + 1]: 'O', [CENTRE + 2]: 'T' }));
    expect(desk.laid).toEqual([]);
    expect(faces(desk.tiles)).toBe('AERW?XY');
  });

  test('picks tiles for an exchange, and lays none meanwhile', () => {
    typed('BA');
    desk.exchange(true);
    expect(desk.laid).toEqual([]);
    desk.choose(tile('W'));
    desk.choose(tile('?'));
    desk.choose(tile('E'));
    desk.choose(tile('E'));
    expect(desk.exchanged).toBe('W?');
    desk.put(tile('A'), CENTRE);
    expect(desk.laid).toEqual([]);
    desk.exchange(false);
    expect(desk.exchanged).toBe('');
  });

  test('puts its tiles in order, those on the board last', () => {
    desk.arrange(tile('?'), tile('A'));
    expect(faces(desk.onRack)).toBe('?ABERTW');
    typed('B');
    desk.shuffle();
    expect(faces(desk.tiles).at(-1)).toBe('B');
    desk.arrange(desk.laid[0]!.tile.id, undefined);
    expect(desk.laid).toEqual([]);
  });
});
