// Crossword in the page: whole short games of two people before two spectators, and what the board keeps to itself.

import { describe, expect, test } from 'vitest';
import type { Guest } from '../guest';
import { atHome } from '../here';
import { all, exchange, overflow, Parlour, pass, scores, turn } from '../parlour';
import { ENGLISH, RUSSIAN } from '../words';
import { byDragging, byTapping, byTyping, plays, see, type Lay, type Laying } from '../wordsmith';

const here = atHome();

const GAME_MS = 600_000;
const TURNS_MAX = 120;

/** Plays what lies there; the page has told beforehand what the server gives. */
async function playOut(everybody: Guest[], mover: Guest, isByKey: boolean): Promise<number> {
  const button = mover.find('play').filter({ hasText: /\d$/ });
  const promised = Number(/(\d+)$/.exec(await button.innerText())![1]);
  expect(await mover.find('badge').getAttribute('data-points')).toBe(`${promised}`);
  const before = (await scores(mover)).reduce((sum, one) => sum + one);
  await all(everybody, mover, () => (isByKey ? mover.page.keyboard.press('Enter') : button.click()));
  await expect.poll(async () => (await scores(mover)).reduce((sum, one) => sum + one) - before).toBe(promised);
  return promised;
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
  await expect.poll(async () => (await see(mover.page)).rack).toHaveLength(rack.length);
  await mover.find('notice').getByRole('button').click();
}

/** Nobody sees a rack but its owner; everybody sees the same board and scores. */
async function compare(people: Guest[], spectators: Guest[]): Promise<void> {
  const [first] = people as [Guest];
  const { board } = await see(first.page);
  for (const guest of [...people, ...spectators]) {
    await expect.poll(async () => (await see(guest.page)).board).toEqual(board);
    await expect.poll(() => scores(guest)).toEqual(await scores(first));
    await expect.poll(() => overflow(guest)).toBe(0);
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
    'W1 G5 P4: play a whole short game with a blank, an exchange and a refused word',
    async () => {
      const parlour = new Parlour(here);
      const people = await parlour.seated({ options: [set, ...rules] });
      const spectators = await parlour.watching(people[0]!.page.url());
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
        if (!chosen || (!withBlank && turns % 3 === 1)) {
          await exchange(everybody, mover);
          exchanges += 1;
          continue;
        }
        const hand = handOf(mover);
        await hand(mover.page, chosen);
        await playOut(everybody, mover, hand === byTyping);
        blanks += chosen.filter(({ face }) => face === '?').length;
        await compare(people, spectators);
      }
      expect([blanks > 0, exchanges > 0]).toEqual([true, true]);
      // A blank on the board has a letter and no value.
      for (const guest of everybody) {
        await expect.poll(() => guest.page.locator('.lying .tile.blank .letter').count()).toBe(blanks);
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
        await expect.poll(() => guest.find('moves').locator('li').count()).toBe(turns);
        await expect.poll(() => scores(guest)).toEqual(await scores(ada));
      }
      // Looked back at, it begins with an empty board and everybody's seven tiles, for those who watched too.
      for (const guest of [ada, spectators[0]!]) {
        await guest.find('replay').and(guest.page.locator(`[data-last="${turns}"]`)).waitFor();
        await guest.page.getByRole('slider').fill('0');
        await guest.find('hands').getByRole('heading', { name: 'Racks', exact: true }).waitFor();
        await expect.poll(async () => (await see(guest.page)).board.join('')).toBe('');
        await expect.poll(() => guest.find('hands').locator('.place').count()).toBe(14);
        expect(await guest.find('rack').count()).toBe(0);
        await guest.page.getByRole('slider').fill(`${turns}`);
        await guest.find('hands').getByRole('heading', { name: 'Left on the racks' }).waitFor();
      }
      await Promise.all(everybody.map((guest) => guest.leave()));
    },
    GAME_MS,
  );
});
