// Typed listeners. A listener that throws hurts no other one.

/** Takes a listener away again. */
export type Stop = () => void;

/** Calls listeners by the name of an event. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => void>>();

  /** Adds a listener; the answer takes it away. */
  on<K extends keyof Events>(name: K, listener: (value: Events[K]) => void): Stop {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  protected emit<K extends keyof Events>(name: K, value: Events[K]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      try {
        (listener as (value: Events[K]) => void)(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
