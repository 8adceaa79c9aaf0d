// A series of games as it is shown: who has won how many, and a box for each game. Seats stay through a series.

import type { Table } from '../../client';

type Series = NonNullable<Table['series']>;
type SeriesGame = Series['games'][number];

/** Wins by seat, and games that nobody won. */
export interface SeriesScore {
  wins: number[];
  draws: number;
}

/** Whose side something is on: the player at the bottom, another one, or nobody. */
export type Side = 'bottom' | 'top' | 'none';

/** A word beside the number of a game that was not played out. */
export type Mark = 'time' | 'left' | 'resigned';

/** One game in the strip. */
export interface Box {
  gameId: string;
  /** From 1. */
  number: number;
  /** The score from the bottom player's side; none while it goes on. */
  scores: number[] | undefined;
  winner: number | undefined;
  side: Side;
  firstSeat: number;
  first: Side;
  mark: Mark | undefined;
  /** Whether this is the game that the page shows. */
  isCurrent: boolean;
}

/** The strip: its boxes, and how many games before them are not shown. */
export interface Strip {
  hidden: number;
  boxes: Box[];
}

/** So many boxes are shown, with the current one. */
export const BOXES_MAX = 8;
const MARKS: readonly string[] = ['time', 'left', 'resigned'] satisfies Mark[];
/** Whether a game that ended so counts; in the others nothing was played, or it counts for nobody. */
export const isCounted = (reason: string): boolean => reason !== 'aborted' && reason !== 'crashed';

/** The finished games of a table's series, the shown one too if it is over. */
export function finishedGames({ gameId, firstSeat, phase, outcome, series }: Table): SeriesGame[] {
  const games = series?.games ?? [];
  if (phase !== 'over' || !outcome || !isCounted(outcome.reason) || games.some((game) => game.gameId === gameId)) {
    return games;
  }
  const { reason, winner, scores } = outcome;
  return [...games, { gameId, firstSeat, reason, scores, ...(winner !== undefined && { winner }) }];
}

/** How a series stands. */
export function seriesScore(games: readonly SeriesGame[], seats: number): SeriesScore {
  const counted = games.filter(({ reason }) => isCounted(reason));
  const wins = Array.from({ length: seats }, (_, seat) => counted.filter(({ winner }) => winner === seat).length);
  return { wins, draws: counted.filter(({ winner }) => winner === undefined).length };
}

/** Seats in the order in which they are shown: the bottom player first. */
export function seatOrder(seats: number, bottomSeat: number): number[] {
  const others = Array.from({ length: seats }, (_, seat) => seat).filter((seat) => seat !== bottomSeat);
  return [bottomSeat, ...others];
}

/** How a match stands; none if the table is part of none. */
export function matchOf(table: Table): { bestOf: number; isDecided: boolean } | undefined {
  const bestOf = table.match?.bestOf;
  if (!bestOf) {
    return undefined;
  }
  const { wins } = seriesScore(finishedGames(table), table.seats.length);
  return { bestOf, isDecided: wins.some((won) => won * 2 > bestOf) };
}

/** The strip of a table; none before the second game. */
export function stripOf(table: Table, bottomSeat: number): Strip | undefined {
  const games = finishedGames(table);
  const order = seatOrder(table.seats.length, bottomSeat);
  const sideOf = (seat: number | undefined): Side => (seat === undefined ? 'none' : seat === bottomSeat ? 'bottom' : 'top');
  const boxes = games.map(
    (game, k): Box => ({
      gameId: game.gameId,
      number: k + 1,
      scores: order.map((seat) => game.scores[seat] ?? 0),
      winner: game.winner,
      side: sideOf(game.winner),
      firstSeat: game.firstSeat,
      first: sideOf(game.firstSeat),
      mark: MARKS.includes(game.reason) ? (game.reason as Mark) : undefined,
      isCurrent: game.gameId === table.gameId,
    }),
  );
  if (table.phase !== 'over') {
    const { gameId, firstSeat } = table;
    const now = { scores: undefined, winner: undefined, side: 'none', mark: undefined } as const;
    boxes.push({ ...now, gameId, number: boxes.length + 1, firstSeat, first: sideOf(firstSeat), isCurrent: true });
  }
  if (boxes.length < 2) {
    return undefined;
  }
  const hidden = Math.max(0, boxes.length - BOXES_MAX);
  return { hidden, boxes: boxes.slice(hidden) };
}
