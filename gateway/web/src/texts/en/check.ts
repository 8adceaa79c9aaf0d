// English for the check of a finished game.

import { counting } from '../grammar';

const count = counting('en');

export const check = {
  title: 'Check this game',
  text: 'At the opening the server showed the SHA-256 of a secret. Now the secret is open. If your browser finds the same SHA-256, nothing that chance decided can have been changed in between.',
  working: 'Fetching the log',
  kept: 'Seal that this browser kept',
  keptFromOpening: (when: string) => `Kept from the opening on: ${when}.`,
  keptLater: (when: string) => `Kept since ${when}, when the game was going on already.`,
  notKept: 'This browser was not there at the opening and kept no seal. Shown is the one the server gives now.',
  shown: 'Seal that the server shows now',
  seed: 'The secret, from the log',
  computed: 'SHA-256 of the secret, worked out here',
  good: 'They are the same. This game’s chance was fixed before the first move.',
  goodUnkept: 'They are the same, but this browser kept no seal to hold against it.',
  bad: 'They are not the same. Keep this log and show it to somebody.',
  movesGood: (n: number) => `The log has the ${count(n, { one: 'move', other: 'moves' })} that you saw, in that order.`,
  movesBad: 'The log does not have the moves that this page saw.',
  failed: 'The log can’t be checked:',
  noSeed: 'it holds no seed of 64 hex digits',
  download: 'Download the log',
  elsewhere: 'Don’t trust this page? Replay every move with the program itself, on your own machine:',
  copy: 'Copy the command',
};
