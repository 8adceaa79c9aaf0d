// The games that can be watched now, asked for again and again while somebody looks at the list.

import { Problem, type Table } from '../../client';
import { session } from '../session.svelte';

const ASK_EVERY_MS = 5_000;
const TABLES_MAX = 20;

/** A list of live games; `watch` it from an effect. */
export class LiveTables {
  tables: Table[] = $state.raw([]);
  /** True once the server has answered. */
  isKnown = $state(false);

  /** Asks until the answer is called. */
  watch(): () => void {
    let isWatched = true;
    const ask = async () => {
      if (document.visibilityState !== 'visible') {
        return;
      }
      try {
        const tables = await session.http.liveTables(TABLES_MAX);
        if (isWatched) {
          this.tables = tables;
          this.isKnown = true;
        }
      } catch (error) {
        if (!(error instanceof Problem)) {
          throw error;
        }
        // The next time may do.
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    return () => {
      isWatched = false;
      clearInterval(timer);
    };
  }
}
