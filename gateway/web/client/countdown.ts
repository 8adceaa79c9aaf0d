// What the clocks of a table show at any moment, from what the server last said of them.

import { milliseconds } from './time';
import type { Clock } from './wire';

/**
 * The time that each seat has left at a moment of the server's time, in milliseconds and never below zero. Only
 * the server says that somebody's time is up.
 */
export function remainingAt(clock: Clock, serverNow: number): number[] {
  const said = Date.parse(clock.serverTime ?? '');
  const passed = Number.isNaN(said) ? 0 : Math.max(0, serverNow - said);
  return clock.remaining.map((remaining, seat) => {
    const left = milliseconds(remaining) ?? 0;
    return Math.max(0, seat === clock.running ? left - passed : left);
  });
}

/** The same clock, standing as it did when it was last spoken of. */
export function stopped({ running: _running, ...clock }: Clock): Clock {
  return clock;
}
