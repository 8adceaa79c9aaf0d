// Where the tests of one file happen: a program of its own and a browser, there before the first test and gone after
// the last.

import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { Guest } from './guest';
import { House, openBrowser } from './house';
import { ORIGIN } from './stage';

/** On devices that ask for less motion nothing has to be waited for. */
export const still = { reducedMotion: 'reduce' } as const;

/** A browser, and whoever comes with it. */
export class Here {
  #browser: Browser | undefined;
  #house: House | undefined;

  get browser(): Browser {
    return there(this.#browser);
  }

  get house(): House {
    return there(this.#house);
  }

  /** Somebody comes to the program, or to the scripted server where there is none. */
  come(options: BrowserContextOptions = {}): Promise<Guest> {
    return Guest.come(this.browser, this.#house?.origin ?? ORIGIN, options);
  }

  /** Two come to a table of their own by its link, with the draw behind them. */
  async seated(): Promise<[Guest, Guest]> {
    const [ada, ben] = await Promise.all([this.come(still), this.come(still)]);
    await ada.lobby();
    await ada.button('Play a friend').click();
    await ada.toBoard();
    await ben.page.goto(ada.page.url());
    await ben.button('Take the seat').click();
    await ben.toBoard();
    await ada.find('waiting').waitFor({ state: 'detached' });
    return [ada, ben];
  }

  async open(hasHouse: boolean): Promise<void> {
    const opening = hasHouse ? House.open().then((house) => (this.#house = house)) : undefined;
    [this.#browser] = await Promise.all([openBrowser(), opening]);
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    await this.#house?.close();
  }
}

function there<T>(what: T | undefined): T {
  if (what === undefined) {
    throw new Error('this is there while tests run, not before');
  }
  return what;
}

function during(hasHouse: boolean): Here {
  const here = new Here();
  beforeAll(() => here.open(hasHouse));
  afterAll(() => here.close());
  return here;
}

/** For tests of the page in front of the program. */
export const atHome = (): Here => during(true);

/** For tests of the page in front of a scripted server. */
export const onStage = (): Here => during(false);
