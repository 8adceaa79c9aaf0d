// Calls that wait for their answer. It knows which to send again on a new socket, not when.

import { Problem } from './problem';
import { uuid } from './uuid';
import { CHANGES, type Answer, type EventName, type Events, type OperationName, type Operations } from './wire';

/** How many calls may wait; above that a call is refused at once. */
export const CALLS_MAX = 64;

interface Call {
  readonly id: string;
  readonly operation: OperationName;
  readonly text: string;
  sent: boolean;
  resolve(answer: { is: EventName; value: Events[EventName] }): void;
  reject(problem: Problem): void;
}

/** The calls under way, in the order in which they were made. */
export class Calls {
  readonly #calls = new Map<string, Call>();
  #reads = 0;

  /** Takes a call in; the text of its frame goes out with the next `flush`. */
  add<K extends OperationName>(operation: K, fields: Operations[K]): Promise<Answer<K>> {
    if (this.#calls.size >= CALLS_MAX) {
      return Promise.reject(new Problem('OFFLINE', 'too many calls wait for the server'));
    }
    // The id of a change is its idempotency key; a read's only has to be its own on this socket.
    const id = CHANGES.has(operation) ? uuid() : `${(this.#reads += 1)}`;
    const text = JSON.stringify({ id, [operation]: fields });
    return new Promise((resolve, reject) => {
      this.#calls.set(id, {
        id,
        operation,
        text,
        sent: false,
        resolve: resolve as Call['resolve'],
        reject,
      });
    });
  }

  /** Sends what was not sent on this socket yet. */
  flush(send: (text: string) => void): void {
    for (const call of this.#calls.values()) {
      if (!call.sent) {
        call.sent = true;
        send(call.text);
      }
    }
  }

  /** Settles the call that a frame answers. */
  settle(id: string, is: EventName, value: Events[EventName]): void {
    const call = this.#calls.get(id);
    if (!call) {
      return;
    }
    this.#calls.delete(id);
    if (is === 'error') {
      call.reject(Problem.read(value));
    } else {
      call.resolve({ is, value });
    }
  }

  /**
   * The socket is gone. A change may have been applied or not: it is sent again under the same id,
   * and the server answers as it did the first time. A read is asked again by whoever wants it.
   */
  lost(): void {
    for (const call of [...this.#calls.values()]) {
      if (!call.sent) {
        continue;
      }
      call.sent = false;
      if (!CHANGES.has(call.operation)) {
        this.#calls.delete(call.id);
        call.reject(new Problem('OFFLINE', `the connection was lost before the answer to ${call.operation} came`));
      }
    }
  }

  /** Refuses everything that waits. */
  drop(problem: Problem): void {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    calls.forEach((call) => call.reject(problem));
  }
}
