// Chance as the server computes it, from 32 bytes that anyone can read: the words of ChaCha20 (RFC 8439, with a
// counter of 64 bits), and what is made of them. Golden vectors hold this to the server's own.

/** Four words that begin every block. */
const CONSTANT = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const ROUNDS = 20;
const turn = (word: number, by: number) => (word << by) | (word >>> (32 - by));

/** The values that follow from a key. */
export class Chance {
  readonly #key: number[];
  readonly #stream: number;
  #counter = 0;
  #block: Uint32Array = new Uint32Array(0);
  #at = 0;

  /** `stream` is 0 for a draw, and the number of the move at a table. */
  constructor(key: Uint8Array, stream = 0) {
    const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
    this.#key = Array.from({ length: 8 }, (_, k) => view.getUint32(k * 4, true));
    this.#stream = stream;
  }

  /** The next word. */
  word(): number {
    if (this.#at >= this.#block.length) {
      this.#block = this.#next();
      this.#at = 0;
    }
    this.#at += 1;
    return this.#block[this.#at - 1]!;
  }

  /** An index below a length. What would make low values too likely is dropped. */
  index(length: number): number {
    if (length <= 1) {
      return 0;
    }
    const count = BigInt(length);
    const all = 1n << 64n;
    const most = all - (all % count);
    for (;;) {
      const low = BigInt(this.word());
      const long = low | (BigInt(this.word()) << 32n);
      if (long < most) {
        return Number(long % count);
      }
    }
  }

  /** Shuffles in place, from the last index down. */
  shuffle<T>(items: T[]): T[] {
    for (let last = items.length - 1; last > 0; last -= 1) {
      const other = this.index(last + 1);
      [items[last], items[other]] = [items[other]!, items[last]!];
    }
    return items;
  }

  #next(): Uint32Array {
    const begin = [...CONSTANT, ...this.#key, this.#counter, 0, this.#stream, 0];
    this.#counter += 1;
    const state = Uint32Array.from(begin);
    const quarter = (a: number, b: number, c: number, d: number) => {
      const half = (one: number, two: number, three: number, by: number) => {
        state[one]! += state[two]!;
        state[three] = turn(state[three]! ^ state[one]!, by);
      };
      half(a, b, d, 16);
      half(c, d, b, 12);
      half(a, b, d, 8);
      half(c, d, b, 7);
    };
    for (let round = 0; round < ROUNDS; round += 2) {
      for (let k = 0; k < 4; k += 1) {
        quarter(k, k + 4, k + 8, k + 12);
      }
      for (let k = 0; k < 4; k += 1) {
        quarter(k, 4 + ((k + 1) % 4), 8 + ((k + 2) % 4), 12 + ((k + 3) % 4));
      }
    }
    return state.map((word, k) => word + begin[k]!);
  }
}
