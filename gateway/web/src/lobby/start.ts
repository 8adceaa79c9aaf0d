// Starting games, and going to them.

import { Problem, type ClockRequest, type Json } from '../../client';
import { notices } from '../notices.svelte';
import { router } from '../router.svelte';
import { gamePath } from '../route';
import { session } from '../session.svelte';
import { remember } from '../shelf';
import { t } from '../texts';

/** What is played. */
export interface Wanted {
  game: string;
  seats?: number;
  options?: Json;
  clock?: ClockRequest;
  match?: { bestOf: number };
}

type Started = Promise<string | undefined>;

/** Finds someone who waits, or waits. */
export const quickMatch = (wanted: Wanted): Started =>
  started(async () => {
    const { gameId, joined } = (await session.client.call('newGame', wanted)).value;
    remember('listed', joined ? undefined : gameId);
    return gameId;
  });

/** Opens a game that a friend joins by its link. */
export const friendGame = (wanted: Wanted): Started =>
  started(async () => (await session.client.call('newFriendGame', { ...wanted, accountIds: [] })).value.gameId);

/** Sits down against a robot; `instead` leaves no way back to the present address. */
export const robotGame = (wanted: Wanted, level: number, instead = false): Started =>
  started(async () => (await session.client.call('newBotGame', { ...wanted, level })).value.table?.gameId, instead);

/** Takes a free seat. */
export const joinGame = (gameId: string): Started =>
  started(async () => (await session.client.call('joinGame', { gameId })).value.table?.gameId);

async function started(ask: () => Started, instead = false): Started {
  try {
    const gameId = await ask();
    if (gameId !== undefined) {
      router.go(gamePath(gameId), instead);
    }
    return gameId;
  } catch (error) {
    if (error instanceof Problem && error.code === 'ALREADY_SEARCHING') {
      notices.show(t.lobby.already);
    } else {
      notices.refuse(error);
    }
    return undefined;
  }
}
