// Which language the page speaks: the one that was chosen, or the first of the browser's that it knows.

import { remember, remembered } from '../shelf';
import { en } from './en';
import { textsOf, TONGUES, understood, type Texts, type Tongue } from './languages';

export type LanguageChoice = Tongue | 'auto';

class Language {
  #choice: LanguageChoice = $state(kept());
  /** The texts that are shown; those of a language that can't be fetched now stay away. */
  texts: Texts = $state.raw(en);

  get choice(): LanguageChoice {
    return this.#choice;
  }

  set choice(choice: LanguageChoice) {
    this.#choice = choice;
    remember('language', choice === 'auto' ? undefined : choice);
    void this.load();
  }

  /** Fetches the language that is wanted; resolves in any case. */
  async load(): Promise<void> {
    const wanted = this.#choice;
    try {
      const texts = await textsOf(wanted === 'auto' ? understood(navigator.languages) : wanted);
      // Another one may have been chosen meanwhile.
      if (wanted === this.#choice) {
        this.texts = texts;
      }
    } catch {
      // The server is away; the language that is there goes on.
    }
  }
}

function kept(): LanguageChoice {
  const choice = remembered<string>('language');
  return choice !== undefined && Object.hasOwn(TONGUES, choice) ? (choice as Tongue) : 'auto';
}

export const language = new Language();
