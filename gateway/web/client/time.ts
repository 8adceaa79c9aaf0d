// Durations as protobuf JSON writes them, and what the server's clock says.

/** The milliseconds of a duration like `"1.5s"`; none if it is no duration. */
export function milliseconds(duration: string | undefined): number | undefined {
  const match = /^(-?\d+(?:\.\d{1,9})?)s$/.exec(duration ?? '');
  return match ? Number(match[1]) * 1000 : undefined;
}

/** How far the server's clock is from ours, by the exchange that took the least time. */
export class ServerClock {
  #offset = 0;
  #best = Number.POSITIVE_INFINITY;

  /** Takes note of a server's time that was asked for and answered at local times. */
  learn(serverTime: string | undefined, asked: number, answered: number): void {
    const server = Date.parse(serverTime ?? '');
    const taken = answered - asked;
    if (Number.isNaN(server) || taken > this.#best) {
      return;
    }
    this.#best = taken;
    this.#offset = server - (asked + taken / 2);
  }

  /** Forgets how good the last measure was: the next one counts, as after a sleep. */
  renew(): void {
    this.#best = Number.POSITIVE_INFINITY;
  }

  /** Milliseconds to add to the local clock. */
  get offset(): number {
    return this.#offset;
  }

  /** The server's time now, in milliseconds of the epoch. */
  now(): number {
    return Date.now() + this.#offset;
  }
}
