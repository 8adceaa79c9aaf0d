// A person in front of the page: their own browser profile, and what they do with it.

import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** How a pit is chosen. */
export type Hand = (page: Page, pit: number) => Promise<void>;

export const byMouse: Hand = (page, pit) => page.locator(`[data-pit="${pit}"]`).click();
/** The digit of the pit; the focus stays on the board from one move to the next. */
export const byKey: Hand = async (page, pit) => {
  await tabTo(page, (name) => /^Your pit/.test(name));
  await page.keyboard.press(`${pit}`);
};
export const byTouch: Hand = (page, pit) => page.locator(`[data-pit="${pit}"]`).tap();

const TABS_MAX = 60;
/** The machine may be busy with other things. */
export const PATIENCE_MS = 60_000;
/** By how much pages are made slower, to see which test minds. */
const SLOWER = Number(process.env['ASTRAGAL_SLOWER'] ?? 1);

/** Goes on with the Tab key until what has the focus is called so. */
export async function tabTo(page: Page, isCalled: (name: string) => boolean): Promise<void> {
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    const name = await page.evaluate(() => {
      const here = document.activeElement;
      const label = here instanceof HTMLInputElement ? here.labels?.[0]?.textContent : here?.textContent;
      return (here?.getAttribute('aria-label') ?? label ?? '').trim();
    });
    if (isCalled(name)) {
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`nothing of that name has the focus after ${TABS_MAX} presses of Tab`);
}

/** Presses what is called so, by keyboard alone. */
export async function pressByKey(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, (other) => other === name);
  await page.keyboard.press(key);
}

/** One guest, with everything that their page complained about. */
export class Guest {
  readonly complaints: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly origin: string,
  ) {}

  static async come(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Guest> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB', ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    const guest = new Guest(context, await context.newPage(), origin);
    guest.listen(guest.page);
    if (SLOWER > 1) {
      const session = await context.newCDPSession(guest.page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    }
    return guest;
  }

  /** Notes what a page complains about; a connection that is refused while a server is away is no fault. */
  listen(page: Page): void {
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/ERR_CONNECTION|WebSocket connection|Failed to load resource/.test(message.text())) {
        this.complaints.push(message.text());
      }
    });
  }

  async lobby(path = '/'): Promise<void> {
    await this.page.goto(this.origin + path);
    await this.find('lobby').and(this.page.locator('[data-ready="true"]')).waitFor();
  }

  find(testId: string): Locator {
    return this.page.locator(`[data-testid="${testId}"]`);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  /** Takes a name in the lobby. */
  async rename(name: string): Promise<void> {
    await this.button('Change name').click();
    await this.page.getByLabel('Your name').fill(name);
    await this.button('Save').click();
    await this.page.locator('header').getByText(name, { exact: true }).waitFor();
    await this.find('lobby').and(this.page.locator('[data-ready="true"]')).waitFor();
  }

  /** Looks at the draw to its end, and goes on. */
  async seeDraw(): Promise<string> {
    await this.find('draw').locator('button.primary').waitFor();
    const result = await this.find('draw-result').innerText();
    await this.toBoard();
    return result;
  }

  /** Puts the draw away, once all of its tiles are turned. */
  async toBoard(): Promise<void> {
    await this.find('draw').locator('button.primary').click();
    await this.find('draw').waitFor({ state: 'detached' });
  }

  /** Answers the question that is open, by the word on its button. */
  async confirm(answer: string): Promise<void> {
    await this.page.getByRole('dialog').getByRole('button', { name: answer }).click();
  }

  gameId(): string {
    const id = new URL(this.page.url()).pathname.split('/')[2];
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    return id!;
  }

  /** Resolves to the pits that may be sown, or to none when the game is over. */
  async turn(): Promise<number[]> {
    const pits = await this.page.waitForFunction(() => {
      if (document.querySelector('[data-testid="table"][data-phase="over"]')) {
        return [];
      }
      const legal = [...document.querySelectorAll<HTMLElement>('[data-pit][aria-disabled="false"]')];
      return legal.length > 0 && legal.map((pit) => Number(pit.dataset['pit']));
    });
    return (await pits.jsonValue()) as number[];
  }

  async revision(): Promise<number> {
    return Number(await this.find('table').getAttribute('data-revision'));
  }

  /** Resolves when the page shows something newer. */
  async isPast(revision: number): Promise<void> {
    await this.page.waitForFunction(
      (known) => Number(document.querySelector<HTMLElement>('[data-testid="table"]')?.dataset['revision']) > known,
      revision,
    );
  }

  /** The numbers on the board, by place. */
  async counts(): Promise<number[]> {
    return (await this.page.locator('.count').allInnerTexts()).map(Number);
  }

  async leave(): Promise<void> {
    await this.context.close();
    expect(this.complaints).toEqual([]);
  }
}

/** Plays moves on whichever page may move, until it is over or enough, and all pages show it. The pit nearest to the
 *  store goes first. */
export async function play(guests: Guest[], hand: Hand, movesMax = Number.POSITIVE_INFINITY): Promise<number> {
  let moves = 0;
  for (; moves < movesMax; moves += 1) {
    const ready = await Promise.race(guests.map(async (guest) => ({ guest, pits: await guest.turn() })));
    const pit = ready.pits.at(-1);
    if (pit === undefined) {
      break;
    }
    const before = await ready.guest.revision();
    await hand(ready.guest.page, pit);
    // No look after this may see a page of before.
    await Promise.all(guests.map((guest) => guest.isPast(before)));
  }
  return moves;
}
