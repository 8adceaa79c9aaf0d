// Checks a finished game's log against its seal: nothing but arithmetic, so that it can be read.

import { bytesOf, canonical, sha256, type GameUpdate, type Json } from '../../client';

/** What a check found. */
export interface Findings {
  seed: string;
  /** SHA-256 of the seed's bytes. */
  computed: string;
  isSame: boolean;
  /** How many moves the log has, and whether they are those that were seen; none if none were. */
  moves: number;
  movesSeen: boolean | undefined;
}

interface Log {
  seed?: unknown;
  moves?: { number: number; seat: number | null; move: Json }[];
}

/** Checks the text of a log; none if it holds no seed. */
export async function check(text: string, seal: string, seen: GameUpdate[]): Promise<Findings | undefined> {
  const log = JSON.parse(text) as Log;
  const { seed, moves = [] } = log;
  const bytes = typeof seed === 'string' && seed.length === 64 ? bytesOf(seed) : undefined;
  if (typeof seed !== 'string' || !bytes) {
    return undefined;
  }
  const computed = await sha256(bytes);
  const isAsSeen = seen.every(({ number, seat, move }) => {
    const logged = moves[number - 1];
    return (
      logged?.number === number &&
      logged.seat === (seat ?? null) &&
      canonical(logged.move) === canonical(move ?? null)
    );
  });
  return {
    seed,
    computed,
    isSame: computed === seal,
    moves: moves.length,
    movesSeen: seen.length > 0 ? isAsSeen && seen.length === moves.length : undefined,
  };
}
