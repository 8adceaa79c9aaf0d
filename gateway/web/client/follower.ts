// A table that is watched: whole at first, then event by event, with no gap and nothing twice. After
// a reconnect it asks for what it missed only; a view that doesn't match its hash is fetched anew.

import { canonical } from './canonical';
import { changed, placeOf } from './changed-table';
import type { Connection } from './connection';
import { Emitter, type Stop } from './emitter';
import { History } from './history';
import { Problem } from './problem';
import { sha256OfText } from './sha256';
import type { GameUpdate, Table, TableEvent, TableEventName } from './wire';

/** What a watched table tells. */
export interface FollowerEvents {
  /** The whole table as it is now; nothing is told of how it came to be so. */
  table: Table;
  /** One event, and the table after it. */
  event: { event: TableEvent; table: Table };
  /** An older move became known. */
  history: History;
  /** The table can't be watched. */
  problem: Problem;
}

const EVENTS: readonly TableEventName[] = ['onGameUpdate', 'onSeatTaken', 'onClock', 'onGameEnd', 'onPresence', 'onViewers'];

/** One table, followed for as long as it is shown. */
export class Follower extends Emitter<FollowerEvents> {
  readonly history = new History();
  readonly #connection: Connection;
  readonly #stops: Stop[] = [];
  #table: Table | undefined;
  #asking = false;
  #lacksMoves = true;
  #stopped = false;

  constructor(
    connection: Connection,
    readonly gameId: string,
  ) {
    super();
    this.#connection = connection;
  }

  /** The table as far as it is known. */
  get table(): Table | undefined {
    return this.#table;
  }

  /** Begins to watch; `known` spares the first question where the table has just been told. */
  start(known?: Table): void {
    for (const is of EVENTS) {
      this.#stops.push(
        this.#connection.on(is, (value) => {
          if (value.gameId === this.gameId) {
            this.#take({ is, value } as TableEvent);
          }
        }),
      );
    }
    this.#stops.push(
      // A table of mine starts under my eyes: a seat was given while this page was open.
      this.#connection.on('onGameStart', ({ table }) => {
        if (table?.gameId === this.gameId && !(this.#table && this.#table.revision > table.revision)) {
          this.#whole(table);
        }
      }),
      this.#connection.on('status', ({ is }) => {
        this.#asking = false;
        if (is === 'online') {
          void this.#ask(this.#table?.revision);
        }
      }),
    );
    if (known) {
      this.#whole(known);
    }
    if (this.#connection.status.is === 'online') {
      void this.#ask(this.#table?.revision);
    }
  }

  /** Asks once more, after a problem that may have passed. */
  retry(): void {
    void this.#ask(this.#table?.revision);
  }

  /** Watches no longer. */
  stop(): void {
    this.#stopped = true;
    this.#stops.forEach((stop) => stop());
    if (this.#connection.status.is === 'online') {
      this.#connection.call('unwatch', { gameId: this.gameId }).catch(() => undefined);
    }
  }

  async #ask(since: number | undefined): Promise<void> {
    if (this.#asking) {
      return;
    }
    this.#asking = true;
    try {
      const { gameId } = this;
      const fields = since === undefined ? { gameId } : { gameId, sinceRevision: since };
      const answer = await this.#connection.call('watch', fields);
      // Events that answer come in as events.
      if (answer.is === 'table' && !this.#stopped) {
        this.#whole(answer.value);
      }
    } catch (error) {
      // Without a connection the next one asks again.
      if (error instanceof Problem && error.code !== 'OFFLINE' && !this.#stopped) {
        this.emit('problem', error);
      }
    } finally {
      this.#asking = false;
    }
    this.#fetchMoves();
  }

  /** Asks once for the moves so far; what they did is in the table already. */
  #fetchMoves(): void {
    if (this.#lacksMoves && this.#table && !this.#asking && !this.#stopped) {
      this.#lacksMoves = false;
      if (this.#table.revision > 0) {
        void this.#ask(0);
      }
    }
  }

  #whole(table: Table): void {
    if (this.#table && this.#table.revision > table.revision) {
      return;
    }
    this.#table = table;
    this.emit('table', table);
    this.#fetchMoves();
  }

  #take(event: TableEvent): void {
    if (event.is === 'onGameUpdate') {
      this.history.add(event.value);
    }
    if (!this.#table) {
      return;
    }
    switch (placeOf(this.#table, event)) {
      case 'known':
        this.emit('history', this.history);
        return;
      case 'ahead':
        void this.#ask(this.#table.revision);
        return;
      case 'next':
        this.#table = changed(this.#table, event);
        this.emit('event', { event, table: this.#table });
        if (event.is === 'onGameUpdate') {
          void this.#compare(event.value);
        }
    }
  }

  async #compare({ revision, view, viewHash }: GameUpdate): Promise<void> {
    if (view === undefined || !viewHash) {
      return;
    }
    const hash = await sha256OfText(canonical(view));
    if (hash !== viewHash && this.#table?.revision === revision && !this.#stopped) {
      void this.#ask(undefined);
    }
  }
}
