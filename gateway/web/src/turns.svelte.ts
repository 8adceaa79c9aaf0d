// Where the reader is to move, and what the page does when it becomes their turn: a sound, and a mark in the title.

import type { Table } from '../client';
import { session } from './session.svelte';
import { settings } from './settings.svelte';
import { chime } from './sound';
import { t } from './texts';

/** Whether the reader is to move. */
export const isMyTurn = ({ phase, yourSeat, toMove }: Table): boolean =>
  phase !== 'over' && yourSeat !== undefined && toMove.includes(yourSeat);

/** A title, with a mark while the reader is to move; they may not want one. */
export const titled = (title: string, isMine: boolean): string =>
  isMine && settings.marksTitle ? `● ${t.table.yourTurn} · ${title}` : title;

/** Listens until the answer is called. */
export function heedTurns(): () => void {
  // The other moved, and now it is up to us; one's own move that gives another one is no news.
  return session.client.on('onGameUpdate', ({ gameId, seat, toMove }) => {
    const yourSeat = session.tables.get(gameId)?.yourSeat;
    if (settings.sounds && yourSeat !== undefined && seat !== yourSeat && toMove.includes(yourSeat)) {
      void chime();
    }
  });
}
