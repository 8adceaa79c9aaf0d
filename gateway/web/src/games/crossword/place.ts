// Squares and lines of the board, and how they are named: `8D` runs across from D8, `D8` down.

export const SIDE = 15;
export const SQUARES = SIDE * SIDE;
/** The square that the first play covers. */
export const CENTRE = (SQUARES - 1) / 2;

export type Direction = 'across' | 'down';

/** Where a word begins and which way it runs. */
export interface Start {
  square: number;
  direction: Direction;
}

export const rowOf = (square: number) => Math.floor(square / SIDE);
export const columnOf = (square: number) => square % SIDE;
export const crossing = (direction: Direction): Direction => (direction === 'across' ? 'down' : 'across');
export const columnName = (column: number) => String.fromCharCode(65 + column);
/** As in `D8`. */
export const nameOf = (square: number) => `${columnName(columnOf(square))}${rowOf(square) + 1}`;

/** The square so many steps on; none off the board. */
export function step(square: number, direction: Direction, steps = 1): number | undefined {
  const place = direction === 'across' ? columnOf(square) : rowOf(square);
  const isOn = place + steps >= 0 && place + steps < SIDE;
  return isOn ? square + steps * (direction === 'across' ? 1 : SIDE) : undefined;
}

/** The name of a start. */
export function startName({ square, direction }: Start): string {
  const [column, row] = [columnName(columnOf(square)), rowOf(square) + 1];
  return direction === 'across' ? `${row}${column}` : `${column}${row}`;
}

/** Reads the name of a start; none if it is no such name. */
export function readStart(text: string): Start | undefined {
  const found = /^(?:([A-O])(1[0-5]|[1-9])|(1[0-5]|[1-9])([A-O]))$/.exec(text);
  if (!found) {
    return undefined;
  }
  const column = (found[1] ?? found[4]!).charCodeAt(0) - 65;
  const row = Number(found[2] ?? found[3]) - 1;
  return { square: row * SIDE + column, direction: found[1] ? 'down' : 'across' };
}
