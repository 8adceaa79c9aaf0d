// The tiles that a viewer has not seen: in the bag, or on other racks.

import { isBlank, type Edition } from './edition';
import { EMPTY } from './view';

/** A face and how many of it are unseen. */
export interface Unseen {
  face: string;
  count: number;
}

/** The set without what lies on the board and what is in sight besides. Blanks come last. */
export function unseen(edition: Edition, board: readonly string[], seen: string): Unseen[] {
  const counts = new Map(edition.letters.map(({ letter, count }) => [letter, count]));
  counts.set('?', edition.blanks);
  const lying = board.filter((character) => character !== EMPTY);
  for (const character of [...lying, ...seen]) {
    const face = isBlank(edition, character) ? '?' : character;
    counts.set(face, Math.max(0, (counts.get(face) ?? 0) - 1));
  }
  return [...counts].map(([face, count]) => ({ face, count }));
}
