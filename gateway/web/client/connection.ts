// One connection that outlives its sockets: opens, says hello, keeps alive, waits and tries again.
// It knows frames, not tables.

import { backoff } from './backoff';
import { Calls } from './calls';
import { Emitter } from './emitter';
import { Problem } from './problem';
import { openWebSocket, type OpenSocket, type Socket } from './socket';
import { milliseconds, ServerClock } from './time';
import type { Answer, EventName, Events, OperationName, Operations, ServerFrame, Welcome } from './wire';

/** How a connection is doing. */
export type Status =
  /** A socket is being opened, or hello waits for its answer. */
  | { is: 'connecting'; attempt: number }
  /** Signed in. */
  | { is: 'online'; welcome: Welcome }
  /** No server; the next attempt comes by itself. */
  | { is: 'waiting'; attempt: number; retryAt: number; leaving: boolean }
  /** The server will not have this token; trying again is of no use. */
  | { is: 'refused'; problem: Problem }
  | { is: 'closed' };

/** What a connection tells: its status, and every event by name. */
export type ConnectionEvents = Events & { status: Status };

/** What a connection is made of. */
export interface ConnectionSettings {
  url: string;
  /** Gives the token for each hello; a problem that passes is tried again, others refuse. */
  token: () => Promise<string>;
  open?: OpenSocket;
  random?: () => number;
}

/** Without any frame for this long after a ping, the socket counts as dead. */
const SILENCE_MS = 10_000;
const PING_MS = 20_000;
/** A socket that has not welcomed us by then counts as dead. */
const WELCOME_MS = 10_000;
const HELLO = 'hello';

/** A connection to a gateway. */
export class Connection extends Emitter<ConnectionEvents> {
  readonly clock = new ServerClock();
  readonly #settings: Required<ConnectionSettings>;
  readonly #calls = new Calls();
  #status: Status = { is: 'closed' };
  #socket: Socket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;
  #leaveMs: number | undefined;
  #helloAt = 0;
  #pingMs = PING_MS;

  constructor(settings: ConnectionSettings) {
    super();
    this.#settings = { open: openWebSocket, random: Math.random, ...settings };
  }

  get status(): Status {
    return this.#status;
  }

  /** Connects, unless that is under way; skips a wait. */
  connect(): void {
    if (this.#status.is !== 'online' && this.#status.is !== 'connecting') {
      void this.#open();
    }
  }

  /** Ends the connection; calls that wait are refused. */
  close(): void {
    this.#forget();
    this.#calls.drop(new Problem('CLOSED', 'the connection was closed'));
    this.#become({ is: 'closed' });
  }

  /** Asks the server for something. While there is no server the call waits for one. */
  call<K extends OperationName>(operation: K, fields: Operations[K]): Promise<Answer<K>> {
    const answer = this.#calls.add(operation, fields);
    this.#flush();
    return answer;
  }

  /** Asks for the server's time. Whoever shows clocks asks often: the answer to hello takes a while by itself. */
  async measure(): Promise<void> {
    const asked = Date.now();
    const { value } = await this.call('ping', {});
    this.clock.learn(value.serverTime, asked, Date.now());
  }

  async #open(): Promise<void> {
    this.#forget();
    this.#become({ is: 'connecting', attempt: this.#attempt });
    const begun = this.#status;
    let token: string;
    try {
      token = await this.#settings.token();
    } catch (error) {
      if (this.#status === begun) {
        this.#failed(error instanceof Problem ? error : new Problem('OFFLINE', String(error)));
      }
      return;
    }
    if (this.#status === begun) {
      this.#hello(token);
    }
  }

  #hello(token: string): void {
    const socket = this.#settings.open(this.#settings.url);
    this.#socket = socket;
    this.#after(WELCOME_MS, () => this.#lost());
    socket.onopen = () => {
      this.#helloAt = Date.now();
      socket.send(JSON.stringify({ id: HELLO, hello: { token } }));
    };
    socket.onmessage = ({ data }) => this.#read(data);
    socket.onclose = () => this.#lost();
  }

  #read(data: unknown): void {
    let frame: ServerFrame;
    try {
      frame = JSON.parse(data as string) as ServerFrame;
    } catch {
      return; // Whatever this is, it is no frame; the next one may be.
    }
    const { replyTo } = frame;
    const name = Object.keys(frame).find((key) => key !== 'replyTo') as EventName | undefined;
    if (!name) {
      return;
    }
    const value = frame[name]!;
    if (this.#status.is === 'online') {
      this.#keepAlive();
    } else if (replyTo === HELLO) {
      this.#welcomed(name, value);
    }
    if (name === 'draining') {
      this.#leaveMs = milliseconds((value as Events['draining']).reconnectAfter) ?? 0;
    }
    this.emit(name, value as never);
    if (replyTo !== undefined) {
      this.#calls.settle(replyTo, name, value);
    }
  }

  #welcomed(name: EventName, value: Events[EventName]): void {
    if (name === 'error') {
      this.#failed(Problem.read(value));
      return;
    }
    const welcome = value as Welcome;
    this.clock.renew();
    this.clock.learn(welcome.serverTime, this.#helloAt, Date.now());
    this.#attempt = 0;
    this.#pingMs = milliseconds(welcome.pingInterval) ?? PING_MS;
    this.#keepAlive();
    this.#become({ is: 'online', welcome });
    this.#flush();
  }

  #flush(): void {
    const socket = this.#socket;
    if (socket && this.#status.is === 'online') {
      this.#calls.flush((text) => socket.send(text));
    }
  }

  /** After each sign of life: a ping when it has been still for a while, then an end. */
  #keepAlive(): void {
    this.#after(this.#pingMs, () => {
      this.#after(SILENCE_MS, () => this.#lost());
      this.measure().catch(() => undefined);
    });
  }

  #lost(): void {
    this.#failed(new Problem('OFFLINE', 'the connection was lost'));
  }

  #failed(problem: Problem): void {
    this.#forget();
    this.#calls.lost();
    if (!problem.passes) {
      this.#calls.drop(problem);
      this.#become({ is: 'refused', problem });
      return;
    }
    const { random } = this.#settings;
    const leaving = this.#leaveMs !== undefined;
    // A server that leaves says when to come back; spread over half as long again.
    const wait = leaving ? this.#leaveMs! * (1 + random() / 2) : backoff(this.#attempt, random);
    this.#leaveMs = undefined;
    this.#attempt += 1;
    this.#become({ is: 'waiting', attempt: this.#attempt, retryAt: Date.now() + wait, leaving });
    this.#after(wait, () => void this.#open());
  }

  /** Lets go of the socket and the timer, so that nothing of them is heard any more. */
  #forget(): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  #after(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, ms);
  }

  #become(status: Status): void {
    this.#status = status;
    this.emit('status', status);
  }
}
