import { expect, test } from 'vitest';
import type { GameUpdate, Json } from '../../../client';
import { toldMove, toldVerdict } from './told';
import { readView } from './view';

const made = (move: Json, annotations: object = {}) => ({ move, annotations, seat: 0 }) as unknown as GameUpdate;

test('a play is told with its words and points, and the tiles drawn to whoever drew them', () => {
  const words = [{ word: 'JEToN', score: 24 }, { word: 'AT', score: 2 }];
  const notes = { words, bonus: 50, points: [76, 0], drew: [7, 0], tiles: 'ABC' };
  const own = toldMove(made({ play: { at: '8D', tiles: 'JEToN' } }, notes), undefined);
  expect(own).toMatchObject({ move: '8D JEToN', notes: '+76 · AT 2, whole rack +50' });
  expect(own.said).toBe('You played JEToN, AT for 76 points. You drew ABC');
  const other = toldMove(made({ play: { at: '8D', tiles: 'JEToN' } }, notes), 'Ben');
  expect(other.said).toBe('\u2068Ben\u2069 played JEToN, AT for 76 points');
});

test('an exchange is told with tiles to whoever made it, with their number to all others', () => {
  expect(toldMove(made({ exchange: 'QU?' }, { tiles: 'XYZ' }), undefined)).toMatchObject({
    move: 'exchanges QU?',
    said: 'You exchanged 3 tiles. You drew XYZ',
  });
  expect(toldMove(made({ exchange: 1 }), 'Ben').said).toBe('\u2068Ben\u2069 exchanged 1 tile');
});

test('passes, challenges and verdicts are told', () => {
  expect(toldMove(made({ pass: true }), 'Ben').said).toBe('\u2068Ben\u2069 passed');
  expect(toldMove(made({ challenge: true }), undefined).said).toBe('You challenged the play');
  expect(toldVerdict(made({ verdict: true }))?.said).toContain('good');
  const bad = toldVerdict(made({ verdict: false }, { words: [{ word: 'QZX', score: 30 }], points: [-30, 0] }));
  expect(bad).toMatchObject({ notes: 'QZX −30', said: 'Not in the dictionary, the tiles go back: QZX' });
  expect(toldVerdict(made({ time: 1 }))).toBeUndefined();
});

test('only a whole view is read', () => {
  const board = Array<string>(15).fill('.'.repeat(15));
  const view = { board, racks: [7, 7], scores: [0, 0], bag: 86 };
  expect(readView(view)?.board).toHaveLength(225);
  expect(readView(view)?.rack).toBeUndefined();
  for (const broken of [undefined, null, {}, { ...view, board: board.slice(1) }, { ...view, board: [...board.slice(1), '.'] }, { board }]) {
    expect(readView(broken)).toBeUndefined();
  }
});
