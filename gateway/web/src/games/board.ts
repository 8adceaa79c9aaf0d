// What a page hands to the board of any game, and what it wants back. A new game is one folder with a
// board, its words, and an entry in the list of games.

import type { Component } from 'svelte';
import type { GameUpdate, Json, Problem, Table } from '../../client';

/** Shows moves one after the other. */
export interface MovePlayer {
  /** Resolves when the move has been shown; the board then shows `after`. */
  play(update: GameUpdate, before: Json | undefined, after: Json | undefined): Promise<void>;
  /** Ends what is being shown at once. */
  finish(): void;
}

/** What a board is given. */
export interface BoardProps {
  table: Table;
  /** The seat that is shown at the bottom. */
  bottomSeat: number;
  /** Names by seat. */
  names: string[];
  /** The last move, and the view before it where that is known. */
  last: { update: GameUpdate; before: Json | undefined } | undefined;
  /** A move of ours that the server has not answered yet. */
  pending: Json | undefined;
  /** Whether a move may be chosen now. */
  mayMove: boolean;
  /** Whether things may move about. */
  motion: boolean;
  onmove: (move: Json) => void;
  register: (player: MovePlayer | undefined) => void;
}

/** A move in words, for the list and for screen readers. */
export interface MoveWords {
  move: string;
  /** What came of it, in the list. */
  notes: string;
  /** The whole of it as a sentence. */
  said: string;
}

/** How a seat stands, beside its name. */
export interface Standing {
  score: string;
  /** The score as a sentence. */
  said: string;
  /** What the seat holds, as a number. */
  note: string;
  noteSaid: string;
}

/** What the page must know of a game. */
export interface GamePart {
  name: string;
  about: string;
  /** How it is played, in a few sentences. */
  howTo: readonly string[];
  /** The room that the board takes. */
  shape: 'wide' | 'square';
  /** Fetches the board. */
  board: () => Promise<Component<BoardProps>>;
  /** Words for a move; `name` is absent where it is the reader's own. */
  words: (update: GameUpdate, name: string | undefined) => MoveWords;
  /** Words for a move that the table made itself, where that is worth any. */
  tableWords?: (update: GameUpdate) => MoveWords | undefined;
  /** How a seat stands, where that is to be shown all the time. */
  standing?: (table: Table, seat: number) => Standing | undefined;
  /** Why a move was refused, where the game can say it better than the page. */
  refusal?: (problem: Problem) => string | undefined;
  /** Whether a last move is one that can be taken back at all. */
  mayUndo?: (update: GameUpdate) => boolean;
  /** Whether an option means nothing beside what else is chosen. */
  isMoot?: (key: string, options: Record<string, unknown>) => boolean;
  /** A view of everything through the eyes of one seat, where that differs. */
  seenBy?: (view: Json, seat: number) => Json;
  /** The notation of other programs in which a game that is over can be had: the end of its address and of its name. */
  notation?: 'gcg';
  /** The name of an option, and of a value of it. */
  option: (key: string) => string;
  /** How the board is played by keyboard. */
  keys: string;
}
