// Moves in words.

import type { GameUpdate } from '../../../client';
import { t } from '../../texts';
import type { MoveWords } from '../board';
import { readMove, readNotes, type CrosswordNotes } from './view';

/** A move of a seat; `name` is absent where it is the reader's own. */
export function toldMove(update: GameUpdate, name: string | undefined): MoveWords {
  const { moves, said } = t.games.crossword;
  const { play, exchange, challenge } = readMove(update.move);
  const notes = readNotes(update.annotations);
  if (play) {
    return toldPlay(play.at, notes, name);
  }
  if (exchange !== undefined) {
    const tiles = typeof exchange === 'number' ? exchange : [...exchange].length;
    const drew = name === undefined && notes.tiles ? [said.drew(notes.tiles)] : [];
    return {
      move: typeof exchange === 'number' ? moves.exchange(exchange) : moves.exchangeOwn(exchange),
      notes: '',
      said: [name === undefined ? said.exchangeYou(tiles) : said.exchange(name, tiles), ...drew].join('. '),
    };
  }
  if (challenge) {
    return { move: moves.challenge, notes: '', said: name === undefined ? said.challengeYou : said.challenge(name) };
  }
  return { move: moves.pass, notes: '', said: name === undefined ? said.passYou : said.pass(name) };
}

function toldPlay(at: string, { words, bonus, tiles }: CrosswordNotes, name: string | undefined): MoveWords {
  const { moves, said, wholeRack } = t.games.crossword;
  const total = words.reduce((sum, { score }) => sum + score, bonus);
  const [main, ...others] = words;
  const more = [...others.map(({ word, score }) => `${word} ${score}`), ...(bonus > 0 ? [wholeRack(bonus)] : [])];
  const spoken = words.map(({ word }) => word).join(', ');
  const drew = name === undefined && tiles ? [said.drew(tiles)] : [];
  return {
    move: `${at} ${main?.word ?? ''}`,
    notes: [moves.points(total), more.join(', ')].filter(Boolean).join(' · '),
    said: [name === undefined ? said.playYou(spoken, total) : said.play(name, spoken, total), ...drew].join('. '),
  };
}

/** A move of the table itself: what came of a challenge. */
export function toldVerdict(update: GameUpdate): MoveWords | undefined {
  const { moves, said } = t.games.crossword;
  const { verdict } = readMove(update.move);
  if (verdict === undefined) {
    return undefined;
  }
  const { words, points } = readNotes(update.annotations);
  const fell = words.map(({ word }) => word).join(', ');
  const lost = points.filter((some) => some < 0).map((some) => moves.points(some));
  return verdict
    ? { move: moves.good, notes: '', said: said.good }
    : { move: moves.bad, notes: [fell, ...lost].join(' '), said: said.bad(fell) };
}
