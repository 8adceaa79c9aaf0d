// Which page an address stands for.

import { stepNamed } from './replay/timeline';

export type Route = { page: 'lobby'; bot?: string } | { page: 'table'; gameId: string; step?: number } | { page: 'past' } | { page: 'unknown' };

/** One's own games. */
export const PAST_PATH = '/games';

const GAME = /^\/game\/([^/]+)\/?$/;

export function routeOf({ pathname, search }: { pathname: string; search: string }): Route {
  if (pathname === '/' || pathname === '/index.html') {
    const bot = new URLSearchParams(search).get('bot');
    return bot === null ? { page: 'lobby' } : { page: 'lobby', bot };
  }
  if (pathname === PAST_PATH) {
    return { page: 'past' };
  }
  const gameId = GAME.exec(pathname)?.[1];
  const step = stepNamed(new URLSearchParams(search).get('step'));
  return gameId === undefined ? { page: 'unknown' } : { page: 'table', gameId, ...(step !== undefined && { step }) };
}

export const gamePath = (gameId: string) => `/game/${gameId}`;
