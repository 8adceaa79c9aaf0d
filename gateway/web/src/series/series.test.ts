import { describe, expect, test } from 'vitest';
import type { Table } from '../../client';
import { finishedGames, matchOf, seatOrder, seriesScore, stripOf } from './series';

type Game = NonNullable<Table['series']>['games'][number];

const game = (k: number, winner: number | undefined, reason = 'finished', scores = [30, 18]): Game => ({
  gameId: `g${k}`,
  firstSeat: (k + 1) % 2,
  reason,
  scores,
  ...(winner !== undefined && { winner }),
});
const table = (games: Game[], given: Partial<Table> = {}): Table =>
  ({
    gameId: `g${games.length + 1}`,
    phase: 'playing',
    firstSeat: games.length % 2,
    seats: [0, 1].map((seat) => ({ seat })),
    series: { id: 's', games },
    ...given,
  }) as unknown as Table;
const games = (n: number) => Array.from({ length: n }, (_, k) => game(k + 1, k % 2));

describe('W2: the strip', () => {
  test.each([
    [0, undefined, undefined],
    [1, 0, [1, 2]],
    [7, 0, [1, 2, 3, 4, 5, 6, 7, 8]],
    [8, 1, [2, 3, 4, 5, 6, 7, 8, 9]],
    [11, 4, [5, 6, 7, 8, 9, 10, 11, 12]],
  ])('after %i games hides %s and shows %j', (played, hidden, numbers) => {
    const strip = stripOf(table(games(played)), 0);
    expect(strip?.hidden).toBe(hidden);
    expect(strip?.boxes.map(({ number }) => number)).toEqual(numbers);
  });

  test('shows each game from the side of the bottom player', () => {
    const list = [game(1, 0), game(2, 1, 'time', [10, 22]), game(3, undefined, 'finished', [24, 24]), game(4, 0, 'resigned')];
    const seen = (bottomSeat: number) =>
      stripOf(table(list), bottomSeat)!.boxes.map(({ number, scores, side, first, mark, isCurrent }) => [number, scores, side, first, mark, isCurrent]);
    expect(seen(0)).toEqual([
      [1, [30, 18], 'bottom', 'bottom', undefined, false],
      [2, [10, 22], 'top', 'top', 'time', false],
      [3, [24, 24], 'none', 'bottom', undefined, false],
      [4, [30, 18], 'bottom', 'top', 'resigned', false],
      [5, undefined, 'none', 'bottom', undefined, true],
    ]);
    expect(seen(1).map(([, scores, side, first]) => [scores, side, first]).slice(0, 2)).toEqual([
      [[18, 30], 'top', 'top'],
      [[22, 10], 'bottom', 'bottom'],
    ]);
  });

  test('has the ended game once, whether the server counts it already or not', () => {
    const outcome = { results: ['won', 'lost'], winner: 0, reason: 'left', scores: [3, 1] };
    const ended = table([game(1, 1)], { phase: 'over', outcome });
    const counted = { ...ended, series: { id: 's', games: [game(1, 1), game(2, 0, 'left', [3, 1])] } };
    for (const one of [ended, counted]) {
      const boxes = stripOf(one, 0)!.boxes;
      expect(boxes.map(({ number, isCurrent, scores, mark }) => [number, isCurrent, scores, mark])).toEqual([
        [1, false, [30, 18], undefined],
        [2, true, [3, 1], 'left'],
      ]);
    }
    expect(finishedGames({ ...ended, outcome: { ...outcome, reason: 'aborted' } })).toHaveLength(1);
  });

  test('R5: has room for more than two', () => {
    const three = table([game(1, 2, 'finished', [5, 7, 9])], { seats: [0, 1, 2].map((seat) => ({ seat })) as Table['seats'] });
    expect(stripOf(three, 1)!.boxes[0]).toMatchObject({ scores: [7, 5, 9], side: 'top' });
    expect(seatOrder(4, 2)).toEqual([2, 0, 1, 3]);
  });
});

test('R6: a series counts wins by seat and draws apart', () => {
  const list = [game(1, 0), game(2, 1), game(3, 0), game(4, undefined), game(5, undefined, 'aborted')];
  expect(seriesScore(list, 2)).toEqual({ wins: [2, 1], draws: 1 });
  expect(seriesScore([], 3)).toEqual({ wins: [0, 0, 0], draws: 0 });
});

test('R11: a match is decided once a seat has won more than half; draws do not count', () => {
  const match = { bestOf: 3 };
  expect(matchOf(table(games(3)))).toBeUndefined();
  expect(matchOf(table([game(1, 0), game(2, undefined), game(3, undefined)], { match }))).toEqual({ bestOf: 3, isDecided: false });
  expect(matchOf(table([game(1, 0), game(2, 1)], { match }))?.isDecided).toBe(false);
  expect(matchOf(table([game(1, 0), game(2, 1), game(3, 0)], { match }))?.isDecided).toBe(true);
});
