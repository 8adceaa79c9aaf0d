// The editions of the game as data: tiles, their values, the squares that multiply. The server plays by the
// same data; a test holds the two against each other.

import { SIDE } from './place';

/** A letter of a set. */
export interface Letter {
  letter: string;
  count: number;
  value: number;
}

/** What a square multiplies by. */
export interface Premium {
  letter: number;
  word: number;
}

/** Tiles, board and alphabet of a variant. */
export interface Edition {
  variant: string;
  /** In the order of the alphabet. */
  letters: Letter[];
  blanks: number;
  /** The points for laying a whole rack at once. */
  bonus: number;
  /** By square. */
  premiums: Premium[];
  /** The capital of a small letter, and of letters that others stand for. */
  capitals: ReadonlyMap<string, string>;
  /** The small form of a capital: how a blank is written. */
  smalls: ReadonlyMap<string, string>;
  values: ReadonlyMap<string, number>;
}

/** How many tiles a rack holds. */
export const RACK = 7;
/** With fewer than these in the bag nothing can be exchanged. */
export const BAG_FOR_EXCHANGE = 7;

/** Triple and double words are `=` and `-`, triple and double letters `"` and `'`. */
const ROWS = [
  `=  '   =   '  =`,
  ` -   "   "   - `,
  `  -   ' '   -  `,
  `'  -   '   -  '`,
  `    -     -    `,
  ` "   "   "   " `,
  `  '   ' '   '  `,
  `=  '   -   '  =`,
  `  '   ' '   '  `,
  ` "   "   "   " `,
  `    -     -    `,
  `'  -   '   -  '`,
  `  -   ' '   -  `,
  ` -   "   "   - `,
  `=  '   =   '  =`,
];
const PREMIUMS: Record<string, Premium> = {
  '=': { letter: 1, word: 3 },
  '-': { letter: 1, word: 2 },
  '"': { letter: 3, word: 1 },
  "'": { letter: 2, word: 1 },
  ' ': { letter: 1, word: 1 },
};

interface Given {
  blanks?: number;
  bonus?: number;
  /** The small letters, in the order of the set. */
  small: string;
  /** Letters without a tile, each with the one that stands for it. */
  folds?: [string, string][];
  isCentrePlain?: boolean;
}

/** An edition from its letters, each with count and value. */
function edition(variant: string, set: string, { blanks = 2, bonus = 50, small, folds = [], isCentrePlain = false }: Given): Edition {
  const letters = [...set.matchAll(/(\p{L})(\d+)\/(\d+)/gu)].map(
    ([, letter, count, value]): Letter => ({ letter: letter!, count: Number(count), value: Number(value) }),
  );
  const smallLetters = [...small];
  const premiums = [...ROWS.join('')].map((mark) => PREMIUMS[mark]!);
  if (isCentrePlain) {
    premiums[Math.floor(SIDE / 2) * (SIDE + 1)] = PREMIUMS[' ']!;
  }
  const capitals = letters.flatMap(({ letter }, k): [string, string][] => [
    [letter, letter],
    [smallLetters[k]!, letter],
  ]);
  return {
    variant,
    letters,
    blanks,
    bonus,
    premiums,
    capitals: new Map([...capitals, ...folds]),
    smalls: new Map(letters.map(({ letter }, k) => [letter, smallLetters[k]!])),
    values: new Map(letters.map(({ letter, value }) => [letter, value])),
  };
}

const ENGLISH =
  'A9/1 B2/3 C2/3 D4/2 E12/1 F2/4 G3/2 H2/4 I9/1 J1/8 K1/5 L4/1 M2/3 N6/1 O8/1 P2/3 Q1/10 R6/1 S4/1 T6/1 U4/1 V2/4 W2/4 X1/8 Y2/4 Z1/10';
const RUSSIAN =
  'А8/1 Б2/3 В4/1 Г2/3 Д4/2 Е8/1 Ё1/3 Ж1/5 З2/5 И5/1 Й1/4 К4/2 Л4/2 М3/2 Н5/1 О10/1 П4/2 Р5/1 С5/1 Т5/1 У4/2 Ф1/10 Х1/5 Ц1/5 Ч1/5 Ш1/8 Щ1/10 Ъ1/10 Ы2/4 Ь2/3 Э1/8 Ю1/8 Я2/3';
const ERUDIT =
  'А10/1 Б3/3 В5/2 Г3/3 Д5/2 Е9/1 Ж2/5 З2/5 И8/1 Й4/2 К6/2 Л4/2 М5/2 Н8/1 О10/1 П6/2 Р6/2 С6/2 Т5/2 У3/3 Ф1/10 Х2/5 Ц1/10 Ч2/5 Ш1/10 Щ1/10 Ъ1/10 Ы2/5 Ь2/5 Э1/10 Ю1/10 Я3/3';
const TURKISH =
  'A12/1 B2/3 C2/4 Ç2/4 D2/3 E8/1 F1/7 G1/5 Ğ1/8 H1/5 I4/2 İ7/1 J1/10 K7/1 L7/1 M4/2 N5/1 O3/2 Ö1/7 P1/5 R6/1 S3/2 Ş2/4 T5/1 U3/2 Ü2/3 V1/7 Y2/3 Z2/4';

/** All of them, by variant. */
export const EDITIONS: Readonly<Record<string, Edition>> = {
  english: edition('english', ENGLISH, { small: 'abcdefghijklmnopqrstuvwxyz' }),
  russian: edition('russian', RUSSIAN, { small: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя' }),
  erudit: edition('erudit', ERUDIT, {
    small: 'абвгдежзийклмнопрстуфхцчшщъыьэюя',
    blanks: 3,
    bonus: 15,
    folds: [['Ё', 'Е'], ['ё', 'Е']],
    isCentrePlain: true,
  }),
  turkish: edition('turkish', TURKISH, { small: 'abcçdefgğhıijklmnoöprsştuüvyz' }),
};

/** The edition of a variant; the English one for those that this page does not know. */
export function editionOf(variant: string | undefined): Edition {
  const known = variant !== undefined && Object.hasOwn(EDITIONS, variant) ? EDITIONS[variant] : undefined;
  return known ?? EDITIONS['english']!;
}

/** What a character on a board or rack scores: small letters and `?` are blanks. */
export const valueOf = ({ values }: Edition, character: string) => values.get(character) ?? 0;
/** The capital of what lies on a square. */
export const capitalOf = ({ capitals }: Edition, character: string) => capitals.get(character) ?? character;
/** Whether what lies on a square is a blank. */
export const isBlank = ({ values, capitals }: Edition, character: string) => !values.has(character) && capitals.has(character);
