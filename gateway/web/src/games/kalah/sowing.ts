// The way of the seeds in one move, so that it can be shown. The server decides what a move does; this
// retells it from the board before, the pit, and the notes that came with the move.

import type { Json } from '../../../client';

/** The board in plain numbers, by seat. */
export interface KalahView {
  pits: number[][];
  stores: number[];
}

/** What the server notes about a move. */
export interface KalahNotes {
  captured: number;
  again: boolean;
  swept?: [number, number];
}

export const PITS = 6;
/** Places on the board: 0 to 5 the pits of seat 0 from its left, 6 its store, then those of seat 1. */
export const PLACES = 14;

export const pitOf = (seat: number, pit: number) => seat * 7 + pit - 1;
export const storeOf = (seat: number) => seat * 7 + PITS;
export const ownerOf = (place: number) => Math.floor(place / 7);
export const isStore = (place: number) => place % 7 === PITS;
/** The pit across; pits and their opposites add up to twelve. */
export const across = (place: number) => 12 - place;

/** Seeds that move together: from a place, to a place. */
export interface Transfer {
  from: number;
  to: number;
  seeds: number;
}

/** A move, told in the order in which a hand does it. */
export interface Sowing {
  from: number;
  /** Where each seed falls, one after the other. */
  falls: number[];
  captures: Transfer[];
  sweeps: Transfer[];
}

/** Reads a view; none if it is no kalah board. */
export function readView(view: Json | undefined): KalahView | undefined {
  const { pits, stores } = (view ?? {}) as unknown as KalahView;
  const isBoard = pits?.length === 2 && stores?.length === 2 && pits.every((row) => row?.length === PITS);
  return isBoard ? { pits, stores } : undefined;
}

/** Seeds by place. */
export function counts({ pits, stores }: KalahView): number[] {
  return [...pits[0]!, stores[0]!, ...pits[1]!, stores[1]!];
}

/** The pit that a move names; 0 if it names none. */
export function pitNamed(move: Json | undefined): number {
  const pit = (move as { pit?: number } | undefined)?.pit;
  return typeof pit === 'number' && pit >= 1 && pit <= PITS ? pit : 0;
}

/** Where the seeds of a pit fall. */
export function falls(seeds: number, seat: number, pit: number): number[] {
  const skipped = storeOf(1 - seat);
  const places: number[] = [];
  for (let place = pitOf(seat, pit); places.length < seeds; ) {
    place = (place + 1) % PLACES;
    if (place !== skipped) {
      places.push(place);
    }
  }
  return places;
}

/** Retells a move. */
export function sowing(before: KalahView, seat: number, pit: number, notes: KalahNotes): Sowing {
  const board = counts(before);
  const from = pitOf(seat, pit);
  const path = falls(board[from]!, seat, pit);
  board[from] = 0;
  for (const place of path) {
    board[place]! += 1;
  }
  const move = (place: number, to: number): Transfer => {
    const seeds = board[place]!;
    board[place] = 0;
    board[to]! += seeds;
    return { from: place, to, seeds };
  };
  const captures: Transfer[] = [];
  const last = path.at(-1);
  if (notes.captured > 0 && last !== undefined && !isStore(last)) {
    captures.push(move(last, storeOf(seat)), move(across(last), storeOf(seat)));
  }
  const sweeps: Transfer[] = [];
  if (notes.swept) {
    for (const place of board.keys()) {
      if (!isStore(place) && board[place]! > 0) {
        sweeps.push(move(place, storeOf(ownerOf(place))));
      }
    }
  }
  const moved = (transfer: Transfer) => transfer.seeds > 0;
  return { from, falls: path, captures: captures.filter(moved), sweeps };
}
