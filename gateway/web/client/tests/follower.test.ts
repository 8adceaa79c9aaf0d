import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { canonical } from '../canonical';
import { Client } from '../client';
import type { Follower } from '../follower';
import { sha256OfText } from '../sha256';
import type { GameUpdate, Json, Table } from '../wire';
import { FakeServer } from './fake-socket';

/** Hashes that are being worked out, on a thread of their own that no fake timer knows of. */
const hashing = vi.hoisted(() => new Set<Promise<string>>());

vi.mock('../sha256', async (original) => {
  const real = await original<typeof import('../sha256')>();
  const sha256OfText = (text: string): Promise<string> => {
    const hash = real.sha256OfText(text).finally(() => hashing.delete(hash));
    hashing.add(hash);
    return hash;
  };
  return { ...real, sha256OfText };
});

let server: FakeServer;
let client: Client;
let tables: Table[];
let events: string[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  server = new FakeServer();
  client = new Client({ url: 'ws://x', token: () => Promise.resolve('t'), open: server.open, random: () => 0 });
  client.connect();
  await settled();
  server.socket.welcome();
  tables = [];
  events = [];
});

afterEach(() => {
  client.close();
  vi.useRealTimers();
});

/** Lets everything run that is due, and whatever waits for a hash. */
async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
  while (hashing.size > 0) {
    await Promise.all(hashing);
    await vi.advanceTimersByTimeAsync(0);
  }
}

function table(revision: number, view: Json = { at: revision }): Table {
  return {
    gameId: 'g',
    game: 'kalah',
    variant: 'standard',
    version: 1,
    seats: [
      { seat: 0, name: 'Ada', robot: false, online: true, empty: false },
      { seat: 1, name: 'Ben', robot: false, online: true, empty: false },
    ],
    yourSeat: 0,
    firstSeat: 0,
    revision,
    phase: 'playing',
    toMove: [0],
    view,
    commitment: 'c',
  };
}

async function update(revision: number, given: Partial<GameUpdate> = {}): Promise<GameUpdate> {
  const view = { at: revision };
  return {
    gameId: 'g',
    revision,
    number: revision,
    seat: 0,
    move: { pit: 1 },
    drew: false,
    view,
    toMove: [1],
    viewHash: await sha256OfText(canonical(view)),
    ...given,
  };
}

async function follow(): Promise<Follower> {
  const follower = client.follow('g');
  follower.on('table', (whole) => {
    tables.push(whole);
    events.push(`table ${whole.revision}`);
  });
  follower.on('event', ({ event, table: after }) => {
    tables.push(after);
    events.push(`${event.is} ${after.revision}`);
  });
  await settled();
  return follower;
}

/** Answers the newest `watch`. */
async function answerWatch(answer: Table | number): Promise<void> {
  const { id } = server.socket.asked('watch').at(-1)!;
  server.socket.say(typeof answer === 'number' ? { replyTo: id, ack: { gameId: 'g', revision: answer } } : { replyTo: id, table: answer });
  await settled();
}

const watches = () => server.socket.asked('watch').map(({ watch }) => watch.sinceRevision);

describe('a followed table', () => {
  test('comes whole, then event by event', async () => {
    await follow();
    await answerWatch(table(0));
    server.socket.say({ onGameUpdate: await update(1) });
    server.socket.say({ onSeatTaken: { gameId: 'g', revision: 2, seat: 1, name: 'Cleo', robot: false } });
    server.socket.say({ onGameUpdate: { ...(await update(9)), gameId: 'another' } });
    await settled();
    expect(events).toEqual(['table 0', 'onGameUpdate 1', 'onSeatTaken 2']);
    expect(tables.at(-1)).toMatchObject({ view: { at: 1 }, toMove: [1], revision: 2, seats: [{}, { name: 'Cleo' }] });
    expect(watches()).toEqual([undefined]);
  });

  test('asks for the moves before it came, and lists them without showing them', async () => {
    const follower = await follow();
    const heard = vi.fn();
    follower.on('history', heard);
    await answerWatch(table(2));
    expect(watches()).toEqual([undefined, 0]);
    await answerWatch(2);
    server.socket.say({ onGameUpdate: await update(1) });
    server.socket.say({ onGameUpdate: await update(2) });
    await settled();
    expect(events).toEqual(['table 2']);
    expect(heard).toHaveBeenCalledTimes(2);
    expect(follower.history.moves().map(({ number }) => number)).toEqual([1, 2]);
  });

  test('fills a gap with what is missing, and shows nothing out of order', async () => {
    await follow();
    await answerWatch(table(0));
    server.socket.say({ onGameUpdate: await update(3) });
    server.socket.say({ onGameUpdate: await update(4) });
    await settled();
    expect(watches()).toEqual([undefined, 0]);
    await answerWatch(4);
    for (const revision of [1, 2, 3, 4, 4]) {
      server.socket.say({ onGameUpdate: await update(revision) });
    }
    await settled();
    expect(events).toEqual(['table 0', 'onGameUpdate 1', 'onGameUpdate 2', 'onGameUpdate 3', 'onGameUpdate 4']);
  });

  test('asks after a reconnect from where it was', async () => {
    await follow();
    await answerWatch(table(0));
    server.socket.say({ onGameUpdate: await update(1) });
    await settled();
    server.socket.break();
    await vi.advanceTimersByTimeAsync(10_000);
    server.socket.welcome();
    await settled();
    expect(watches()).toEqual([1]);
    await answerWatch(2);
    server.socket.say({ onGameUpdate: await update(2) });
    await settled();
    expect(events.at(-1)).toBe('onGameUpdate 2');
  });

  test('takes a whole table where too much was missed, but never an older one', async () => {
    await follow();
    await answerWatch(table(0));
    server.socket.break();
    await vi.advanceTimersByTimeAsync(10_000);
    server.socket.welcome();
    await settled();
    await answerWatch(table(300));
    server.socket.say({ onGameStart: { table: table(0) } });
    await settled();
    expect(events).toEqual(['table 0', 'table 300']);
  });

  test('whose view does not match its hash is fetched anew', async () => {
    await follow();
    await answerWatch(table(0));
    server.socket.say({ onGameUpdate: await update(1, { viewHash: 'f'.repeat(64) }) });
    await settled();
    expect(watches()).toEqual([undefined, undefined]);
    await answerWatch(table(1, { at: 'true' }));
    expect(tables.at(-1)!.view).toEqual({ at: 'true' });
  });

  test('ends with the move that ended it, at the same revision', async () => {
    await follow();
    await answerWatch(table(0));
    server.socket.say({ onGameUpdate: await update(1) });
    const outcome = { results: ['won', 'lost'], winner: 0, reason: 'finished', scores: [25, 23] };
    server.socket.say({ onGameEnd: { gameId: 'g', revision: 1, outcome } });
    server.socket.say({ onGameEnd: { gameId: 'g', revision: 1, outcome } });
    await settled();
    expect(events).toEqual(['table 0', 'onGameUpdate 1', 'onGameEnd 1']);
    expect(tables.at(-1)).toMatchObject({ phase: 'over', toMove: [], outcome });
  });

  test('that can not be watched says why, and can be asked for again', async () => {
    const follower = await follow();
    const problem = vi.fn();
    follower.on('problem', problem);
    server.socket.say({ replyTo: server.socket.last.id, error: { code: 'NOT_FOUND', message: 'no such game' } });
    await settled();
    expect(problem).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'NOT_FOUND' }));
    follower.retry();
    await settled();
    await answerWatch(table(0));
    expect(events).toEqual(['table 0']);
  });

  test('that is known already is shown at once, and watched from there', async () => {
    const follower = client.follow('g', table(5));
    follower.on('table', ({ revision }) => events.push(`table ${revision}`));
    await settled();
    expect(events).toEqual(['table 5']);
    expect(watches()).toEqual([0]);
  });

  test('is told nothing more after it was stopped', async () => {
    const follower = await follow();
    await answerWatch(table(0));
    follower.stop();
    server.socket.say({ onGameUpdate: await update(1) });
    await settled();
    expect(events).toEqual(['table 0']);
    expect(server.socket.last).toMatchObject({ unwatch: { gameId: 'g' } });
  });

  test('G3: has the newest clocks, which stand once the game is over', async () => {
    await follow();
    const clock = (running?: number) => ({ remaining: ['60s', '59s'], serverTime: '2026-11-29T12:00:00Z', ...(running !== undefined && { running }) });
    await answerWatch(table(0));
    server.socket.say({ onSeatTaken: { gameId: 'g', revision: 1, seat: 1, name: 'Ben', robot: false, clock: clock(0) } });
    server.socket.say({ onGameUpdate: await update(2, { clock: clock(1) }) });
    await settled();
    expect(tables.slice(1).map((each) => each.clock?.running)).toEqual([0, 1]);
    server.socket.say({ onClock: { gameId: 'g', revision: 3, clock: clock() } });
    server.socket.say({ onGameUpdate: await update(4, { clock: clock(0) }) });
    server.socket.say({ onGameEnd: { gameId: 'g', revision: 4 } });
    await settled();
    expect(tables.slice(3).map((each) => each.clock)).toEqual([clock(), clock(0), clock()]);
  });

  test('G5: notes how many watch', async () => {
    await follow();
    await answerWatch(table(3));
    server.socket.say({ onViewers: { gameId: 'g', viewers: 4 } });
    await settled();
    expect(tables.at(-1)).toMatchObject({ revision: 3, viewers: 4 });
  });

  test('notes who comes and goes', async () => {
    await follow();
    await answerWatch(table(0));
    server.socket.say({ onPresence: { gameId: 'g', seat: 1, online: false } });
    await settled();
    expect(tables.at(-1)).toMatchObject({ revision: 0, seats: [{ online: true }, { online: false }] });
  });
});
