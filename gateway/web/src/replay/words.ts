// The line below the board while a finished game is stepped through.

import type { Table } from '../../client';
import { gamePart } from '../games';
import { nameAt, toldTable } from '../table/narrator';
import { t } from '../texts';
import type { Replay } from './replay.svelte';

/** What the shown step was. */
export function stepLine({ moves }: Pick<Replay, 'moves'>, table: Table): string {
  const update = moves.at(-1);
  if (!update) {
    return t.replay.begun;
  }
  if (update.seat === undefined) {
    return toldTable(update, table) ?? t.replay.tableDid;
  }
  return gamePart(table.game)?.words(update, nameAt(table, update.seat)).said ?? '';
}
