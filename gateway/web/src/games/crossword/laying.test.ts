// Plays are scored as they were in real games, and what can't be played is told apart.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EDITIONS } from './edition';
import { look, runThrough, type Put } from './laying';
import { squaresLaid } from './notation';
import { CENTRE, readStart, SQUARES, step } from './place';
import { EMPTY } from './view';

const english = EDITIONS['english']!;
const bare = Array<string>(SQUARES).fill(EMPTY);
const at = (name: string) => readStart(name)!.square;
const puts = (start: string, tiles: string): Put[] => {
  const characters = [...tiles].filter((character) => character !== EMPTY);
  return squaresLaid({ at: start, tiles }).map((square, k) => ({ square, character: characters[k]! }));
};
const after = (board: readonly string[], start: string, tiles: string) => {
  const next = [...board];
  puts(start, tiles).forEach(({ square, character }) => (next[square] = character));
  return next;
};

describe('a game of the shared data', () => {
  const folder = join(process.env['ASTRAGAL_DATA'] ?? join(import.meta.dirname, '../../../../../../shared/data'), 'crossword/gcg');
  const games = readdirSync(folder).filter((file) => file.endsWith('.gcg'));
  expect(games.length).toBeGreaterThan(20);

  test.each(games)('%s has the score of each play', (file) => {
    let boards = [bare];
    let plays = 0;
    for (const line of readFileSync(join(folder, file), 'utf8').split(/\r?\n/)) {
      if (/^>\S+: \S* ?--/.test(line)) {
        boards = boards.slice(0, -1);
        continue;
      }
      const found = /^>[^:]+: +\S+ +([A-O]?\d+[A-O]?) +(\S+) +\+(\d+) /i.exec(line);
      if (!found) {
        continue;
      }
      const board = boards.at(-1)!;
      const [, start, word, score] = [found[0], found[1]!.toUpperCase(), found[2]!, found[3]!];
      const { square, direction } = readStart(start)!;
      // Some write the letters that lie there already.
      const tiles = [...word].map((character, k) => (board[step(square, direction, k)!] === EMPTY ? character : EMPTY)).join('');
      const laying = look(board, puts(start, tiles), english);
      expect(laying?.flaw, line).toBeUndefined();
      expect(laying?.total, line).toBe(Number(score));
      // What would be sent lays the same tiles.
      expect(after(board, laying!.play!.at, laying!.play!.tiles)).toEqual(after(board, start, tiles));
      boards.push(after(board, start, tiles));
      plays += 1;
    }
    expect(plays).toBeGreaterThan(5);
  });
});

describe('tiles that are being laid', () => {
  const lying = after(bare, '8F', 'TABLE');

  test('come to nothing without any', () => {
    expect(look(lying, [], english)).toBeUndefined();
  });

  test.each([
    ['all over the board', lying, [...puts('9F', 'A'), ...puts('10G', 'B')], 'line'],
    ['with a gap', lying, [...puts('9F', 'A'), ...puts('11F', 'B')], 'gap'],
    ['in a row beyond a tile that lies, with a gap', lying, [...puts('8E', 'S'), ...puts('8L', 'S')], 'gap'],
    ['away from all others', lying, puts('2B', 'CAT'), 'apart'],
    ['that touch at a corner only', lying, puts('9E', 'A'), 'apart'],
    ['off the centre at first', bare, puts('2B', 'CAT'), 'centre'],
    ['alone at first', bare, puts('8H', 'A'), 'single'],
  ] as const)('%s have a flaw', (_, board, given, flaw) => {
    const laying = look(board, given, english);
    expect([laying?.flaw, laying?.play]).toEqual([flaw, undefined]);
  });

  test('may be laid in any order, around what lies there', () => {
    const laying = look(lying, [...puts('8L', 'A'), ...puts('8D', 'R'), ...puts('8K', 'T'), ...puts('8E', 'O')].reverse(), english);
    expect(laying?.play).toEqual({ at: '8D', tiles: 'RO.....TA' });
    expect(laying?.words.map(({ text }) => text)).toEqual(['ROTABLETA']);
  });

  test('alone run the way in which they form a word', () => {
    expect(look(lying, puts('9G', 'H'), english)?.play).toEqual({ at: 'G8', tiles: '.H' });
    expect(look(lying, puts('8K', 'D'), english)?.play).toEqual({ at: '8F', tiles: '.....D' });
  });

  test('score the words across too, a blank nothing, premiums once, and the bonus for a whole rack', () => {
    const both = look(lying, puts('9G', 'HaT'), english)!;
    // H4 on 2L, a blank, T1 on 2L, and AH, Ba, LT.
    expect(both.words).toMatchObject([
      { text: 'HaT', score: 8 + 0 + 2 },
      { text: 'AH', score: 1 + 8 },
      { text: 'Ba', score: 3 },
      { text: 'LT', score: 1 + 2 },
    ]);
    expect(both.total).toBe(10 + 9 + 3 + 3);
    const whole = look(bare, puts('8B', 'RETAINS'), english)!;
    expect(whole).toMatchObject({ bonus: 50, total: 66 });
    expect(look(bare, puts('8B', 'ПОЛЕВКА'.slice(0, 7)), EDITIONS['erudit']!)).toMatchObject({ bonus: 15 });
  });

  test('begin on the centre where it is plain without doubling', () => {
    const plain = EDITIONS['erudit']!;
    expect(plain.premiums[CENTRE]).toEqual({ letter: 1, word: 1 });
    expect(look(bare, puts('8H', 'ДА'), plain)?.total).toBe(3);
    expect(look(bare, puts('8H', 'ДА'), EDITIONS['russian']!)?.total).toBe(6);
  });
});

test('a run ends at empty squares and at the edge', () => {
  const board = after(after(bare, '1A', 'AB'), '1D', 'C');
  expect(runThrough(board, at('1A'), 'across')).toEqual([0, 1]);
  expect(runThrough(board, at('1D'), 'across')).toEqual([3]);
  expect(step(14, 'across')).toBeUndefined();
  expect(step(at('15A'), 'down')).toBeUndefined();
  expect(step(at('A1'), 'down', -1)).toBeUndefined();
});
