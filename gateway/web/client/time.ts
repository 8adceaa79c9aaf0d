// Durations as protobuf JSON writes them, and what the server's clock says.

/** The milliseconds of a duration like `"1.5s"`; none if it is no duration. */
export function milliseconds(duration: string | undefined): number | undefined {
  const match = /^(-?\d+(?:\.\d{1,9})?)s$/.exec(duration ?? '');
  return match ? Number(match[1]) * 1000 : undefined;
}

/** After so long a good measure gives way to a worse one: clocks drift, and devices sleep. */
const GOOD_FOR_MS = 60_000;

/** How far the server's clock is from ours, by the exchange of late that took the least time. */
export class ServerClock {
  #offset = 0;
  #best = Number.POSITIVE_INFINITY;
  #measuredAt = 0;

  /** Takes note of a server's time that was asked for and answered at local times. */
  learn(serverTime: string | undefined, asked: number, answered: number): void {
    const server = Date.parse(serverTime ?? '');
    const taken = answered - asked;
    const isStale = Math.abs(answered - this.#measuredAt) > GOOD_FOR_MS;
    if (Number.isNaN(server) || (taken > this.#best && !isStale)) {
      return;
    }
    this.#best = taken;
    this.#measuredAt = answered;
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
