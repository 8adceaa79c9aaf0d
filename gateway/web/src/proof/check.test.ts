import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { GameUpdate } from '../../client';
import { check } from './check';

const seed = '00112233445566778899aabbccddeeff'.repeat(2);
const seal = createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex');
const log = {
  seed,
  moves: [
    { number: 1, seat: 0, move: { pit: 3 }, drew: false },
    { number: 2, seat: null, move: { resigned: 0 }, drew: false },
  ],
};
const seen = [
  { number: 1, seat: 0, move: { pit: 3 } },
  { number: 2, move: { resigned: 0 } },
] as unknown as GameUpdate[];

describe('a check', () => {
  test('finds a good log good', async () => {
    expect(await check(JSON.stringify(log), seal, seen)).toEqual({
      seed,
      computed: seal,
      isSame: true,
      moves: 2,
      movesSeen: true,
    });
  });

  test('hashes the bytes of the seed, not its digits', async () => {
    const ofDigits = createHash('sha256').update(seed).digest('hex');
    expect((await check(JSON.stringify(log), ofDigits, seen))?.isSame).toBe(false);
  });

  test('finds another seed, another move, a move too many or too few', async () => {
    const other = { ...log, seed: seed.replace('0', '1') };
    expect((await check(JSON.stringify(other), seal, seen))?.isSame).toBe(false);
    const moved = { ...log, moves: [{ ...log.moves[0], move: { pit: 4 } }, log.moves[1]] };
    const fewer = { ...log, moves: log.moves.slice(0, 1) };
    const more = { ...log, moves: [...log.moves, { number: 3, seat: 0, move: { pit: 1 } }] };
    for (const wrong of [moved, fewer, more]) {
      expect((await check(JSON.stringify(wrong), seal, seen))?.movesSeen).toBe(false);
    }
    expect((await check(JSON.stringify(log), seal, []))?.movesSeen).toBeUndefined();
  });

  test('says so if there is no seed', async () => {
    for (const odd of [undefined, 7, '', seed.toUpperCase(), seed.slice(2), `${seed}00`]) {
      expect(await check(JSON.stringify({ ...log, seed: odd }), seal, [])).toBeUndefined();
    }
  });
});
