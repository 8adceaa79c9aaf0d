// A table of crossword with people at it and around it, as browsers.

import type { BrowserContextOptions } from 'playwright-core';
import type { Guest } from './guest';
import { still, type Here } from './here';

export const phone = { ...still, viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true } as const;
const EXCHANGE = 7;

export interface Meeting {
  /** Names of the options in the lobby. */
  options?: string[];
  people?: BrowserContextOptions[];
}

/** Where people meet. */
export class Parlour {
  constructor(readonly here: Here) {}

  come(options: BrowserContextOptions): Promise<Guest> {
    return this.here.come(options);
  }

  /** Goes to the lobby and chooses crossword with these options. */
  async choose(guest: Guest, names: string[]): Promise<void> {
    const { page } = guest;
    await guest.lobby();
    await page.getByRole('radio', { name: 'Crossword' }).check({ force: true });
    await page.getByText('Rules of this game').click();
    for (const name of names) {
      await page.locator('.rules').getByRole('radio', { name, exact: true }).check({ force: true });
    }
  }

  /** People at a table that is not listed, with the draw behind them. */
  async seated({ options = [], people = [still, phone] }: Meeting): Promise<Guest[]> {
    const [opener, ...others] = await Promise.all(people.map((each) => this.come(each)));
    await this.choose(opener!, [`${people.length}`, ...options]);
    await opener!.button('Play a friend').click();
    await toBoard(opener!);
    for (const other of others) {
      await other.page.goto(opener!.page.url());
      await other.button('Take the seat').click();
      await toBoard(other);
    }
    await opener!.find('waiting').waitFor({ state: 'detached' });
    return [opener!, ...others];
  }

  /** Two who watch, one at a desk and one on a phone in the dark. */
  async watching(path: string): Promise<Guest[]> {
    const guests = await Promise.all([this.come(still), this.come({ ...phone, colorScheme: 'dark' })]);
    for (const guest of guests) {
      await guest.page.goto(path);
      await guest.find('turn').getByText('You are watching').waitFor();
    }
    return guests;
  }
}

export async function toBoard(guest: Guest): Promise<void> {
  await guest.toBoard();
  await guest.find('rack').waitFor();
}

/** Whoever may move now, and the others. */
export async function turn(people: Guest[]): Promise<[Guest, ...Guest[]]> {
  const mover = await Promise.race(
    people.map(async (guest) => {
      await guest.page.locator('[data-testid="board"][data-may-move="true"]').waitFor();
      return guest;
    }),
  );
  return [mover, ...people.filter((other) => other !== mover)];
}

/** Does something that changes the table, and waits until everybody shows it. */
export async function all(guests: Guest[], mover: Guest, act: () => Promise<unknown>): Promise<void> {
  const before = await mover.revision();
  await act();
  await Promise.all(guests.map((guest) => guest.isPast(before)));
}

/** Puts the whole rack back for other tiles. */
export async function exchange(everybody: Guest[], mover: Guest): Promise<void> {
  await mover.button('Exchange').click();
  const tiles = mover.page.locator('[data-testid="rack"] [data-tile]');
  for (let k = 0; k < EXCHANGE; k += 1) {
    await tiles.nth(k).click();
  }
  await all(everybody, mover, () => mover.button(`Exchange ${EXCHANGE} tiles`).click());
}

export async function pass(everybody: Guest[], mover: Guest): Promise<void> {
  await mover.button('Pass').click();
  await all(everybody, mover, () => mover.confirm('Pass'));
}

/** The scores beside the names, by seat. */
export async function scores({ page }: Guest, seats = 2): Promise<number[]> {
  const texts = Array.from({ length: seats }, (_, seat) => page.locator(`[data-testid="score-${seat}"] [aria-hidden]`).innerText());
  return (await Promise.all(texts)).map((text) => Number(text.replace('−', '-')));
}

/** By how much the page is wider than its window. */
export const overflow = ({ page }: Guest) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
