// The moves of a table that this client has heard of, in the order in which they were made.

import type { GameUpdate } from './wire';

/** A move, and whether it was taken back later. */
export interface Made {
  update: GameUpdate;
  takenBack: boolean;
}

/** Moves by their revision, which counts every change and is never used twice. */
export class History {
  readonly #updates = new Map<number, GameUpdate>();

  /** Takes in an update, in any order and also twice. */
  add(update: GameUpdate): void {
    this.#updates.set(update.revision, update);
  }

  /** Every move up to a revision, those that were taken back by then too. */
  made(upTo = Number.POSITIVE_INFINITY): Made[] {
    const made: Made[] = [];
    const standing = new Map<number, Made>();
    for (const update of this.#until(upTo)) {
      const before = standing.get(update.number);
      if (before && before.update.revision < update.revision) {
        before.takenBack = true;
      }
      if (update.undone) {
        standing.delete(update.number);
      } else {
        const move = { update, takenBack: false };
        standing.set(update.number, move);
        made.push(move);
      }
    }
    return made;
  }

  /** The moves that stand at a revision, by number. */
  moves(upTo?: number): GameUpdate[] {
    return this.made(upTo).flatMap(({ update, takenBack }) => (takenBack ? [] : [update]));
  }

  /** How often a seat has taken back its move of that number. */
  undos(number: number, seat: number, upTo?: number): number {
    return this.#until(upTo).filter((update) => update.undone && update.number === number && update.seat === seat).length;
  }

  #until(upTo = Number.POSITIVE_INFINITY): GameUpdate[] {
    const until = [...this.#updates.values()].filter(({ revision }) => revision <= upTo);
    return until.sort((one, other) => one.revision - other.revision);
  }
}
