// The line below the board while a finished game is stepped through.

import type { Table } from '../../client';
import { gamePart } from '../games';
import { nameAt } from '../table/narrator';
import { t } from '../texts';
import type { Replay } from './replay.svelte';

/** What the shown step was. */
export function stepLine({ at, move }: Replay, table: Table): string {
  const seat = move?.update.seat;
  if (!move || seat === undefined) {
    return at === 0 ? t.replay.begun : t.replay.tableDid;
  }
  return gamePart(table.game)?.words(move.update, nameAt(table, seat)).said ?? '';
}
