// The accessibility library, put into a page.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What the library finds, each as rule and place. */
export async function findings(page: Page): Promise<string[]> {
  // In the middle of a transition a colour is neither the one before nor the one that anybody reads.
  await page.waitForFunction(() => document.getAnimations().every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity));
  await page.evaluate(await source);
  const { violations } = await page.evaluate((options) => {
    const { axe: library } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    return library.run(options);
  }, { resultTypes: ['violations'] } satisfies RunOptions);
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target }) => `${impact} ${id} at ${target.join(' ')}`));
}
