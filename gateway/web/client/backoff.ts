// How long to wait before the next attempt: longer each time, and never all clients at once.

/** The bounds of the waits, in milliseconds. */
export const WAIT_MS = { first: 300, most: 10_000 } as const;

/** A random wait that grows with the attempts (counted from 0): half of it fixed, half by chance. */
export function backoff(attempt: number, random: () => number): number {
  const whole = Math.min(WAIT_MS.most, WAIT_MS.first * 2 ** Math.min(attempt, 16));
  return Math.round(whole / 2 + (whole / 2) * random());
}
