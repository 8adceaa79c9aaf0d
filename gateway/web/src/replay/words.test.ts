import { expect, test } from 'vitest';
import type { GameUpdate, Json, Table } from '../../client';
import { stepLine } from './words';

const seats = ['Ada', 'Ben', 'Cleo'].map((name, seat) => ({ seat, name, robot: false, online: true, empty: false }));
const table = { game: 'crossword', seats, phase: 'playing' } as unknown as Table;
const step = (move: Json, given: Partial<GameUpdate> = {}) => ({ move, annotations: {}, ...given }) as unknown as GameUpdate;

test.each([
  ['nothing yet', [], 'The beginning'],
  ['a move', [step({ pass: true }, { seat: 1 })], '\u2068Ben\u2069 passed'],
  ['a verdict', [step({ pass: true }, { seat: 1 }), step({ verdict: true })], 'The words are good, the challenger loses the turn'],
  ['somebody who gave up while the others play on', [step({ resigned: 2 })], '\u2068Cleo\u2069 resigns'],
  ['what this page has no words for', [step({ weather: 'rain' })], 'The table did this by itself'],
])('P4: the line below a step tells %s', (_, moves, line) => {
  expect(stepLine({ moves }, table)).toBe(line);
});
