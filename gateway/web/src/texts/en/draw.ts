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
  check: 'Check this draw',
  checking: 'Drawing every tile once more',
  good: 'Every tile follows from the bytes that were fixed before it was drawn.',
  goodByHand: 'The tiles that a machine drew follow from their bytes. Those drawn by hand can’t be proved.',
  bad: 'This draw doesn’t add up. Keep what is below and show it to somebody.',
  missing: 'The server gives no proof of this draw yet.',
  order: 'Those who drew, or who goes first, are not as the rules say.',
  proof: 'What proves it',
  proofText: 'Thirty-two bytes shuffle the tiles that are left of the set, and the last one is drawn. Their SHA-256 was kept before the pick.',
  bytes: 'Bytes',
  hash: 'SHA-256',
  reused: 'This draw stands from an earlier search: giving up and searching again draws nothing new.',
  balanced: 'Whoever had moved first least often leads. Only those who were equal drew.',
};
