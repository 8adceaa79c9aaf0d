// A time that is left, as a clock shows it. It rounds down, so it never shows more than there is.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Below this, tenths of a second are shown. */
export const TENTHS_BELOW_MS = 10 * SECOND;

const two = (n: number) => `${n}`.padStart(2, '0');

/** The words of the long ones come from the texts. */
export interface ClockWords {
  days: (days: number, hours: number) => string;
}

/** `2 d 03 h`, `1:02:03`, `4:59`, or `0:09.8` in the last ten seconds. */
export function face(ms: number, words: ClockWords): string {
  const left = Math.max(0, ms);
  const whole = (unit: number, of = Number.POSITIVE_INFINITY) => Math.floor(left / unit) % of;
  if (left >= DAY) {
    return words.days(whole(DAY), whole(HOUR, 24));
  }
  if (left >= HOUR) {
    return `${whole(HOUR)}:${two(whole(MINUTE, 60))}:${two(whole(SECOND, 60))}`;
  }
  const seconds = `${whole(MINUTE)}:${two(whole(SECOND, 60))}`;
  return left < TENTHS_BELOW_MS ? `${seconds}.${whole(100, 10)}` : seconds;
}
