// What a page holds: one connection and the tables that it watches. Nothing here draws anything.

import { Connection, type ConnectionSettings } from './connection';
import { Follower } from './follower';
import type { Table } from './wire';

/** A client of one gateway. */
export class Client extends Connection {
  constructor(settings: ConnectionSettings) {
    super(settings);
  }

  /** A table that this client watches from now on; stop it when it is no longer shown. */
  follow(gameId: string, known?: Table): Follower {
    const follower = new Follower(this, gameId);
    // After the caller had the time to listen.
    queueMicrotask(() => follower.start(known));
    return follower;
  }
}
