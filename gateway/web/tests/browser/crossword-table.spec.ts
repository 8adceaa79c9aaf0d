// What a table of crossword offers besides whole games: challenges, more seats, robots, the keyboard, a rack in order,
// and that all of it is fit for everybody.

import { describe, expect, test } from 'vitest';
import { findings } from '../axe';
import type { Guest } from '../guest';
import { atHome, still } from '../here';
import { all, exchange, overflow, Parlour, pass, phone, scores, toBoard, turn } from '../parlour';
import { ENGLISH } from '../words';
import { byDragging, byTapping, byTyping, plays, see, type Lay } from '../wordsmith';

const here = atHome();
const parlour = new Parlour(here);

const PLACES_MS = 600_000;

/** Tiles that can be laid first and that no dictionary has as a word. */
async function nonsense(guest: Guest): Promise<Lay[]> {
  const { rack } = await see(guest.page);
  const letters = rack.filter((face) => face !== '?').sort().reverse().slice(0, 5);
  return letters.map((letter, k) => ({ square: 110 + k, letter, face: letter }));
}

const lying = async ({ page }: Guest) => (await see(page)).board.join('');
const rackOf = async ({ page }: Guest) => (await see(page)).rack;

describe('a challenge', () => {
  test('W1: takes bad words back for everybody, and costs the turn when they are good', async () => {
    const people = await parlour.seated({ options: ['stand unless they are challenged; a wrong challenge costs a turn'] });
    const spectators = await parlour.watching(people[0]!.page.url());
    const everybody = [...people, ...spectators];
    const [liar, doubter] = (await turn(people)) as [Guest, Guest];
    const layBy = (guest: Guest) => (guest === people[0] ? byDragging : byTapping);
    const lays = await nonsense(liar);
    await layBy(liar)(liar.page, lays);
    await all(everybody, liar, () => liar.find('play').click());
    const word = lays.map(({ letter }) => letter).join('');
    await expect.poll(() => lying(doubter)).toBe(word);
    // Nothing is drawn until it is settled.
    await expect.poll(() => rackOf(liar)).toHaveLength(7 - lays.length);

    await turn([doubter]);
    await doubter.button('Challenge').click();
    await doubter.page.getByRole('dialog').getByText(word).waitFor();
    await all(everybody, doubter, () => doubter.confirm('Challenge'));
    for (const guest of everybody) {
      await guest.find('moves').getByText('Taken back').waitFor();
      await expect.poll(() => lying(guest)).toBe('');
      await expect.poll(() => scores(guest)).toEqual([0, 0]);
    }
    await expect.poll(() => rackOf(liar)).toHaveLength(7);
    // It is the doubter's turn. Whoever has tiles for a good word lays one.
    await turn([doubter]);
    let [honest, rash] = [doubter, liar];
    let good: Lay[] | undefined;
    for (good = plays(await see(honest.page), ENGLISH, false)[0]; !good; good = plays(await see(honest.page), ENGLISH, false)[0]) {
      await exchange(everybody, honest);
      [honest, rash] = (await turn(people)) as [Guest, Guest];
    }
    await layBy(honest)(honest.page, good);
    await all(everybody, honest, () => honest.find('play').click());
    await turn([rash]);
    await rash.button('Challenge').click();
    await all(everybody, rash, () => rash.confirm('Challenge'));
    for (const guest of everybody) {
      await guest.find('moves').getByText('The words are good').waitFor();
      await expect.poll(() => lying(guest)).toHaveLength(good.length);
    }
    await turn([honest]);
    await Promise.all(everybody.map((guest) => guest.leave()));
  }, PLACES_MS);
});

describe('more than two', () => {
  test.each([3, 4])('W1: %i people see the racks’ counts, scores and turns of all', async (seats) => {
    const people = await parlour.seated({ options: ['Russian, 104 tiles', 'whatever you like'], people: Array.from({ length: seats }, (_, k) => (k === 1 ? phone : still)) });
    const [first, ...others] = await turn(people);
    // With any words allowed the option that is moot is gone.
    const lays = await nonsense(first);
    await (first === people[1] ? byTapping : byTyping)(first.page, lays.slice(0, 3).map((lay, k) => ({ ...lay, square: 111 + k })));
    await all(people, first, () => first.find('play').click());
    for (const guest of people) {
      await guest.find('unseen').locator('summary').getByText(`${104 - 7 * seats - 3} in the bag`).waitFor();
      await expect.poll(async () => (await scores(guest, seats)).filter((score) => score > 0)).toHaveLength(1);
      await expect.poll(() => guest.page.locator('.holds').count()).toBe(seats);
      await expect.poll(() => guest.page.locator('.bar.turn').count()).toBe(1);
      await expect.poll(() => overflow(guest)).toBe(0);
    }
    const [next] = await turn(others);
    expect(next).not.toBe(first);
    // A pass can be taken back.
    await pass(people, next);
    await all(people, next, () => next.button('Take back').click());
    await turn([next]);
    // Who gives up is told, and the others play on.
    await next.button('Resign').click();
    await next.page.getByRole('dialog').getByText('The others play on without you.').waitFor();
    await all(people, next, () => next.confirm('Resign'));
    for (const guest of people) {
      await guest.find('moves').getByText('resigns').waitFor();
    }
    const [another] = await turn(people.filter((guest) => guest !== next));
    await pass(people, another);
    await Promise.all(people.map((guest) => guest.leave()));
  }, PLACES_MS);
});

describe('a robot', () => {
  test('W1: is played with the tiles that were chosen', async () => {
    const ada = await parlour.come(still);
    await parlour.choose(ada, ['Turkish, 100 tiles', 'whatever you like']);
    await ada.button(/^Play robot/).click();
    await toBoard(ada);
    await turn([ada]);
    await ada.find('unseen').locator('[data-unseen="Ğ"]').waitFor();
    await pass([ada], ada);
    await turn([ada]);
    expect(Number(await ada.revision())).toBeGreaterThan(1);
    await ada.leave();
  }, PLACES_MS);
});

describe('by keyboard alone', () => {
  test('W3: letters go where they belong, come back, and plays are read out', async () => {
    const people = await parlour.seated({ options: ['whatever you like'], people: [still, still] });
    const [mover, other] = (await turn(people)) as [Guest, Guest];
    const { page } = mover;
    const rack = await rackOf(mover);
    const good = (await nonsense(mover)).slice(0, 3);
    await byTyping(page, good);
    await expect.poll(() => rackOf(mover)).toHaveLength(7 - good.length);
    await page.keyboard.press('Backspace');
    await expect.poll(() => rackOf(mover)).toHaveLength(8 - good.length);
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await rackOf(mover)).sort()).toEqual(rack.sort());
    // A letter that is not there is said to be missing, and nothing is laid.
    const absent = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].find((letter) => !rack.includes(letter))!;
    if (!rack.includes('?')) {
      await page.keyboard.press(`Key${absent}`);
      await mover.find('laying').getByText(`There is no ${absent} on your rack.`).waitFor();
    }
    // What can't be played is not sent.
    const revision = await mover.revision();
    await byTyping(page, [{ square: 0, letter: rack.find((face) => face !== '?')!, face: rack.find((face) => face !== '?')! }]);
    await page.keyboard.press('Enter');
    await mover.find('laying').getByText('The first word must cover the centre.').waitFor();
    expect(await mover.revision()).toBe(revision);
    await page.keyboard.press('Escape');

    await byTyping(page, good);
    await all(people, mover, () => page.keyboard.press('Enter'));
    for (const [guest, text] of [[mover, /^You played .+ for \d+ points?/], [other, / played .+ for \d+ points?\. Your turn\./]] as const) {
      await expect.poll(() => guest.find('said').innerText()).toMatch(text);
    }
    // The squares tell what lies on them.
    const square = other.page.locator(`[data-square="${good[0]!.square}"]`);
    await expect.poll(() => square.getAttribute('aria-label')).toMatch(new RegExp(`^[A-O]\\d+, ${good[0]!.letter}, .*laid last$`));
    await Promise.all(people.map((guest) => guest.leave()));
  }, PLACES_MS);
});

test('W1: tiles are put in order, laid, moved and taken back by mouse', async () => {
  const [ada, ben] = (await parlour.seated({ people: [still, still] })) as [Guest, Guest];
  const { page } = ada;
  const before = await rackOf(ada);
  const [first, last] = [page.locator('[data-tile]').first(), page.locator('[data-tile]').last()];
  const id = await first.getAttribute('data-tile');
  const drag = async (from: { x: number; y: number; width: number; height: number }, to: typeof from) => {
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width * 0.9, to.y + to.height / 2, { steps: 5 });
    await page.mouse.up();
  };
  await drag((await first.boundingBox())!, (await last.boundingBox())!);
  await expect.poll(() => page.locator('[data-tile]').last().getAttribute('data-tile')).toBe(id);
  await expect.poll(() => rackOf(ada)).toEqual([...before.slice(1), before[0]]);

  const letter = page.locator('[data-face]:not([data-face="?"])').first();
  const face = await letter.getAttribute('data-face');
  const square = (place: number) => page.locator(`[data-square="${place}"]`);
  await drag((await letter.boundingBox())!, (await square(112).boundingBox())!);
  await square(112).locator('.letter').getByText(face!, { exact: true }).waitFor();
  await drag((await square(112).boundingBox())!, (await square(40).boundingBox())!);
  await square(40).locator('.letter').getByText(face!, { exact: true }).waitFor();
  await square(112).locator('.letter').waitFor({ state: 'detached' });
  await drag((await square(40).boundingBox())!, (await ada.find('rack').boundingBox())!);
  await square(40).locator('.letter').waitFor({ state: 'detached' });
  await expect.poll(async () => (await rackOf(ada)).sort()).toEqual(before.sort());
  // Let go beside everything it returns too.
  await drag((await page.locator('[data-tile]').first().boundingBox())!, (await ada.find('turn').boundingBox())!);
  await expect.poll(() => page.locator('.away').count()).toBe(0);
  await expect.poll(() => rackOf(ada)).toHaveLength(7);
  await ada.button('Shuffle').click();
  await expect.poll(async () => (await rackOf(ada)).sort()).toEqual(before.sort());
  await Promise.all([ada.leave(), ben.leave()]);
}, PLACES_MS);

test('W1: a finger drags a tile, which goes above it, and the page stays where it is', async () => {
  const [ada, ben] = (await parlour.seated({ people: [phone, still] })) as [Guest, Guest];
  const { page } = ada;
  const session = await ada.context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const before = await rackOf(ada);
  const tile = page.locator('[data-face]:not([data-face="?"])').first();
  const face = await tile.getAttribute('data-face');
  const [from, to] = [(await tile.boundingBox())!, (await page.locator('[data-square="112"]').boundingBox())!];
  const start = { x: from.x + from.width / 2, y: from.y + from.height / 2 };
  // The finger is below the square: the tile is what has to be on it.
  const end = { x: to.x + to.width / 2, y: to.y + to.height / 2 + 0.9 * from.height };
  await touch('touchStart', [start]);
  for (const part of [0.1, 0.5, 0.9, 1]) {
    await touch('touchMove', [{ x: start.x + part * (end.x - start.x), y: start.y + part * (end.y - start.y) }]);
  }
  await touch('touchEnd', []);
  await page.locator('[data-square="112"] .letter').getByText(face!, { exact: true }).waitFor();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect.poll(() => rackOf(ada)).toHaveLength(6);
  // A tap takes it back. Right after a swipe the browser takes a tap for its end, so it may need another.
  const letters = page.locator('[data-square="112"] .letter');
  await expect
    .poll(
      async () => {
        await page.locator('[data-square="112"]').tap();
        return letters.count();
      },
      { interval: 500 },
    )
    .toBe(0);
  await expect.poll(async () => (await rackOf(ada)).sort()).toEqual(before.sort());
  await Promise.all([ada.leave(), ben.leave()]);
}, PLACES_MS);

describe.each(['light', 'dark'] as const)('by %s', (colorScheme) => {
  test('W3: every state of crossword is fit for all', async () => {
    const people = await parlour.seated({ options: ['whatever you like'], people: [{ ...still, colorScheme }, { ...phone, colorScheme }] });
    const [ada, ben] = people as [Guest, Guest];
    const found: string[] = [];
    const look = async (state: string, guest: Guest) => found.push(...(await findings(guest.page)).map((finding) => `${state}: ${finding}`));
    const [mover] = await turn(people);
    await look('at first', ada);
    await look('at first, narrow', ben);
    for (const guest of people) {
      const lays = await nonsense(guest);
      await (guest === ada ? byTyping : byTapping)(guest.page, lays.slice(0, 2).map((lay, k) => ({ ...lay, square: 111 + k })));
      await look('laying', guest);
      await guest.button('Recall the tiles').click();
    }
    await ben.find('unseen').locator('summary').click();
    await look('unseen, narrow', ben);
    await mover.button('Exchange').click();
    await mover.page.locator('[data-tile]').first().click();
    await look('exchange', mover);
    await mover.button('Cancel').click();
    await mover.button('Pass').click();
    await look('pass', mover);
    await mover.button('Keep thinking').click();
    const good = await nonsense(mover);
    await (mover === ada ? byTyping : byTapping)(mover.page, good);
    await all(people, mover, () => mover.find('play').click());
    await look('after a play', ada);
    await look('after a play, narrow', ben);
    const watcher = await parlour.come({ ...still, colorScheme });
    await watcher.page.goto(ada.page.url());
    await watcher.find('turn').getByText('You are watching').waitFor();
    await look('watched', watcher);
    expect(found).toEqual([]);
    await Promise.all([...people, watcher].map((guest) => guest.leave()));
  }, PLACES_MS);
});
