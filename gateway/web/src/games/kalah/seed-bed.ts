// The seeds as things: each is an element of its own that stays itself wherever it lies. Moves are
// handed to the browser's animation engine whole, so that no script runs between two frames.

import { hollows, seedRadius, spots, type Hollow, type Point, type Shape } from './layout';
import { isStore, PLACES, type Sowing, type Transfer } from './sowing';

/** The pace of a hand, in milliseconds. */
const LIFT_MS = 130;
const STEP_MS = 165;
const DROP_MS = 130;
const WALK_MS_MAX = 1_900;
const SETTLE_MS = 150;
const PAUSE_MS = 220;
const GATHER_MS = 340;
const GATHER_GAP_MS = 28;
const GLIDE_MS = 260;

interface Seed {
  element: HTMLElement;
  place: number;
  at: Point;
  lean: Point;
}

/** How the bed tells of the seeds in a place. */
export type Counted = (place: number, seeds: number) => void;

/** All seeds of a board, in one layer above its hollows. */
export class SeedBed {
  readonly #layer: HTMLElement;
  readonly #counted: Counted;
  #seeds: Seed[] = [];
  #places: Seed[][] = Array.from({ length: PLACES }, () => []);
  #hollows: Hollow[];
  #radius: number;
  #running = new Set<Animation>();
  #lifted: Animation[] = [];
  #hurry = false;
  /** Counts what was begun, so that a move that was overtaken touches nothing any more. */
  #turn = 0;

  constructor(layer: HTMLElement, shape: Shape, bottomSeat: number, counted: Counted) {
    this.#layer = layer;
    this.#counted = counted;
    this.#hollows = hollows(shape, bottomSeat);
    this.#radius = seedRadius(shape);
  }

  /** Lays all seeds out anew after the board took another shape. */
  reshape(shape: Shape, bottomSeat: number): void {
    this.finish();
    this.#hollows = hollows(shape, bottomSeat);
    this.#radius = seedRadius(shape);
    this.#places.forEach((_, place) => this.#settle(place, 0));
  }

  /** Makes the board show these numbers; seeds that are there already move no more than they must. */
  show(wanted: number[], glide = false): void {
    this.finish();
    this.#turn += 1;
    this.#hurry = false;
    this.#places = wanted.map((_, place) => this.#seeds.filter((seed) => seed.place === place));
    const spare = wanted.flatMap((seeds, place) => this.#places[place]!.splice(seeds));
    wanted.forEach((seeds, place) => {
      while (this.#places[place]!.length < seeds) {
        const seed = spare.pop() ?? this.#create();
        seed.place = place;
        this.#places[place]!.push(seed);
      }
    });
    spare.forEach((seed) => seed.element.remove());
    this.#seeds = this.#places.flat();
    this.#places.forEach((_, place) => {
      this.#settle(place, glide ? GLIDE_MS : 0);
      this.#tell(place);
    });
  }

  /** Raises the seeds of a pit a little, as a hand that has taken hold of them. */
  lift(place: number): void {
    this.drop();
    this.#lifted = this.#places[place]!.map(({ element, at }) =>
      element.animate([this.#put(at, 1), this.#put(this.#held(at), 1.1)], { duration: LIFT_MS, fill: 'forwards' }),
    );
  }

  /** Lets go of lifted seeds. */
  drop(): void {
    this.#lifted.splice(0).forEach((animation) => animation.cancel());
  }

  /** Plays one move to its end. */
  async sow({ from, falls, captures, sweeps }: Sowing): Promise<void> {
    this.finish();
    this.#turn += 1;
    this.#hurry = false;
    const turn = this.#turn;
    const walk = this.#walk(from, falls);
    this.drop();
    await walk;
    for (const transfers of [captures, sweeps]) {
      if (transfers.length > 0 && turn === this.#turn) {
        await this.#pause();
        await Promise.all(transfers.map((transfer) => this.#gather(transfer)));
      }
    }
  }

  /** Ends what is under way at once. */
  finish(): void {
    this.#hurry = true;
    this.#running.forEach((animation) => animation.finish());
    this.#running.clear();
  }

  /** A hand takes all seeds of a pit and lets one fall in each place on its way. */
  async #walk(from: number, falls: number[]): Promise<void> {
    const turn = this.#turn;
    const isLifted = this.#lifted.length > 0;
    const hand = this.#places[from]!.splice(0);
    this.#tell(from);
    const step = Math.min(STEP_MS, WALK_MS_MAX / Math.max(1, falls.length));
    const over = [from, ...falls].map((place) => this.#hollows[place]!);
    const grip = spots(Math.min(hand.length, 12), { x: 0, y: 0, rx: this.#radius * 4, ry: this.#radius * 4 }, this.#radius * 0.9, false);
    await Promise.all(
      falls.map(async (place, k) => {
        const seed = hand[k];
        if (!seed) {
          return;
        }
        const held = grip[k % grip.length] ?? { x: 0, y: 0 };
        const total = LIFT_MS + (k + 1) * step + DROP_MS;
        const passing = over.slice(0, k + 2).map(({ x, y }, stop) => ({
          ...this.#put({ x: x + held.x, y: y + held.y - this.#radius * 1.4 }, 1.16),
          offset: (LIFT_MS + stop * step) / total,
          easing: 'ease-in-out',
        }));
        const begin = isLifted ? this.#put(this.#held(seed.at), 1.1) : this.#rest(seed);
        const target = this.#places[place]!;
        // The seed's own spot among those that will lie there when it falls.
        const before = falls.slice(0, k).filter((other) => other === place).length;
        const lying = target.length + before + 1;
        seed.place = place;
        seed.at = this.#spot(place, lying - 1, lying, seed);
        seed.element.style.zIndex = '3';
        await this.#animate(seed, [{ ...begin, offset: 0 }, ...passing, { ...this.#rest(seed), offset: 1 }], { duration: total });
        seed.element.style.zIndex = '';
        if (turn !== this.#turn) {
          return;
        }
        target.push(seed);
        this.#settle(place, SETTLE_MS);
        this.#tell(place);
      }),
    );
  }

  /** Seeds of a place go to a store, one close behind the other. */
  async #gather({ from, to }: Transfer): Promise<void> {
    const moving = this.#places[from]!.splice(0);
    this.#tell(from);
    await Promise.all(
      moving.map(async (seed, k) => {
        const store = this.#places[to]!;
        const begin = this.#rest(seed);
        store.push(seed);
        seed.place = to;
        seed.at = this.#spot(to, store.length - 1, store.length, seed);
        seed.element.style.zIndex = '3';
        const peak = { x: (this.#hollows[from]!.x + seed.at.x) / 2, y: (this.#hollows[from]!.y + seed.at.y) / 2 - 2 };
        await this.#animate(seed, [begin, this.#put(peak, 1.2), this.#rest(seed)], {
          duration: GATHER_MS,
          delay: k * GATHER_GAP_MS,
          fill: 'backwards',
          easing: 'ease-in-out',
        });
        seed.element.style.zIndex = '';
      }),
    );
    this.#tell(to);
  }

  async #pause(): Promise<void> {
    const any = this.#seeds[0];
    if (any && !this.#hurry) {
      await this.#animate(any, [this.#rest(any), this.#rest(any)], { duration: PAUSE_MS });
    }
  }

  /** Moves the seeds of a place to where so many of them lie. */
  #settle(place: number, ms: number): void {
    const seeds = this.#places[place]!;
    seeds.forEach((seed, k) => {
      const before = seed.element.style.transform ? this.#rest(seed) : undefined;
      seed.at = this.#spot(place, k, seeds.length, seed);
      const after = this.#rest(seed);
      seed.element.style.transform = after.transform;
      if (ms > 0 && !this.#hurry && before && before.transform !== after.transform) {
        void this.#animate(seed, [before, after], { duration: ms, easing: 'ease-out' });
      }
    });
  }

  #spot(place: number, k: number, lying: number, seed: Seed): Point {
    const hollow = this.#hollows[place]!;
    const spot = spots(lying, hollow, this.#radius, isStore(place))[k]!;
    return { x: hollow.x + spot.x + seed.lean.x * this.#radius, y: hollow.y + spot.y + seed.lean.y * this.#radius };
  }

  #held({ x, y }: Point): Point {
    return { x, y: y - this.#radius * 0.6 };
  }

  #rest(seed: Seed): { transform: string } {
    return this.#put(seed.at, 1);
  }

  #put({ x, y }: Point, scale: number): { transform: string } {
    return { transform: `translate(${x.toFixed(2)}cqw, ${y.toFixed(2)}cqw) scale(${scale})` };
  }

  async #animate(seed: Seed, frames: Keyframe[], timing: KeyframeAnimationOptions): Promise<void> {
    seed.element.style.transform = this.#rest(seed).transform;
    if (this.#hurry) {
      return;
    }
    const animation = seed.element.animate(frames, timing);
    this.#running.add(animation);
    await animation.finished.catch(() => undefined);
    this.#running.delete(animation);
  }

  #tell(place: number): void {
    this.#counted(place, this.#places[place]!.length);
  }

  /** A seed of its own look: none is quite like another, and each is the same at every visit. */
  #create(): Seed {
    const k = this.#layer.childElementCount;
    const chance = (salt: number) => (((k + 1) * salt * 2654435761) % 4294967296) / 4294967296;
    const element = document.createElement('i');
    element.className = `seed tone-${Math.floor(chance(7) * 4)}`;
    this.#layer.append(element);
    return {
      element,
      place: 0,
      at: { x: 0, y: 0 },
      lean: { x: (chance(5) - 0.5) * 0.16, y: (chance(11) - 0.5) * 0.16 },
    };
  }
}
