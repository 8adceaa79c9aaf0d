// Kalah as the page knows it. The board is fetched when a table wants it.

import type { GamePart } from '../board';
import { t } from '../../texts';
import { pitNamed, type KalahNotes } from './sowing';

export const kalah: GamePart = {
  get name() {
    return t.games.kalah.name;
  },
  get about() {
    return t.games.kalah.about;
  },
  get howTo() {
    return t.games.kalah.howTo;
  },
  get keys() {
    return t.games.kalah.keys;
  },
  shape: 'wide',
  board: async () => (await import('./KalahBoard.svelte')).default,
  option: (key) => t.games.kalah.options[key] ?? key,
  words({ move, annotations }, name) {
    const texts = t.games.kalah;
    const pit = pitNamed(move);
    const { captured = 0, again = false, swept } = (annotations ?? {}) as Partial<KalahNotes>;
    const notes = [
      captured > 0 && texts.captured(captured),
      again && texts.again,
      swept && texts.swept,
    ].filter((note) => typeof note === 'string');
    const said = name === undefined ? texts.saidYou(pit) : texts.said(name, pit);
    return { move: texts.move(pit), notes: notes.join(', '), said: [said, ...notes].join(', ') };
  },
};
