// The moves of a table that this client has heard of, in the log's order.

import type { GameUpdate } from './wire';

/** Moves by their number; those taken back are gone, as they are from the log. */
export class History {
  readonly #moves = new Map<number, GameUpdate>();
  readonly #undone = new Map<number, number>();

  /** Takes in an update, in any order and also twice. */
  add(update: GameUpdate): void {
    const { number, revision, undone } = update;
    const before = this.#moves.get(number);
    if (undone) {
      this.#undone.set(number, Math.max(revision, this.#undone.get(number) ?? 0));
      if (before && before.revision < revision) {
        this.#moves.delete(number);
      }
    } else if (revision > (this.#undone.get(number) ?? -1) && revision >= (before?.revision ?? 0)) {
      this.#moves.set(number, update);
    }
  }

  /** The moves that stand, by number. */
  moves(): GameUpdate[] {
    return [...this.#moves.values()].sort((one, other) => one.number - other.number);
  }
}
