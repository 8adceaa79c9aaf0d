// English for the lobby.

import { isolated } from '../grammar';

export const lobby = {
  title: 'Take a seat',
  lead: 'Who goes first is drawn tile by tile. What chance decides is sealed before the first move and opened after the last, so that you can check it.',
  loading: 'Setting up the lobby',
  resume: 'Your games',
  toMove: 'Your turn',
  theirMove: (name: string) => `${isolated(name)} to move`,
  waits: 'Waiting for an opponent',
  openWaiting: 'Open',
  against: (name: string) => `against ${isolated(name)}`,
  start: 'New game',
  seats: 'Players',
  game: 'Game',
  rules: 'Rules of this game',
  quick: 'Quick match',
  quickHint: 'Play whoever comes next.',
  friend: 'Play a friend',
  friendHint: 'Get a link to send or show.',
  robotLevel: 'Strength of the robot',
  robotLevels: ['Very easy', 'Easy', 'Fair', 'Strong', 'Very strong'],
  robotGo: (level: number) => `Play robot ${level}`,
  open: 'Open games',
  openNone: 'Nobody is waiting right now. Start a quick match, and your game shows up here for others.',
  openJoin: 'Join',
  openJoinLabel: (name: string, game: string) => `Join ${isolated(name)} for ${game}`,
  live: 'Games to watch',
  liveNone: 'Nobody is playing in public right now.',
  noGames: 'This server offers no games that this page can show.',
  botLevel: 'There are five robots: 1 to 5. Choose one below.',
  already: 'You already have a game that waits for someone. Open it, or cancel it first.',
};

export const name = {
  label: 'Your name',
  change: 'Change name',
  save: 'Save',
  cancel: 'Cancel',
  hint: 'A new name is a new guest: games you have finished stay with the old name.',
  busy: 'You can change your name when none of your games is going on.',
};
