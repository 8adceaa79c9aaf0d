// What a reader has chosen for this browser: colours, whether seeds move one by one, and how a turn is announced.

import { prefersReducedMotion } from 'svelte/motion';
import { remember, remembered } from './shelf';

export type Theme = 'auto' | 'light' | 'dark';

class Settings {
  #theme: Theme = $state(remembered<Theme>('theme') ?? 'auto');
  #animates: boolean = $state(remembered<boolean>('animates') ?? true);
  #sounds: boolean = $state(remembered<boolean>('sounds') ?? true);
  #marksTitle: boolean = $state(remembered<boolean>('marks-title') ?? true);

  constructor() {
    this.#paint();
  }

  get theme(): Theme {
    return this.#theme;
  }

  set theme(theme: Theme) {
    this.#theme = theme;
    remember('theme', theme === 'auto' ? undefined : theme);
    this.#paint();
  }

  /** What was chosen; the device may ask for less. */
  get animates(): boolean {
    return this.#animates;
  }

  set animates(animates: boolean) {
    this.#animates = animates;
    remember('animates', animates ? undefined : false);
  }

  /** Whether the page makes a sound when it becomes the reader's turn. */
  get sounds(): boolean {
    return this.#sounds;
  }

  set sounds(sounds: boolean) {
    this.#sounds = sounds;
    remember('sounds', sounds ? undefined : false);
  }

  /** Whether the title says that it is the reader's turn. */
  get marksTitle(): boolean {
    return this.#marksTitle;
  }

  set marksTitle(marksTitle: boolean) {
    this.#marksTitle = marksTitle;
    remember('marks-title', marksTitle ? undefined : false);
  }

  /** Whether things move about. */
  get motion(): boolean {
    return this.#animates && !prefersReducedMotion.current;
  }

  get isMotionReduced(): boolean {
    return prefersReducedMotion.current;
  }

  #paint(): void {
    if (this.#theme === 'auto') {
      delete document.documentElement.dataset['theme'];
    } else {
      document.documentElement.dataset['theme'] = this.#theme;
    }
  }
}

export const settings = new Settings();
