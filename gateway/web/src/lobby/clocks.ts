// The clocks that a game may be played with, and how they are called.

import { milliseconds, type ClockRequest } from '../../client';
import { t } from '../texts';

const DAY_S = 86_400;

/** The choices by the key under which this browser remembers one. */
export const CLOCKS: Record<string, ClockRequest | undefined> = {
  none: undefined,
  '1+0': { initial: '60s', increment: '0s' },
  '3+2': { initial: '180s', increment: '2s' },
  '5+5': { initial: '300s', increment: '5s' },
  '10+5': { initial: '600s', increment: '5s' },
  '1d': { perMove: `${DAY_S}s` },
  '3d': { perMove: `${3 * DAY_S}s` },
  '7d': { perMove: `${7 * DAY_S}s` },
};

/** How a clock is called: minutes and seconds a move, or days a move. */
export function clockName(clock: ClockRequest | undefined): string {
  const perMove = milliseconds(clock?.perMove);
  if (perMove !== undefined) {
    return t.clock.perMove(perMove / (DAY_S * 1000));
  }
  const initial = milliseconds(clock?.initial);
  if (initial === undefined) {
    return t.clock.none;
  }
  const short = (n: number) => `${Math.round(n * 100) / 100}`;
  return `${short(initial / 60_000)}+${short((milliseconds(clock?.increment) ?? 0) / 1000)}`;
}

/** How fast a game goes: minutes on a clock, days a move, or as one likes. */
export type Pace = 'live' | 'days' | 'none';

export function paceOf(clock: ClockRequest | undefined): Pace {
  if (clock?.perMove !== undefined) {
    return 'days';
  }
  return clock?.initial === undefined ? 'none' : 'live';
}
