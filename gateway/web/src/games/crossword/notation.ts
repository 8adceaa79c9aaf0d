// Plays as they are written, and the squares that they cover.

import { readStart, step } from './place';
import { EMPTY, type Play } from './view';

/** The squares on which a play laid its tiles. */
export function squaresLaid({ at, tiles }: Play): number[] {
  const start = readStart(at);
  if (!start) {
    return [];
  }
  return [...tiles].flatMap((character, k) => {
    const square = step(start.square, start.direction, k);
    return character === EMPTY || square === undefined ? [] : [square];
  });
}

/** The words that a dictionary does not have, out of what the server says of a refused play. */
export function wordsRefused(message: string): string[] {
  const found = /^(.+) (?:is|are) not in the dictionary$/u.exec(message);
  return found ? found[1]!.split(', ') : [];
}
