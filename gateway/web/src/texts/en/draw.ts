// English for the draw.

import { isolated } from '../grammar';

export const draw = {
  title: 'Who goes first?',
  rule: 'Everyone draws a letter tile. The earliest letter goes first; a blank comes before A.',
  round: (n: number) => `Round ${n}`,
  blank: 'blank',
  drew: (name: string, letter: string) => `${isolated(name)} drew ${letter}`,
  youDrew: (letter: string) => `You drew ${letter}`,
  tie: 'The same letter: those who share it draw again.',
  wins: (name: string) => `${isolated(name)} goes first`,
  youWin: 'You go first',
  someone: 'Opponent to come',
  skip: 'Skip',
  done: 'To the board',
  out: 'not in this round',
  recorded: 'drawn by hand',
};
