import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WAIT_MS } from '../backoff';
import { CALLS_MAX } from '../calls';
import { Connection, type Status } from '../connection';
import { Problem } from '../problem';
import { FakeServer } from './fake-socket';

let server: FakeServer;
let token: () => Promise<string>;
let connection: Connection;
let statuses: Status['is'][];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-29T12:00:00Z') });
  server = new FakeServer();
  token = () => Promise.resolve('secret');
  connection = new Connection({ url: 'ws://x', token: () => token(), open: server.open, random: () => 1 });
  statuses = [];
  connection.on('status', ({ is }) => statuses.push(is));
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

/** Lets promises run, and timers that are due now. */
const settled = () => vi.advanceTimersByTimeAsync(0);

async function online(): Promise<void> {
  connection.connect();
  await settled();
  server.socket.welcome();
}

describe('hello', () => {
  test('comes first, with the token, and the welcome makes the connection online', async () => {
    await online();
    expect(server.socket.sent).toEqual([{ id: 'hello', hello: { token: 'secret' } }]);
    expect(statuses).toEqual(['connecting', 'online']);
  });

  test('that is refused for good is not said again', async () => {
    connection.connect();
    await settled();
    const waiting = connection.call('ping', {});
    server.socket.onopen?.();
    server.socket.say({ replyTo: 'hello', error: { code: 'UNAUTHENTICATED', message: 'the token has expired' } });
    await expect(waiting).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connection.status.is).toBe('refused');
    expect(server.sockets).toHaveLength(1);
  });

  test('that can not be answered now is said again', async () => {
    connection.connect();
    await settled();
    server.socket.onopen?.();
    server.socket.say({ replyTo: 'hello', error: { code: 'UNAVAILABLE', message: 'come back' } });
    expect(connection.status.is).toBe('waiting');
    await vi.advanceTimersByTimeAsync(WAIT_MS.first);
    server.socket.welcome();
    expect(connection.status.is).toBe('online');
  });

  test('waits for a token, and tries again where the token could not be had', async () => {
    token = () => Promise.reject(new Problem('OFFLINE', 'no server'));
    connection.connect();
    await settled();
    expect(connection.status.is).toBe('waiting');
    expect(server.sockets).toHaveLength(0);
    token = () => Promise.resolve('fresh');
    await vi.advanceTimersByTimeAsync(WAIT_MS.first);
    server.socket.welcome();
    expect(server.socket.sent[0]).toMatchObject({ hello: { token: 'fresh' } });
  });

  test('a socket that never welcomes is given up', async () => {
    connection.connect();
    await settled();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.sockets[0]!.isClosed).toBe(true);
    expect(connection.status.is).toBe('waiting');
  });
});

describe('calls', () => {
  test('are answered by their id, in any order', async () => {
    await online();
    const first = connection.call('ping', {});
    const second = connection.call('watch', { gameId: 'g' });
    const [ping, watch] = server.socket.sent.slice(1);
    server.socket.say({ replyTo: watch!.id, ack: { gameId: 'g', revision: 4 } });
    server.socket.say({ replyTo: ping!.id, pong: { serverTime: '2026-11-29T12:00:00Z' } });
    expect(await second).toEqual({ is: 'ack', value: { gameId: 'g', revision: 4 } });
    expect((await first).is).toBe('pong');
  });

  test('that are refused say why', async () => {
    await online();
    const move = connection.call('move', { gameId: 'g', revision: 1, move: { pit: 3 } });
    const error = { code: 'ILLEGAL_MOVE', message: 'the pit is empty', details: { pit: 3 } };
    server.socket.say({ replyTo: server.socket.last.id, error });
    await expect(move).rejects.toMatchObject(error);
  });

  test('made without a connection go out with the next one', async () => {
    const search = connection.call('newGame', { game: 'kalah' });
    await online();
    expect(server.socket.asked('newGame')).toHaveLength(1);
    server.socket.say({ replyTo: server.socket.last.id, searching: { gameId: 'g', joined: false } });
    expect((await search).value.gameId).toBe('g');
  });

  test('that change something are sent again under the same id until they are answered', async () => {
    await online();
    const move = connection.call('move', { gameId: 'g', revision: 1, move: { pit: 3 } });
    const sent = server.socket.last;
    expect(sent.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (let times = 0; times < 2; times += 1) {
      server.socket.break();
      await vi.advanceTimersByTimeAsync(WAIT_MS.most);
      server.socket.welcome();
      expect(server.socket.last).toEqual(sent);
    }
    server.socket.say({ replyTo: sent.id, ack: { gameId: 'g', revision: 2 } });
    expect((await move).value.revision).toBe(2);
    server.socket.break();
    await vi.advanceTimersByTimeAsync(WAIT_MS.most);
    server.socket.welcome();
    expect(server.socket.asked('move')).toHaveLength(0);
  });

  test('that only read are not sent again', async () => {
    await online();
    const read = connection.call('watchOpenGames', {});
    server.socket.break();
    await expect(read).rejects.toMatchObject({ code: 'OFFLINE' });
    await vi.advanceTimersByTimeAsync(WAIT_MS.most);
    server.socket.welcome();
    expect(server.socket.sent).toHaveLength(1);
  });

  test('are refused when too many wait', async () => {
    const waiting = Array.from({ length: CALLS_MAX }, () => connection.call('ping', {}));
    await expect(connection.call('ping', {})).rejects.toMatchObject({ code: 'OFFLINE' });
    connection.close();
    const ends = await Promise.allSettled(waiting);
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
  });
});

describe('a lost connection', () => {
  test('comes back after waits that grow, and at once when asked', async () => {
    await online();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      server.socket.break();
      const { status } = connection;
      waits.push(status.is === 'waiting' ? status.retryAt - Date.now() : -1);
      await vi.advanceTimersByTimeAsync(waits.at(-1)!);
    }
    expect(waits).toEqual([300, 600, 1200, 2400, 4800, 9600, 10_000, 10_000]);
    server.socket.break();
    connection.connect();
    await settled();
    server.socket.welcome();
    expect(connection.status.is).toBe('online');
    server.socket.break();
    expect(connection.status).toMatchObject({ is: 'waiting', attempt: 1 });
  });

  test('never waits less than half, so that a server is not stormed', () => {
    const calm = new Connection({ url: '', token: () => token(), open: server.open, random: () => 0 });
    token = () => Promise.reject(new Problem('OFFLINE', ''));
    calm.connect();
    return settled().then(() => {
      expect(calm.status.is === 'waiting' && calm.status.retryAt - Date.now()).toBe(WAIT_MS.first / 2);
      calm.close();
    });
  });

  test('is noticed when nothing answers a ping', async () => {
    await online();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(server.socket.asked('ping')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(connection.status.is).toBe('online');
    await vi.advanceTimersByTimeAsync(1);
    expect(connection.status.is).toBe('waiting');
  });

  test('is none as long as anything comes', async () => {
    await online();
    const { socket } = server;
    for (let times = 0; times < 5; times += 1) {
      await vi.advanceTimersByTimeAsync(20_000);
      socket.say({ replyTo: socket.last.id, pong: { serverTime: new Date().toISOString() } });
    }
    expect(server.sockets).toHaveLength(1);
  });

  test('that was announced comes back when the server said, not all at once', async () => {
    await online();
    server.socket.say({ draining: { reconnectAfter: '2s' } });
    server.socket.break(1001);
    expect(connection.status).toMatchObject({ is: 'waiting', leaving: true, retryAt: Date.now() + 3_000 });
  });

  test('hears nothing of the old socket any more', async () => {
    await online();
    const old = server.socket;
    const heard = vi.fn();
    connection.on('onPresence', heard);
    old.break();
    await vi.advanceTimersByTimeAsync(WAIT_MS.most);
    server.socket.welcome();
    old.say({ onPresence: { gameId: 'g', seat: 0, online: true } });
    old.break();
    expect(heard).not.toHaveBeenCalled();
    expect(connection.status.is).toBe('online');
  });
});

describe('frames', () => {
  test('that are garbage, empty or of the future hurt nothing', async () => {
    await online();
    const heard = vi.fn();
    connection.on('onPresence', heard);
    server.socket.onmessage?.({ data: 'no json' });
    server.socket.onmessage?.({ data: '{}' });
    server.socket.onmessage?.({ data: '{"onWeather":{"rain":true}}' });
    server.socket.say({ onPresence: { gameId: 'g', seat: 1, online: false } });
    expect(heard).toHaveBeenCalledExactlyOnceWith({ gameId: 'g', seat: 1, online: false });
  });
});

describe('the clock', () => {
  test('knows how far the server is ahead', async () => {
    await online();
    expect(connection.clock.offset).toBe(5_000);
    expect(connection.clock.now()).toBe(Date.now() + 5_000);
  });
});
