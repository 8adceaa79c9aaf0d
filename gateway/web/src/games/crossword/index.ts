// Crossword as the page knows it. The board is fetched when a table wants it.

import { t } from '../../texts';
import type { GamePart } from '../board';
import { wordsRefused } from './notation';
import { toldMove, toldVerdict } from './told';
import { readMove, readView } from './view';

export const crossword: GamePart = {
  get name() {
    return t.games.crossword.name;
  },
  get about() {
    return t.games.crossword.about;
  },
  get howTo() {
    return t.games.crossword.howTo;
  },
  get keys() {
    return t.games.crossword.keys;
  },
  shape: 'square',
  board: async () => (await import('./CrosswordBoard.svelte')).default,
  option: (key) => t.games.crossword.options[key] ?? key,
  isMoot: (key, { words }) => key === 'challenge' && words === 'any',
  words: toldMove,
  tableWords: toldVerdict,
  standing({ view }, seat) {
    const shown = readView(view);
    const { score, tiles } = t.games.crossword;
    const [points, count] = [shown?.scores[seat], shown?.racks[seat]];
    return points === undefined || count === undefined
      ? undefined
      : { score: `${points}`.replace('-', '−'), said: score(points), note: `${count}`, noteSaid: tiles(count) };
  },
  notation: 'gcg',
  seenBy(view, seat) {
    const hands = readView(view)?.hands;
    return hands ? { ...(view as object), hands: hands.map((hand, other) => (other === seat ? hand : '')) } : view;
  },
  refusal(problem) {
    const words = wordsRefused(problem.message);
    return words.length > 0 ? t.games.crossword.refused(words.join(', ')) : undefined;
  },
  // A play can be taken back only where nothing is drawn for it, sooner or later.
  mayUndo: ({ move, view }) => !readMove(move).play || readView(view)?.bag === 0,
};
