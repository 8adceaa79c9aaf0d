import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { counting } from './grammar';
import { en } from './en';
import { TONGUES, understood } from './languages';
import { ru } from './ru';
import { tr } from './tr';

/** Every text by its path; texts in a list count as one. */
function leaves(texts: object, path: string[] = []): Map<string, unknown> {
  return new Map(
    Object.entries(texts).flatMap(([key, text]): [string, unknown][] => {
      const here = [...path, key];
      const isArea = typeof text === 'object' && text !== null && !Array.isArray(text);
      return isArea ? [...leaves(text as object, here)] : [[here.join('.'), text]];
    }),
  );
}

const english = leaves(en);
const others = [['tr', leaves(tr)] as const, ['ru', leaves(ru)] as const];

/** What a text says, with something in each of its gaps. */
const said = (text: unknown): string =>
  typeof text === 'function' ? String((text as (...given: unknown[]) => unknown)(2, 2, 2, 2)) : String(text);

/** The same in every language. */
const SHARED = new Set(['product', 'page.game']);
/** Words that happen to be the same in some languages. */
const ALIKE = /^(table\.robot|games\.kalah\.name)$/;

describe('W3: texts', () => {
  test.each(others)('%s lacks nothing, has nothing over, and every text has the same gaps', (_, texts) => {
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [path, text] of texts) {
      const original = english.get(path);
      expect([path, typeof text, Array.isArray(text) && text.length]).toEqual([path, typeof original, Array.isArray(original) && original.length]);
      expect([path, said(text).trim()]).not.toEqual([path, '']);
      if (typeof text === 'function') {
        expect([path, text.length]).toEqual([path, (original as () => string).length]);
      }
    }
  });

  test.each(others)('%s leaves nothing in English', (tongue, texts) => {
    const left = [...texts]
      .filter(([path, text]) => path !== 'tongue' && !SHARED.has(path) && !ALIKE.test(path) && said(text) === said(english.get(path)))
      // What says nothing but numbers says the same everywhere.
      .filter(([, text]) => /\p{L}/u.test(said(text)));
    expect(left.map(([path]) => `${tongue} ${path}`)).toEqual([]);
  });

  test('nothing is kept that no part of the page says', () => {
    const chains = usedChains();
    const isUsed = (path: string) =>
      chains.some(({ chain, isWhole }) => path === chain || (isWhole && path.startsWith(`${chain}.`)));
    expect([...english.keys()].filter((path) => path !== 'tongue' && !isUsed(path))).toEqual([]);
  });
});

interface Chain {
  chain: string;
  /** Whether all below it may be meant: it is looked up by a key, or handed on. */
  isWhole: boolean;
}

/** Every `t.area.text` of the page, also by the names that a file gives to an area. */
function usedChains(): Chain[] {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(svelte|ts)$/.test(file) && !file.startsWith('texts') && !file.endsWith('.test.ts'),
  );
  return files.flatMap((file) => {
    const aliases = new Map([['t', '']]);
    const taken: Chain[] = [];
    // Texts that are taken out of an area by name are those and no others.
    const source = readFileSync(join(folder, file), 'utf8').replaceAll(/\{ ([\w, ]+) \} = t\.([\w.]+)/g, (_, names: string, area: string) => {
      for (const name of names.split(', ')) {
        const chain = `${area}.${name}`;
        if (english.has(chain)) {
          taken.push({ chain, isWhole: false });
        } else {
          aliases.set(name, `${chain}.`);
        }
      }
      return '';
    });
    for (const [, name, area] of source.matchAll(/\b(\w+)(?:: [\w[\]']+)? = (?:\$derived\()?t\.([\w.]+)\)?;/g)) {
      aliases.set(name!, `${area!}.`);
    }
    const names = [...aliases.keys()].join('|');
    const read = [...source.matchAll(new RegExp(`(?<![\\w.'$])(${names})((?:\\.\\w+)+)(\\[)?`, 'g'))].map(([, name, rest, bracket]) => {
      const chain = (aliases.get(name!)! + rest!.slice(1)).replace(/\.(map|length|at|entries)$/, '');
      // A whole area is handed on where the chain isn't a text itself; but naming an area is no use of all of it.
      const isNamed = [...aliases.values()].includes(`${chain}.`);
      return { chain, isWhole: !isNamed && (bracket !== undefined || !english.has(chain)) };
    });
    return [...taken, ...read];
  });
}

describe('W3: plural forms', () => {
  test.each([
    ['en', 1, '1 seed'],
    ['en', 0, '0 seeds'],
    ['en', 1_200, '1,200 seeds'],
    ['tr', 1, '1 taş'],
    ['tr', 7, '7 taş'],
    ['ru', 1, '1 камень'],
    ['ru', 3, '3 камня'],
    ['ru', 11, '11 камней'],
    ['ru', 21, '21 камень'],
    ['ru', 1.5, '1,5 камня'],
  ])('%s says %d as %s', (tongue, n, shown) => {
    const forms = {
      en: { one: 'seed', other: 'seeds' },
      tr: { other: 'taş' },
      ru: { one: 'камень', few: 'камня', many: 'камней', other: 'камня' },
    }[tongue as keyof typeof TONGUES];
    expect(counting(tongue)(n, forms)).toBe(shown);
  });

  test('are those of the texts', () => {
    expect([1, 2, 5].map((n) => ru.table.viewers(n))).toEqual(['1 зритель', '2 зрителя', '5 зрителей']);
    expect([1, 2].map((n) => [en.table.viewers(n), tr.table.viewers(n)])).toEqual([
      ['1 watches', '1 izleyici'],
      ['2 watch', '2 izleyici'],
    ]);
  });
});

test.each([
  [['de-AT', 'tr-TR', 'en'], 'tr'],
  [['RU'], 'ru'],
  [['fr', 'de'], 'en'],
  [[], 'en'],
])('W3: a reader of %j is spoken to in %s', (tags, tongue) => {
  expect(understood(tags)).toBe(tongue);
});
