// The list of open games, kept up to date while somebody looks at it.

import { Problem, type OpenGame } from '../../client';
import { session } from '../session.svelte';

/** A live list; `watch` it from an effect. */
export class OpenGameList {
  games: OpenGame[] = $state.raw([]);
  /** True once the server has answered. */
  isKnown = $state(false);

  /** Watches the games that wait, or those of one kind, until the answer is called. */
  watch(game?: string): () => void {
    const { client } = session;
    const ask = () =>
      client.call('watchOpenGames', game === undefined ? {} : { game }).catch((error: unknown) => {
        if (!(error instanceof Problem)) {
          throw error;
        }
      });
    const stops = [
      client.on('openGames', ({ games }) => {
        this.games = games;
        this.isKnown = true;
      }),
      client.on('onOpenGames', ({ added, removed }) => {
        const gone = new Set([...removed, ...added.map(({ gameId }) => gameId)]);
        this.games = [...added, ...this.games.filter(({ gameId }) => !gone.has(gameId))];
      }),
      client.on('status', ({ is }) => {
        if (is === 'online') {
          void ask();
        }
      }),
    ];
    if (session.client.status.is === 'online') {
      void ask();
    }
    return () => {
      stops.forEach((stop) => stop());
      if (client.status.is === 'online') {
        client.call('unwatchOpenGames', {}).catch(() => undefined);
      }
    };
  }
}
