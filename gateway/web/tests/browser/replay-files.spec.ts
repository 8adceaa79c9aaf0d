// The files of a finished game as its page gives them, held against the program's own checks of files.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { played } from '../gm';
import type { Guest } from '../guest';
import { atHome, still } from '../here';
import { program } from '../house';

const here = atHome();

/** Somebody who looks at a finished game by its link. */
async function visitor(gameId: string): Promise<Guest> {
  const guest = await here.come(still);
  await guest.page.goto(`${here.house.origin}/game/${gameId}`);
  await guest.find('result').waitFor();
  return guest;
}

/** The name of a file of the page, and where it was saved. */
async function download({ page }: Guest, ending: string): Promise<[string, string]> {
  const link = page.getByTestId('result').locator(`a[href$="/${ending}"]`);
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  return [file.suggestedFilename(), (await file.path())!];
}

const said = (...words: string[]) => execFileSync(program(), words).toString();

test.each(['english', 'russian'])('P4: a game of crossword is had as GCG, which scores the same by the rules: %s', async (variant) => {
  const gameId = await played(here, { game: 'crossword', variant, moves: 4, resign: true });
  const ada = await visitor(gameId);
  const [name, path] = await download(ada, 'gcg');
  expect(name).toMatch(/\.gcg$/);
  expect(name).toContain(gameId);
  expect(said('gcg', 'check', path, '--variant', variant)).toContain('score the same by the rules');
  expect(readFileSync(path, 'utf8')).toContain('Robot 3');
  await ada.leave();
});

test('P4, P5: a game of kalah is had as a certificate, which holds, and not as GCG', async () => {
  const gameId = await played(here, { game: 'kalah', moves: 3, resign: true });
  const ada = await visitor(gameId);
  const [name, path] = await download(ada, 'certificate');
  expect(name).toContain(gameId);
  expect(said('verify', path)).toContain(gameId);
  expect(await ada.find('result').locator('a[href$="/gcg"]').count()).toBe(0);
  await ada.leave();
});
