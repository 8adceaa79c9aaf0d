// English for the end of a game.

import { isolated } from '../grammar';

export const over = {
  won: 'You won',
  lost: 'You lost',
  drawn: 'A draw',
  winner: (name: string) => `${isolated(name)} won`,
  none: 'No result',
  reasons: {
    finished: { won: 'The board was played out.', lost: 'The board was played out.', other: 'The board was played out.' },
    resigned: { won: 'Your opponent resigned.', lost: 'You resigned.', other: 'The other side resigned.' },
    left: { won: 'Your opponent left the game.', lost: 'You left the game.', other: 'The other side left the game.' },
    time: { won: 'Your opponent ran out of time.', lost: 'You ran out of time.', other: 'Time ran out.' },
    aborted: { won: 'It was called off.', lost: 'It was called off.', other: 'The game was called off before the first move.' },
    crashed: { won: 'It could not go on.', lost: 'It could not go on.', other: 'Something broke on the server, and the game could not go on. It counts for nobody.' },
  } as Record<string, { won: string; lost: string; other: string }>,
  newGame: 'New game',
  again: 'Play again',
  home: 'Home',
  close: 'See the board',
};
