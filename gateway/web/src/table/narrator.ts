// What happens at a table, in words.

import type { GameUpdate, Outcome, Seat, Table, TableEvent } from '../../client';
import { gamePart } from '../games';
import { notices } from '../notices.svelte';
import { t } from '../texts';
import { departure } from './departure';

/** What a seat is called. */
export function nameOf(seat: Seat | undefined): string {
  return !seat || seat.empty ? t.table.emptySeat : seat.name || t.table.robot;
}

/** The name of the seat with this number. */
export function nameAt({ seats }: Table, seat: number): string {
  return nameOf(seats.find((other) => other.seat === seat));
}

/** Whether somebody who sits there has no connection. */
export const isMissed = ({ empty, robot, online }: Seat): boolean => !empty && !robot && !online;

/** Whether a seat waits for somebody. */
export function isSeatFree({ phase, seats }: Table): boolean {
  return phase === 'waiting' && seats.some(({ empty }) => empty);
}

interface Doing {
  pending: unknown;
  last: { update: { seat?: number } } | undefined;
}

/** The line below the board. */
export function turnOf(table: Table, { pending, last }: Doing): string {
  const { phase, yourSeat, toMove } = table;
  if (phase === 'over') {
    return headline(table.outcome, table);
  }
  if (pending !== undefined) {
    return t.table.sending;
  }
  const isFree = isSeatFree(table);
  const isMine = yourSeat !== undefined && toMove.includes(yourSeat);
  if (isFree) {
    return isMine ? t.table.yourTurnWaiting : t.table.waiting;
  }
  const isAgain = last?.update.seat !== undefined && toMove.includes(last.update.seat) && toMove.length === 1;
  if (isMine) {
    return isAgain ? t.table.yourTurnAgain : t.table.yourTurn;
  }
  const name = nameAt(table, toMove[0] ?? 0);
  const turn = isAgain ? t.table.turnOfAgain(name) : t.table.turnOf(name);
  return yourSeat === undefined ? `${t.table.watching}. ${turn}` : turn;
}

/** Who won, in two words. */
export function headline(outcome: Outcome | undefined, table: Table): string {
  const { results = [], winner } = outcome ?? {};
  const mine = table.yourSeat === undefined ? undefined : results[table.yourSeat];
  if (mine === 'won') {
    return t.over.won;
  }
  if (mine === 'lost') {
    return t.over.lost;
  }
  if (winner !== undefined) {
    return t.over.winner(nameAt(table, winner));
  }
  return results.includes('drawn') ? t.over.drawn : t.over.none;
}

/** How it ended, in a sentence. */
export function reasonOf(outcome: Outcome | undefined, { yourSeat }: Table): string {
  const reason = t.over.reasons[outcome?.reason ?? ''];
  const mine = yourSeat === undefined ? undefined : outcome?.results[yourSeat];
  return (mine === 'won' || mine === 'lost' ? reason?.[mine] : reason?.other) ?? '';
}

/** What the table itself did, in a sentence; none where it is worth none. */
export function toldTable(update: GameUpdate, table: Table): string | undefined {
  const left = departure(update, table);
  return left ? t.table.saidGone(nameAt(table, left.gone), left.how) : gamePart(table.game)?.tableWords?.(update)?.said;
}

/** Has an event read out. */
export function tell(event: TableEvent, before: Table | undefined, table: Table): void {
  const { yourSeat } = table;
  switch (event.is) {
    case 'onGameUpdate': {
      const { seat } = event.value;
      if (seat === undefined) {
        const said = toldTable(event.value, table);
        if (said) {
          notices.say(`${said}.`);
        }
        return;
      }
      const name = seat === yourSeat ? undefined : nameAt(table, seat);
      if (event.value.undone) {
        notices.say(t.table.undone(nameAt(table, seat)));
        return;
      }
      const said = gamePart(table.game)?.words(event.value, name).said ?? '';
      const isMine = yourSeat !== undefined && table.toMove.includes(yourSeat);
      notices.say(isMine ? `${said}. ${t.table.yourTurn}.` : `${said}.`);
      return;
    }
    case 'onSeatTaken':
      notices.say(t.table.joined(event.value.name));
      return;
    case 'onGameEnd':
      notices.say(`${headline(table.outcome, table)}. ${reasonOf(table.outcome, table)}`);
      return;
    case 'onPresence': {
      const { seat, online } = event.value;
      const was = before?.seats.find((other) => other.seat === seat)?.online;
      // Whose turn it isn't may come and go.
      if (seat !== yourSeat && was !== online && table.toMove.includes(seat)) {
        notices.say(online ? t.table.back(nameAt(table, seat)) : t.table.left(nameAt(table, seat)));
      }
      return;
    }
    case 'onClock':
    case 'onViewers':
  }
}
