// SHA-256, by the browser where it may. Browsers keep WebCrypto from pages that came by plain HTTP
// from another machine (a phone in the same house), and those must be able to check a game as well.

/** The SHA-256 of some bytes, in lower-case hex. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const { subtle } = globalThis.crypto;
  return subtle ? hexOf(new Uint8Array(await subtle.digest('SHA-256', bytes as BufferSource))) : digest(bytes);
}

/** The SHA-256 of a text's UTF-8 form. */
export function sha256OfText(text: string): Promise<string> {
  return sha256(new TextEncoder().encode(text));
}

/** Bytes as lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes that hex digits stand for; none if they are no whole bytes. */
export function bytesOf(hex: string): Uint8Array | undefined {
  if (!/^([0-9a-f]{2})*$/.test(hex)) {
    return undefined;
  }
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** FIPS 180-4 in plain arithmetic. Exported for its test. */
export function digest(message: Uint8Array): string {
  const { roundConstants, initial } = constants();
  const state = Uint32Array.from(initial);
  const words = new Uint32Array(64);
  const padded = pad(message);
  for (let at = 0; at < padded.byteLength; at += 64) {
    for (let i = 0; i < 64; i += 1) {
      words[i] =
        i < 16
          ? padded.getUint32(at + 4 * i)
          : small(words[i - 2]!, 17, 19, 10) + words[i - 7]! + small(words[i - 15]!, 7, 18, 3) + words[i - 16]!;
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i += 1) {
      const first = (h + big(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + roundConstants[i]! + words[i]!) | 0;
      const second = (big(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i]! += word));
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

const turn = (word: number, by: number) => (word >>> by) | (word << (32 - by));
const big = (word: number, a: number, b: number, c: number) => turn(word, a) ^ turn(word, b) ^ turn(word, c);
const small = (word: number, a: number, b: number, c: number) => turn(word, a) ^ turn(word, b) ^ (word >>> c);

function pad(message: Uint8Array): DataView {
  const bytes = new Uint8Array(((message.length + 8) >> 6) * 64 + 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(bytes.length - 8, BigInt(message.length) * 8n);
  return view;
}

let known: { roundConstants: Uint32Array; initial: Uint32Array } | undefined;

/** The first 32 bits of the fractional parts of square and cube roots of the first primes. */
function constants() {
  if (!known) {
    const primes: number[] = [];
    for (let n = 2; primes.length < 64; n += 1) {
      if (primes.every((prime) => n % prime)) {
        primes.push(n);
      }
    }
    const fraction = (root: number) => (root - Math.floor(root)) * 2 ** 32;
    known = {
      roundConstants: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
      initial: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    };
  }
  return known;
}
