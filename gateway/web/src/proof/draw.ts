// Draws every tile of a draw once more, from the bytes that decided it: what is left of the set lies in the order
// of the alphabet, the blanks first, is shuffled by those bytes, and the last tile is the one that was drawn.

import { bytesOf, sha256, type Draw, type DrawPick } from '../../client';
import { EDITIONS } from '../games/crossword/edition';
import { Chance } from './chance';

/** What was found of one pick. */
export type PickFinding =
  /** Its bytes have the hash that was kept, and give the tile. */
  | 'good'
  /** Drawn by hand: nothing proves it. */
  | 'recorded'
  /** Its bytes have another hash. */
  | 'hash'
  /** Its bytes give another tile. */
  | 'tile'
  /** There are no bytes. */
  | 'missing';

/** What was found of a draw. */
export interface DrawFindings {
  /** By round and pick. */
  picks: PickFinding[][];
  /** Whether those drew who had to, and whoever leads is the one who was named. */
  isOrderGood: boolean;
  isGood: boolean;
}

/** The ranks of a set's tiles: -1 for each blank, then each letter's place in the alphabet. */
function ranksOf(tileSet: string): number[] | undefined {
  const edition = EDITIONS[tileSet];
  return edition && [...Array<number>(edition.blanks).fill(-1), ...edition.letters.flatMap(({ count }, rank) => Array<number>(count).fill(rank))];
}

/** The letter of a rank. */
const letterOf = (tileSet: string, rank: number) =>
  rank < 0 ? '' : EDITIONS[tileSet]?.letters[rank]?.letter;

/** Checks a draw of so many participants. */
export async function checkDraw(draw: Draw, participants: number): Promise<DrawFindings> {
  const picks = await Promise.all(draw.rounds.map((round) => Promise.all(round.picks.map((pick, k) => find(pick, round.picks.slice(0, k), draw.tileSet)))));
  const isOrderGood = isInOrder(draw, participants);
  const isGood = isOrderGood && picks.flat().every((finding) => finding === 'good' || finding === 'recorded');
  return { picks, isOrderGood, isGood };
}

async function find(pick: DrawPick, before: DrawPick[], tileSet: string): Promise<PickFinding> {
  if (pick.recorded) {
    return 'recorded';
  }
  const entropy = bytesOf(pick.entropy ?? '');
  const bag = ranksOf(tileSet);
  if (entropy?.length !== 32 || !bag) {
    return 'missing';
  }
  if (pick.entropySha256 !== (await sha256(entropy))) {
    return 'hash';
  }
  for (const { rank } of before) {
    const place = bag.indexOf(rank);
    if (place >= 0) {
      bag.splice(place, 1);
    }
  }
  const rank = new Chance(entropy).shuffle(bag).at(-1);
  return rank === pick.rank && letterOf(tileSet, rank) === pick.letter && pick.blank === rank < 0 ? 'good' : 'tile';
}

/** Each round is drawn by those who shared the lowest rank before; the one who is left at the end leads. */
function isInOrder(draw: Draw, participants: number): boolean {
  let contenders = Array.from({ length: participants }, (_, k) => k);
  return (
    draw.rounds.length > 0 &&
    draw.rounds.every(({ picks }, round) => {
      const drew = picks.map(({ participant }) => participant).sort((one, other) => one - other);
      // Where some had moved first more often than others, only the others drew.
      const isFirstOfSome = round === 0 && draw.balanced === true && drew.every((one) => one < participants);
      const isRight = isFirstOfSome || `${drew}` === `${contenders}`;
      const lowest = Math.min(...picks.map(({ rank }) => rank));
      contenders = picks.filter(({ rank }) => rank === lowest).map(({ participant }) => participant).sort((one, other) => one - other);
      return isRight && (contenders.length === 1) === (round === draw.rounds.length - 1);
    }) &&
    contenders[0] === draw.winner
  );
}
