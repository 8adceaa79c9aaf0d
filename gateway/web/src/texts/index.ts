// What the page says, in the language that is chosen. Whatever reads a text is drawn anew when that changes,
// so texts are read where they are shown and never kept.

import { language } from './language.svelte';
import type { Texts } from './languages';

/** What the page says. */
export const t: Texts = new Proxy({} as Texts, { get: (_, key) => Reflect.get(language.texts, key) as unknown });

/** An instant, as the language writes it. */
export const moment = (instant: string): string =>
  new Intl.DateTimeFormat(t.tongue, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant));
