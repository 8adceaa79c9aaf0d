// The client's editions are those of the rules, of the shared data, and nothing else.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { capitalOf, EDITIONS, editionOf, isBlank, valueOf } from './edition';

const ROOT = join(import.meta.dirname, '../../../../..');
const DATA = process.env['ASTRAGAL_DATA'] ?? join(ROOT, '../shared/data');
const rules = (path: string) => readFileSync(join(ROOT, 'services/rules/src', path), 'utf8');

interface Set {
  tiles: { letter: string; count: number; value: number }[];
  blank: { count: number };
  total: number;
}
const sets = JSON.parse(readFileSync(join(DATA, 'crossword/tile_sets.json'), 'utf8')) as Record<string, Set>;
const NAMES = { english: 'english_100', russian: 'russian_104', erudit: 'erudit_131', turkish: 'turkish_100' };

describe.each(Object.entries(NAMES))('the %s set', (variant, name) => {
  const edition = EDITIONS[variant]!;

  test('has the tiles of the shared data', () => {
    const { tiles, blank, total } = sets[name]!;
    expect(edition.letters).toEqual(tiles.map(({ letter, count, value }) => ({ letter, count, value })));
    expect(edition.blanks).toBe(blank.count);
    expect(edition.letters.reduce((sum, { count }) => sum + count, edition.blanks)).toBe(total);
  });

  test('has the alphabet and the bonus of the rules', () => {
    const source = rules('crossword/edition.rs');
    const own = source.slice(source.indexOf(`static ${variant.toUpperCase()}: Edition`)).split(/\n\n|\n};?\n(?=\n)/)[0]!;
    const small = /_SET, "([^"]+)"/.exec(own)?.[1] ?? '';
    expect([...edition.smalls.values()].join('')).toBe(small);
    expect(edition.bonus).toBe(Number(/bonus: (\d+)/.exec(own)?.[1] ?? /bonus: (\d+)/.exec(source)![1]));
  });

  test('writes each letter in two ways that mean the same tile, one of them for a blank', () => {
    for (const { letter, value } of edition.letters) {
      const small = edition.smalls.get(letter)!;
      expect(capitalOf(edition, small)).toBe(letter);
      expect([isBlank(edition, letter), isBlank(edition, small)]).toEqual([false, true]);
      expect([valueOf(edition, letter), valueOf(edition, small), valueOf(edition, '?')]).toEqual([value, 0, 0]);
    }
  });
});

test.each([['USUAL', 'english'], ['ERUDIT', 'erudit']])('the squares that multiply are those of the rules: %s', (name, variant) => {
  const source = rules('crossword/premium.rs');
  const block = source.slice(source.indexOf(`static ${name}: Premiums`));
  const rows = [...block.matchAll(/^ +"((?:\\"|[^"])*)",$/gm)].slice(0, 15).map(([, row]) => row!.replaceAll('\\"', '"'));
  const marks: Record<string, [number, number]> = { '=': [1, 3], '-': [1, 2], '"': [3, 1], "'": [2, 1], ' ': [1, 1] };
  const wanted = [...rows.join('')].map((mark) => marks[mark]);
  expect(wanted).toHaveLength(225);
  expect(EDITIONS[variant]!.premiums.map(({ letter, word }) => [letter, word])).toEqual(wanted);
});

test('a Turkish I is no İ, and a set without Ё takes Е for it', () => {
  expect(capitalOf(EDITIONS['turkish']!, 'i')).toBe('İ');
  expect(capitalOf(EDITIONS['turkish']!, 'ı')).toBe('I');
  expect(capitalOf(EDITIONS['erudit']!, 'ё')).toBe('Е');
  expect(capitalOf(EDITIONS['russian']!, 'ё')).toBe('Ё');
});

test('a variant that this page does not know is shown with English tiles', () => {
  expect(editionOf('klingon').variant).toBe('english');
  expect(editionOf('constructor').variant).toBe('english');
  expect(editionOf(undefined).variant).toBe('english');
});
