// English for the frame of every page: head, settings, connection.

import { counting, isolated } from '../grammar';

const count = counting('en');

export const page = {
  lobby: 'Lobby',
  game: (game: string) => `${game} – Astragal`,
};

export const settings = {
  open: 'Settings',
  close: 'Close',
  language: 'Language',
  languageAuto: 'As the browser',
  theme: 'Colours',
  themes: { auto: 'As the device', light: 'Light', dark: 'Dark' },
  motion: 'Sowing',
  motions: { on: 'Seed by seed', off: 'At once' },
  sound: 'Sound on your turn',
  title: 'Mark in the title on your turn',
  switches: { on: 'On', off: 'Off' },
  motionReduced: 'Your device asks for less motion, so seeds are moved at once.',
};

export const connection = {
  connecting: 'Connecting',
  online: 'Connected',
  waiting: 'No connection',
  lost: (seconds: number) => `No connection to the server. Next try in ${count(seconds, { one: 'second', other: 'seconds' })}.`,
  leaving: 'The server is restarting. Your games are safe; this page goes on by itself.',
  trying: 'No connection to the server. Trying now.',
  tryNow: 'Try now',
};

export const clock = {
  label: 'Clock',
  hint: 'Minutes for the whole game + seconds for each move, or days for each move.',
  none: 'No clock',
  perMove: (days: number) => `${count(days, { one: 'day', other: 'days' })} a move`,
  of: (name: string) => `Time left of ${isolated(name)}`,
  days: (days: number, hours: number) => `${days} d ${hours} h`,
};

export const away = {
  title: 'The server doesn’t answer',
  text: 'It may be restarting, or this device may be offline. This page keeps trying and opens by itself.',
};

export const refused = {
  title: 'Your pass has run out',
  text: 'The server no longer takes the pass that this browser keeps. You can go on as a new guest; games under the old pass stay finished or unfinished as they are.',
  go: 'Go on as a new guest',
};
