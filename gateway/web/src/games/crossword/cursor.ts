// Where the next letter goes, for those who lay tiles by keyboard.

import { columnOf, rowOf, SIDE, step, type Direction, type Start } from './place';

/** The next square in the direction on which nothing lies; the last one if there is none. */
export function onwards({ square, direction }: Start, isFilled: (square: number) => boolean): number {
  for (let next = step(square, direction); next !== undefined; next = step(next, direction)) {
    if (!isFilled(next)) {
      return next;
    }
  }
  return square;
}

/** The nearest square before, or here, that the reader has laid a tile on; none if there is no such. */
export function backwards({ square, direction }: Start, isOwn: (square: number) => boolean): number | undefined {
  for (let here: number | undefined = square; here !== undefined; here = step(here, direction, -1)) {
    if (isOwn(here)) {
      return here;
    }
  }
  return undefined;
}

const STEPS: Record<string, [Direction, number]> = {
  ArrowLeft: ['across', -1],
  ArrowRight: ['across', 1],
  ArrowUp: ['down', -1],
  ArrowDown: ['down', 1],
};

/** The square that a key leads to; none if the key leads nowhere. */
export function led(square: number, key: string): number | undefined {
  if (key === 'Home') {
    return square - columnOf(square);
  }
  if (key === 'End') {
    return (rowOf(square) + 1) * SIDE - 1;
  }
  const way = STEPS[key];
  return way && (step(square, ...way) ?? square);
}
