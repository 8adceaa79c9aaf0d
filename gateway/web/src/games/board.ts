// What a page hands to the board of any game, and what it wants back. A new game is one folder with a
// board, its words, and an entry in the list of games.

import type { Component } from 'svelte';
import type { GameUpdate, Json, Table } from '../../client';

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

/** What the page must know of a game. */
export interface GamePart {
  name: string;
  about: string;
  Board: Component<BoardProps>;
  /** Words for a move; `name` is absent where it is the reader's own. */
  words: (update: GameUpdate, name: string | undefined) => MoveWords;
  /** The name of an option, and of a value of it. */
  option: (key: string) => string;
  /** How the board is played by keyboard. */
  keys: string;
}
