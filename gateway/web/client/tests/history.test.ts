import { expect, test } from 'vitest';
import { History } from '../history';
import type { GameUpdate } from '../wire';

const update = (revision: number, number: number, undone?: true) =>
  ({ gameId: 'g', revision, number, seat: 0, ...(undone && { undone }) }) as GameUpdate;

/** Every order of some values. */
function orders<T>(values: T[]): T[][] {
  return values.length < 2
    ? [values]
    : values.flatMap((value, k) => orders(values.toSpliced(k, 1)).map((rest) => [value, ...rest]));
}

test('L12: moves taken back are gone from the moves and kept among what was made, in whatever order they became known', () => {
  // Move 1, move 2, move 2 taken back, another move 2, move 3 made and taken back.
  const updates = [update(1, 1), update(2, 2), update(3, 2, true), update(4, 2), update(5, 3), update(6, 3, true)];
  for (const order of orders(updates)) {
    const history = new History();
    [...order, ...order].forEach((known) => history.add(known));
    expect(history.moves().map(({ revision, number }) => [revision, number])).toEqual([[1, 1], [4, 2]]);
    expect(history.moves(2).map(({ revision }) => revision)).toEqual([1, 2]);
    expect(history.made().map(({ update: { revision }, takenBack }) => [revision, takenBack])).toEqual([
      [1, false],
      [2, true],
      [4, false],
      [5, true],
    ]);
    expect([history.undos(2, 0), history.undos(2, 1), history.undos(1, 0), history.undos(3, 0, 5)]).toEqual([1, 0, 0, 0]);
  }
});
