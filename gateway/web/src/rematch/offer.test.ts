import { describe, expect, test } from 'vitest';
import type { Table } from '../../client';
import { after, askedOf, isNextOf, mayAsk, type Heard, type Offer } from './offer';

const until = '2026-11-30T12:01:00Z';
const table = (rematch?: string, rematchUntil?: string): Heard => ({
  is: 'table',
  table: { phase: 'over', ...(rematch && { rematch }), ...(rematchUntil && { rematchUntil }) },
});
const request: Heard = { is: 'request', fromSeat: 1, isMine: false, until };
const mine: Heard = { ...request, fromSeat: 0, isMine: true };
const ended = (reason: string): Heard => ({ is: 'ended', reason });

const waiting: Offer = { is: 'waiting', until };
const requested: Offer = { is: 'requested', fromSeat: 1, until };
const none: Offer = { is: 'none' };
const available: Offer = { is: 'available', until: undefined };

describe('W1: an offer', () => {
  test.each<[string, Heard[], Offer]>([
    ['is there after a game that allows it', [table('available')], available],
    ['is not there after one that was left', [table()], none],
    ['waits once we have asked', [table('available'), { is: 'asked', until }], waiting],
    ['waits in our other tab too', [table('available'), mine], waiting],
    ['waits after a reload', [table('waiting', until)], waiting],
    ['is ours to answer', [table('available'), request], requested],
    ['is ours to answer after a reload, whichever is told first', [request, table('requested', until)], requested],
    ['keeps its deadline when the table has none', [request, table('requested')], requested],
    ['says who asked: we did', [{ is: 'asked', until }, ended('declined')], { is: 'ended', reason: 'declined', asker: 'me' }],
    ['says who asked: they did', [request, ended('expired')], { is: 'ended', reason: 'expired', asker: 'other' }],
    ['says who asked: nobody did', [table('available'), ended('closed')], { is: 'ended', reason: 'closed', asker: undefined }],
    ['says who asked: we did, and were told at once', [table('available'), { ...ended('offline'), weAsk: true } as Heard], { is: 'ended', reason: 'offline', asker: 'me' }],
    ['closes for a reason that it has never heard of', [request, ended('eaten')], { is: 'ended', reason: 'closed', asker: 'other' }],
    ['keeps its reason when the table comes again', [request, ended('expired'), table('available')], { is: 'ended', reason: 'expired', asker: 'other' }],
    ['keeps its reason when it is gone', [request, ended('declined'), table()], { is: 'ended', reason: 'declined', asker: 'other' }],
    ['may be made again after it ran out', [request, ended('expired'), request], requested],
    ['is free again if its end was missed', [{ is: 'asked', until }, table('available')], available],
    ['closes when its time is up', [table('available'), { is: 'timeUp' }], { is: 'ended', reason: 'closed', asker: undefined }],
    ['waits for the server to end what stands', [request, { is: 'timeUp' }], requested],
    ['is none while a game goes on', [request, { is: 'table', table: { phase: 'playing' } }], none],
  ])('%s', (_, heard, expected) => {
    expect(heard.reduce(after, none)).toEqual(expected);
  });

  test.each([
    ['withdrawn', true],
    ['expired', true],
    ['offline', true],
    ['declined', false],
    ['left', false],
    ['closed', false],
  ])('R1: after %s it may be made again: %s', (reason, may) => {
    expect(mayAsk([request, ended(reason)].reduce(after, none))).toBe(may);
  });
});

const seats = ['Ada', 'Ben'].map((name, seat) => ({ seat, name, robot: false, online: true, empty: false }));
const game = (gameId: string) => ({ gameId, firstSeat: 0, reason: 'finished', winner: 0, scores: [30, 18] });
const over = { gameId: 'g1', phase: 'over', yourSeat: 0, seats, series: { id: 's', games: [game('g1')] } } as unknown as Table;
const next = { ...over, gameId: 'g2', phase: 'playing' } as Table;

describe('W1: a page follows', () => {
  test('the game of the same series alone, and only from an ended one', () => {
    expect(isNextOf(over, waiting, next)).toBe(true);
    // In a tab where nothing was asked, too.
    expect(isNextOf(over, available, next)).toBe(true);
    expect(isNextOf(over, waiting, { ...next, series: { id: 'other', games: [] } })).toBe(false);
    expect(isNextOf({ ...over, phase: 'playing' }, waiting, next)).toBe(false);
    expect(isNextOf({ ...over, series: { id: '', games: [] } }, waiting, { ...next, series: { id: '', games: [] } })).toBe(false);
    expect(isNextOf(over, waiting, over)).toBe(false);
    const third = { ...next, gameId: 'g3', series: { id: 's', games: [game('g1'), game('g2')] } };
    expect(isNextOf(over, available, third)).toBe(false);
    expect(isNextOf(undefined, waiting, next)).toBe(false);
    const { yourSeat: _, ...watched } = over;
    expect(isNextOf(watched as Table, waiting, next)).toBe(false);
  });

  test('R11: a new match of the same seats, if it is awaited', () => {
    const match = { bestOf: 3 };
    const decided = { ...over, match };
    const fresh = { ...next, match, series: { id: 'new', games: [] } };
    expect(isNextOf(decided, waiting, fresh)).toBe(true);
    expect(isNextOf(decided, requested, fresh)).toBe(true);
    expect(isNextOf(decided, available, fresh)).toBe(false);
    expect(isNextOf(decided, waiting, { ...fresh, match: { bestOf: 5 } })).toBe(false);
    expect(isNextOf(decided, waiting, { ...fresh, seats: [seats[0]!, { ...seats[1]!, name: 'Cleo' }] })).toBe(false);
    expect(isNextOf(over, waiting, { ...fresh, series: { id: 'new', games: [] } })).toBe(false);
  });
});

test('R12: after a rematch that was called off, the game before it is meant', () => {
  const aborted = { results: [], reason: 'aborted', scores: [] };
  expect(askedOf({ gameId: 'g2', outcome: aborted, series: { id: 's', games: [game('g1')] } })).toBe('g1');
  expect(askedOf({ gameId: 'g1', outcome: aborted, series: { id: 's', games: [] } })).toBe('g1');
  expect(askedOf({ gameId: 'g2', outcome: { ...aborted, reason: 'time' }, series: { id: 's', games: [game('g1'), game('g2')] } })).toBe('g2');
});
