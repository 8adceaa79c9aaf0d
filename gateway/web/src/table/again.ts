// The next game of the same kind, after one has ended.

import type { Table } from '../../client';
import { quickMatch, robotGame, type Wanted } from '../lobby/start';
import { remembered } from '../shelf';

/** Plays the same kind of game once more: the same robot, or whoever comes. */
export function playAgain(table: Table): Promise<unknown> {
  const { game, options, seats, timeControl, match } = table;
  const wanted: Wanted = {
    game,
    seats: seats.length,
    ...(options !== undefined && { options }),
    ...(timeControl && { clock: timeControl }),
    ...(match && { match }),
  };
  const robot = table.seats.find((seat) => seat.robot);
  return robot ? robotGame(wanted, levelOf(robot.name)) : quickMatch(wanted);
}

/** Robots are named after their level. */
function levelOf(name: string): number {
  return Number(/[1-5]$/.exec(name)?.[0] ?? remembered<number>('robot') ?? 2);
}
