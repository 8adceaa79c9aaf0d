// The seals (commitments) that this browser saw at the opening of its games, so that no server can
// show another one later.

import type { Table } from '../../client';
import { remember, remembered } from '../shelf';

/** A seal, and when this browser first saw it. */
export interface Seal {
  seal: string;
  at: string;
  /** The table's revision then; 0 and 1 are the opening. */
  revision: number;
}

const SEALS_MAX = 200;
type Seals = Record<string, Seal>;

const kept: Seals = remembered<Seals>('seals') ?? {};

/** Keeps a table's seal, unless one is kept already: the first one counts. */
export function keepSeal({ gameId, commitment, revision, phase }: Table): void {
  if (!commitment || phase === 'over' || Object.hasOwn(kept, gameId)) {
    return;
  }
  // Another tab may have kept more since.
  Object.assign(kept, remembered<Seals>('seals'), kept);
  kept[gameId] = { seal: commitment, at: new Date().toISOString(), revision };
  const oldest = Object.keys(kept).slice(0, -SEALS_MAX);
  oldest.forEach((id) => delete kept[id]);
  remember('seals', kept);
}

/** The seal that was kept of a game. */
export function keptSeal(gameId: string): Seal | undefined {
  return Object.hasOwn(kept, gameId) ? kept[gameId] : undefined;
}
