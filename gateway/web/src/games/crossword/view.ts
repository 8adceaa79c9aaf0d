// A table as the server shows it to one viewer.

import type { Json } from '../../../client';
import { SIDE } from './place';

/** A play as it is sent: where it begins, and a character a square. */
export interface Play {
  at: string;
  /** `.` is a square that is filled already, a small letter a blank. */
  tiles: string;
}

/** A play that can be challenged. */
export interface FreshPlay {
  seat: number;
  play: Play;
  words: string[];
  score: number;
  /** The game is over if nobody doubts it. */
  last: boolean;
}

export interface CrosswordView {
  /** By square: `.` is an empty one, a small letter a blank. */
  board: string[];
  /** The viewer's own tiles, `?` for a blank. */
  rack: string | undefined;
  /** How many tiles each seat has. */
  racks: number[];
  /** The tiles of each seat, when the game is over. */
  hands: string[] | undefined;
  scores: number[];
  bag: number;
  fresh: FreshPlay | undefined;
}

/** An empty square. */
export const EMPTY = '.';

/** Reads a view; none if it is not one of this game. */
export function readView(view: Json | undefined): CrosswordView | undefined {
  const { board, rack, racks, hands, scores, bag = 0, fresh } = (view ?? {}) as unknown as Omit<CrosswordView, 'board'> & { board?: string[] };
  const rows = Array.isArray(board) ? board.map((row) => [...row]) : [];
  if (rows.length !== SIDE || rows.some((row) => row.length !== SIDE) || !racks || !scores) {
    return undefined;
  }
  return { board: rows.flat(), rack, racks, hands, scores, bag, fresh };
}

/** A move of this game, as far as it can be read. */
export interface CrosswordMove {
  play?: Play;
  /** The tiles, or how many there were of somebody else's. */
  exchange?: string | number;
  pass?: true;
  challenge?: true;
  verdict?: boolean;
}

export const readMove = (move: Json | undefined): CrosswordMove => (move ?? {}) as unknown as CrosswordMove;

/** What the server notes about a move. */
export interface CrosswordNotes {
  words: { word: string; score: number }[];
  bonus: number;
  points: number[];
  drew: number[];
  tiles?: string;
}

export function readNotes(annotations: Json | undefined): CrosswordNotes {
  const { words = [], bonus = 0, points = [], drew = [], tiles } = (annotations ?? {}) as unknown as Partial<CrosswordNotes>;
  return { words, bonus, points, drew, ...(tiles !== undefined && { tiles }) };
}
