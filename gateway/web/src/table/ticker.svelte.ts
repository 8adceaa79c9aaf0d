// The moment, for whoever shows running clocks. It rests while none runs, and measures the server's clock while
// one does.

import { session } from '../session.svelte';

const TICK_MS = 50;
const MEASURE_EVERY_MS = 10_000;
/** The first measures come close together: any one of them may have been held up. */
const MEASURES_FIRST = 3;

class Ticker {
  /** The server's time, in milliseconds of the epoch. */
  now = $state(session.client.clock.now());

  #users = 0;
  #stop: (() => void) | undefined;

  /** Runs until the answer is called, once for all who want it. */
  run(): () => void {
    this.#users += 1;
    this.#stop ??= this.#start();
    return () => {
      this.#users -= 1;
      if (this.#users === 0) {
        this.#stop?.();
        this.#stop = undefined;
      }
    };
  }

  #start(): () => void {
    const tick = () => (this.now = session.client.clock.now());
    const measure = () => {
      if (session.isOnline && document.visibilityState === 'visible') {
        session.client.measure().then(tick, () => undefined);
      }
    };
    tick();
    for (let k = 0; k < MEASURES_FIRST; k += 1) {
      measure();
    }
    const timers = [setInterval(tick, TICK_MS), setInterval(measure, MEASURE_EVERY_MS)];
    return () => timers.forEach(clearInterval);
  }
}

export const ticker = new Ticker();
