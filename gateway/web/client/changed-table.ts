// What an event does to a table: a plain function, so that every viewer comes to the same table.

import { stopped } from './countdown';
import type { Table, TableEvent } from './wire';

/** Where an event belongs in the order of a table's changes. */
export type Place = 'next' | 'known' | 'ahead';

/** Compares an event's revision with the table's. */
export function placeOf(table: Table, event: TableEvent): Place {
  if (event.is === 'onPresence' || event.is === 'onViewers') {
    return 'next'; // Coming and going is no change of the table and has no revision.
  }
  const { revision } = event.value;
  if (revision === table.revision + 1) {
    return 'next';
  }
  if (revision > table.revision) {
    return 'ahead';
  }
  // The end shares the revision of the move that brought it about.
  const isNewEnd = event.is === 'onGameEnd' && revision === table.revision && !table.outcome;
  return isNewEnd ? 'next' : 'known';
}

/** The table after an event that is next. */
export function changed(table: Table, event: TableEvent): Table {
  switch (event.is) {
    case 'onGameUpdate': {
      const { revision, view, toMove, legalMoves, clock } = event.value;
      const { legalMoves: _old, ...rest } = table;
      return {
        ...rest,
        revision,
        toMove,
        ...(view !== undefined && { view }),
        ...(legalMoves && { legalMoves }),
        ...(clock && { clock }),
      };
    }
    case 'onSeatTaken': {
      const { revision, seat, name, robot, clock } = event.value;
      const taken = { seat, name, robot, online: true, empty: false };
      const seats = table.seats.map((other) => (other.seat === seat ? taken : other));
      const isWaiting = table.phase === 'waiting' && seats.some(({ empty }) => empty);
      const phase = table.phase === 'waiting' && !isWaiting ? 'playing' : table.phase;
      return { ...table, revision, seats, phase, ...(clock && { clock }) };
    }
    case 'onClock': {
      const { revision, clock } = event.value;
      return { ...table, revision, ...(clock && { clock }) };
    }
    case 'onGameEnd': {
      const { revision, outcome, series, rematch, rematchUntil } = event.value;
      const { legalMoves: _none, ...rest } = table;
      return {
        ...rest,
        revision,
        phase: 'over',
        toMove: [],
        ...(table.clock && { clock: stopped(table.clock) }),
        ...(outcome && { outcome }),
        ...(series && { series }),
        ...(rematch !== undefined && { rematch }),
        ...(rematchUntil !== undefined && { rematchUntil }),
      };
    }
    case 'onViewers':
      return { ...table, viewers: event.value.viewers };
    case 'onPresence': {
      const { seat, online } = event.value;
      const seats = table.seats.map((other) => (other.seat === seat ? { ...other, online } : other));
      return { ...table, seats };
    }
  }
}
