import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesOf, type Draw } from '../../client';
import { Chance } from './chance';
import { checkDraw } from './draw';

interface Golden {
  draws: { tileSet: string; participants: number; winner: number; rounds: { participant: number; letter: string; rank: number; entropy: string }[][] }[];
}
// The very vectors that freeze the server's algorithm.
const golden = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../services/rules/tests/golden/draw_1.json'), 'utf8'),
) as Golden;

const drawOf = ({ tileSet, winner, rounds }: Golden['draws'][number]): Draw => ({
  rounds: rounds.map((picks) => ({
    picks: picks.map(({ participant, letter, rank, entropy }) => ({
      participant,
      seat: 0,
      letter,
      blank: rank < 0,
      rank,
      recorded: false,
      entropy,
      entropySha256: createHash('sha256').update(Buffer.from(entropy, 'hex')).digest('hex'),
    })),
  })),
  winner,
  tileSet,
});

test('the words are those of RFC 8439 and of the generator that the server uses', () => {
  const data = process.env['ASTRAGAL_DATA'] ?? join(import.meta.dirname, '../../../../../shared/data');
  const rows = JSON.parse(readFileSync(join(data, 'chance/rand_chacha_vectors.json'), 'utf8')) as
    { rounds: number; seed_hex: string; stream: string; u32_first20: number[] }[];
  const ours = rows.filter(({ rounds, stream }) => rounds === 20 && Number(stream) < 2 ** 32);
  expect(ours.length).toBeGreaterThan(5);
  for (const { seed_hex, stream, u32_first20 } of ours) {
    const chance = new Chance(bytesOf(seed_hex)!, Number(stream));
    expect(u32_first20.map(() => chance.word())).toEqual(u32_first20);
  }
});

describe('D13: a draw', () => {
  test('gives each tile again, for every set and number of seats', async () => {
    expect(golden.draws.length).toBeGreaterThan(10);
    for (const draw of golden.draws) {
      expect(await checkDraw(drawOf(draw), draw.participants)).toMatchObject({ isOrderGood: true, isGood: true });
    }
  });

  const first = () => structuredClone(drawOf(golden.draws.find(({ rounds }) => rounds.length > 1)!));

  test('is refused with another entropy, hash, tile, order or winner', async () => {
    const other = first();
    other.rounds[0]!.picks[0]!.entropy = 'ab'.repeat(32);
    expect((await checkDraw(other, 2)).picks[0]![0]).toBe('hash');
    other.rounds[0]!.picks[0]!.entropySha256 = createHash('sha256').update(Buffer.from('ab'.repeat(32), 'hex')).digest('hex');
    const findings = await checkDraw(other, 2);
    expect([findings.picks[0]![0], findings.isGood]).toEqual(['tile', false]);

    const letter = first();
    letter.rounds[0]!.picks[1]!.letter = 'Q';
    expect((await checkDraw(letter, 2)).picks[0]![1]).toBe('tile');
    const blank = first();
    blank.rounds[0]!.picks[1]!.blank = !blank.rounds[0]!.picks[1]!.blank;
    expect((await checkDraw(blank, 2)).isGood).toBe(false);
    const winner = first();
    expect((await checkDraw({ ...winner, winner: 1 - winner.winner }, 2)).isOrderGood).toBe(false);
    expect((await checkDraw(first(), 3)).isOrderGood).toBe(false);
    const short = first();
    short.rounds.pop();
    expect((await checkDraw(short, 2)).isOrderGood).toBe(false);
    expect((await checkDraw({ ...first(), rounds: [] }, 2)).isOrderGood).toBe(false);
  });

  test('says what nothing proves', async () => {
    const byHand = first();
    Object.assign(byHand.rounds[0]!.picks[0]!, { recorded: true });
    expect(await checkDraw(byHand, 2)).toMatchObject({ picks: [['recorded', 'good'], expect.anything()], isGood: true });
    const { entropy: _, ...bare } = first().rounds[0]!.picks[0]!;
    const missing = first();
    missing.rounds[0]!.picks[0] = bare;
    expect((await checkDraw(missing, 2)).picks[0]![0]).toBe('missing');
    expect((await checkDraw({ ...first(), tileSet: 'runes' }, 2)).isGood).toBe(false);
  });
});
