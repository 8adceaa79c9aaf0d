// Somebody goes while the others play on. With two at the table that is the end, and told there.

import type { GameUpdate, Table } from '../../client';
import { t } from '../texts';

/** Who went, and how in a word; none if nobody did. */
export function departure({ move, seat }: GameUpdate, { seats }: Pick<Table, 'seats'>): { gone: number; how: string } | undefined {
  if (seat !== undefined || seats.length < 3 || typeof move !== 'object' || move === null || Array.isArray(move)) {
    return undefined;
  }
  const [how, gone] = Object.entries(move)[0] ?? [];
  const word = how !== undefined && Object.hasOwn(t.table.gone, how) ? t.table.gone[how] : undefined;
  return word !== undefined && typeof gone === 'number' ? { gone, how: word } : undefined;
}
