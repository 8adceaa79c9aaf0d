// The texts in the reader's language, as far as we have it.

import { en, type Texts } from './en';

const languages: Record<string, Texts> = { en };

const wanted = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]!).find((tag) => tag in languages);

/** What the page says. */
export const t: Texts = languages[wanted ?? 'en']!;
