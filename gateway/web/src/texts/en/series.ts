// English for rematches and series of games.

import { counting, isolated } from '../grammar';

const count = counting('en');
const CLOSED = 'A rematch isn’t possible any more.';

export const rematch = {
  ask: 'Rematch',
  newMatch: 'New match',
  matchOver: (score: string) => `Match over, ${score}`,
  waiting: (name: string) => `Waiting for ${isolated(name)}`,
  waitingMany: 'Waiting for the others',
  cancel: 'Cancel',
  requested: (name: string) => `${isolated(name)} wants a rematch`,
  requestedMany: 'A rematch is asked for',
  no: 'No',
  left: (seconds: number) => count(seconds, { one: 'second left', other: 'seconds left' }),
  toNext: 'To your next game',
  toGame: 'To the game',
  led: 'The players play on. This is their next game.',
  // Who had asked: the reader, another one, or there are more than two who may have said it.
  ended: {
    declined: {
      me: (name: string) => `${isolated(name)} doesn’t want a rematch.`,
      other: (name: string) => `You said no to ${isolated(name)}.`,
      many: 'Not everybody wants a rematch.',
    },
    withdrawn: {
      me: (_name: string) => 'You took your request back.',
      other: (name: string) => `${isolated(name)} took the request back.`,
      many: 'The request was taken back.',
    },
    expired: {
      me: (name: string) => `${isolated(name)} didn’t answer in time.`,
      other: (name: string) => `You didn’t answer ${isolated(name)} in time.`,
      many: 'Not everybody answered in time.',
    },
    offline: {
      me: (name: string) => `${isolated(name)} is away right now.`,
      other: (name: string) => `${isolated(name)} has gone away.`,
      many: 'Not everybody is here right now.',
    },
    left: {
      me: (name: string) => `${isolated(name)} plays elsewhere now.`,
      other: (name: string) => `${isolated(name)} plays elsewhere now.`,
      many: 'Not everybody is free any more.',
    },
    closed: {
      me: (_name: string) => CLOSED,
      other: (_name: string) => CLOSED,
      many: CLOSED,
    },
  },
  leftByMe: 'You have gone on to another game.',
  missed: 'A rematch was asked for while you were away.',
};

export const series = {
  title: 'Games of this series',
  bestOf: (games: number) => `Best of ${games}`,
  match: 'Match',
  single: 'Single games',
  draws: (n: number) => count(n, { one: 'draw', other: 'draws' }),
  now: 'now',
  marks: { time: 'time', left: 'left', resigned: 'resigned' },
  game: (n: number) => `Game ${n}`,
  movedFirst: (name: string) => `${isolated(name)} moved first`,
  youMovedFirst: 'you moved first',
  opens: 'opens in a new tab',
  earlier: (n: number) => count(n, { one: 'earlier game is not shown', other: 'earlier games are not shown' }),
};
