// The languages that the page speaks. English is always at hand; the others are fetched when they are wanted.

import { en } from './en';

export type Texts = typeof en;
export type Tongue = 'en' | 'tr' | 'ru';

/** What each language calls itself. */
export const TONGUES: Record<Tongue, string> = { en: 'English', tr: 'Türkçe', ru: 'Русский' };

const ELSEWHERE: Record<Exclude<Tongue, 'en'>, () => Promise<Texts>> = {
  tr: async () => (await import('./tr')).tr,
  ru: async () => (await import('./ru')).ru,
};

/** The texts of a language. */
export const textsOf = async (tongue: Tongue): Promise<Texts> => (tongue === 'en' ? en : ELSEWHERE[tongue]());

/** The first of a reader's languages, by their tags, that the page speaks. */
export function understood(tags: readonly string[]): Tongue {
  const tongues = tags.map((tag) => tag.toLowerCase().split('-')[0]!);
  return (tongues.find((tongue) => Object.hasOwn(TONGUES, tongue)) ?? 'en') as Tongue;
}
