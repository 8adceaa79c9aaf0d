// Kalah as the page knows it.

import type { GamePart } from '../board';
import { t } from '../../texts';
import KalahBoard from './KalahBoard.svelte';
import { pitNamed, type KalahNotes } from './sowing';

const texts = t.games.kalah;

export const kalah: GamePart = {
  name: texts.name,
  about: texts.about,
  keys: texts.keys,
  Board: KalahBoard,
  option: (key) => texts.options[key] ?? key,
  words({ move, annotations }, name) {
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
