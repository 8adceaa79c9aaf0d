// The games that this page has a board for.

import type { GamePart } from './board';
import { crossword } from './crossword';
import { kalah } from './kalah';

const games: Record<string, GamePart> = { kalah, crossword };

/** The part of a game; none if this page can't show it. */
export function gamePart(game: string): GamePart | undefined {
  return Object.hasOwn(games, game) ? games[game] : undefined;
}

/** What a game is called; one that this page can't show, by what the server calls it. */
export const gameName = (game: string): string => gamePart(game)?.name ?? game;

/** The games in the order in which they are offered. */
export const gameNames: readonly string[] = Object.keys(games);

export type { GamePart } from './board';
