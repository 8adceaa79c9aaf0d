// Which page an address stands for.

export type Route = { page: 'lobby'; bot?: string } | { page: 'table'; gameId: string } | { page: 'unknown' };

const GAME = /^\/game\/([^/]+)\/?$/;

export function routeOf({ pathname, search }: { pathname: string; search: string }): Route {
  if (pathname === '/' || pathname === '/index.html') {
    const bot = new URLSearchParams(search).get('bot');
    return bot === null ? { page: 'lobby' } : { page: 'lobby', bot };
  }
  const gameId = GAME.exec(pathname)?.[1];
  return gameId === undefined ? { page: 'unknown' } : { page: 'table', gameId };
}

export const gamePath = (gameId: string) => `/game/${gameId}`;
