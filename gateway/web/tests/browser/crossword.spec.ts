// Crossword in the page: whole short games of two people before two spectators, and what the board keeps to itself.

import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Guest } from '../guest';
import { House, openBrowser } from '../house';
import { ENGLISH, RUSSIAN } from '../words';
import { byDragging, byTapping, byTyping, plays, see, type Lay, type Laying } from '../wordsmith';

let house: House;
let browser: Browser;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.open(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await house?.close();
});

const still = { reducedMotion: 'reduce' } as const;
const phone = { ...still, viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true } as const;
/** The machine may be busy with other things. */
const PATIENCE_MS = 60_000;
const GAME_MS = 600_000;
const TURNS_MAX = 120;

interface Meeting {
  /** Names of the options in the lobby. */
  options?: string[];
  people?: BrowserContextOptions[];
}

async function come(options: BrowserContextOptions): Promise<Guest> {
  const guest = await Guest.come(browser, house.origin, options);
  guest.context.setDefaultTimeout(PATIENCE_MS);
  return guest;
}

/** People at a table of crossword that is not listed, with the draw behind them. */
async function seated({ options = [], people = [still, phone] }: Meeting): Promise<Guest[]> {
  const [opener, ...others] = await Promise.all(people.map(come));
  const { page } = opener!;
  await opener!.lobby();
  await page.getByRole('radio', { name: 'Crossword' }).check({ force: true });
  await page.getByText('Rules of this game').click();
  for (const name of [`${people.length}`, ...options]) {
    await page.locator('.rules').getByRole('radio', { name, exact: true }).check({ force: true });
  }
  await opener!.button('Play a friend').click();
  await toBoard(opener!);
  for (const other of others) {
    await other.page.goto(page.url());
    await other.button('Take the seat').click();
    await toBoard(other);
  }
  await opener!.find('waiting').waitFor({ state: 'detached' });
  return [opener!, ...others];
}

async function toBoard(guest: Guest): Promise<void> {
  await guest.find('draw').getByRole('button', { name: 'To the board' }).click();
  await guest.find('rack').waitFor();
}

/** Two who watch, one at a desk and one on a phone. */
async function watching(path: string): Promise<Guest[]> {
  const guests = await Promise.all([come(still), come({ ...phone, colorScheme: 'dark' })]);
  for (const guest of guests) {
    await guest.page.goto(path);
    await guest.find('turn').getByText('You are watching').waitFor();
  }
  return guests;
}

/** Whoever may move now, and the other. */
async function turn(people: Guest[]): Promise<[Guest, Guest]> {
  const mover = await Promise.race(
    people.map(async (guest) => {
      await guest.page.getByRole('button', { name: 'Pass' }).and(guest.page.locator(':enabled')).waitFor();
      return guest;
    }),
  );
  return [mover, people.find((other) => other !== mover)!];
}

/** Does something that changes the table, and waits until everybody shows it. */
async function all(guests: Guest[], mover: Guest, act: () => Promise<unknown>): Promise<void> {
  const before = await mover.revision();
  await act();
  for (const { page } of guests) {
    await page.waitForFunction((known) => Number(document.querySelector<HTMLElement>('[data-testid="table"]')?.dataset['revision']) > known, before);
  }
}

const scores = async ({ page }: Guest) =>
  Promise.all([0, 1].map(async (seat) => Number((await page.locator(`[data-testid="score-${seat}"] [aria-hidden]`).innerText()).replace('−', '-'))));
const overflow = ({ page }: Guest) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Plays what lies there; the page has told beforehand what the server gives. */
async function playOut(everybody: Guest[], mover: Guest, isByKey: boolean): Promise<number> {
  const button = mover.find('play');
  const promised = Number(/(\d+)$/.exec(await button.innerText())![1]);
  expect(await mover.find('badge').innerText()).toBe(`${promised}`);
  const before = (await scores(mover)).reduce((sum, one) => sum + one);
  await all(everybody, mover, () => (isByKey ? mover.page.keyboard.press('Enter') : button.click()));
  expect((await scores(mover)).reduce((sum, one) => sum + one) - before).toBe(promised);
  return promised;
}

const EXCHANGE = 7;

async function exchange(everybody: Guest[], mover: Guest): Promise<void> {
  await mover.button('Exchange').click();
  const tiles = mover.page.locator('[data-testid="rack"] [data-tile]');
  for (let k = 0; k < EXCHANGE; k += 1) {
    await tiles.nth(k).click();
  }
  await all(everybody, mover, () => mover.button(`Exchange ${EXCHANGE} tiles`).click());
}

async function pass(everybody: Guest[], mover: Guest): Promise<void> {
  await mover.button('Pass').click();
  await all(everybody, mover, () => mover.page.getByRole('dialog').getByRole('button', { name: 'Pass' }).click());
}

/** Lays the whole rack in the order of the alphabet, which is no word, and hears so. */
async function refused(everybody: Guest[], mover: Guest, laying: Laying): Promise<void> {
  const { rack } = await see(mover.page);
  const letters = rack.filter((face) => face !== '?').sort().reverse().slice(0, 5);
  const nonsense: Lay[] = letters.map((letter, k) => ({ square: 110 + k, letter, face: letter }));
  await laying(mover.page, nonsense);
  const revision = await mover.revision();
  await mover.find('play').click();
  await mover.find('notice').getByText(`Not in the dictionary: ${letters.join('')}.`).waitFor();
  for (const guest of everybody) {
    expect(await guest.revision()).toBe(revision);
  }
  // The tiles lie there still, until they are taken back.
  expect((await see(mover.page)).rack).toHaveLength(rack.length - letters.length);
  await mover.button('Recall the tiles').click();
  expect((await see(mover.page)).rack).toHaveLength(rack.length);
  await mover.find('notice').getByRole('button').click();
}

/** Nobody sees a rack but its owner; everybody sees the same board and scores. */
async function compare(people: Guest[], spectators: Guest[]): Promise<void> {
  const [first] = people as [Guest];
  const { board } = await see(first.page);
  for (const guest of [...people, ...spectators]) {
    expect((await see(guest.page)).board).toEqual(board);
    expect(await scores(guest)).toEqual(await scores(first));
    expect(await overflow(guest)).toBe(0);
  }
  for (const spectator of spectators) {
    expect(await spectator.page.locator('[data-testid="rack"], [data-face], [data-testid="hands"]').count()).toBe(0);
  }
}

const languages = [
  { set: 'English, 100 tiles', words: ENGLISH, rules: [] },
  { set: 'Russian, 104 tiles', words: RUSSIAN, rules: [] },
];

describe.each(languages)('two people before two spectators, $set', ({ set, words, rules }) => {
  test(
    'W1 G5: play a whole short game with a blank, an exchange and a refused word',
    async () => {
      const people = await seated({ options: [set, ...rules] });
      const spectators = await watching(people[0]!.page.url());
      const everybody = [...people, ...spectators];
      const [ada] = people as [Guest, Guest];
      /** At a desk tiles are dragged and typed in turn, on the phone they are tapped. */
      let isTyped = false;
      const handOf = (guest: Guest): Laying => (guest !== ada ? byTapping : (isTyped = !isTyped) ? byTyping : byDragging);

      const [opener] = await turn(people);
      await refused(everybody, opener, opener === ada ? byDragging : byTapping);

      let [blanks, exchanges, turns] = [0, 0, 0];
      for (; turns < TURNS_MAX && (blanks === 0 || exchanges === 0 || turns < 6); turns += 1) {
        const [mover] = await turn(people);
        const sight = await see(mover.page);
        const withBlank = sight.rack.includes('?') ? plays(sight, words, true)[0] : undefined;
        const chosen = withBlank ?? plays(sight, words, false).sort((one, other) => other.length - one.length)[0];
        // Now and then tiles are exchanged although there is a play, until somebody has drawn a blank.
        const isSwap = !withBlank && (!chosen || turns % 3 === 1);
        if (isSwap || !chosen) {
          await exchange(everybody, mover);
          exchanges += 1;
          continue;
        }
        const hand = handOf(mover);
        await hand(mover.page, chosen);
        await playOut(everybody, mover, hand === byTyping);
        blanks += withBlank ? 1 : 0;
        await compare(people, spectators);
      }
      expect([blanks > 0, exchanges > 0]).toEqual([true, true]);
      // A blank on the board has a letter and no value.
      for (const guest of everybody) {
        expect(await guest.page.locator('.lying .tile.blank .letter').count()).toBe(blanks);
        expect(await guest.page.locator('.lying .tile.blank sub').count()).toBe(0);
      }

      while ((await ada.find('game-over').count()) === 0) {
        const [mover] = await turn(people);
        await pass(everybody, mover);
        turns += 1;
        expect(turns).toBeLessThan(TURNS_MAX + 10);
        await Promise.race([ada.find('game-over').waitFor(), turn(people)]);
      }
      for (const guest of everybody) {
        await guest.find('game-over').getByRole('button', { name: 'See the board' }).click();
        await guest.find('hands').waitFor();
        expect(await guest.find('moves').locator('li').count()).toBe(turns);
        expect(await scores(guest)).toEqual(await scores(ada));
      }
      await Promise.all(everybody.map((guest) => guest.leave()));
    },
    GAME_MS,
  );
});
