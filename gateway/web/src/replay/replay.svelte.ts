// A finished game looked at step by step. It holds the steps as they are fetched, and where the reader is; while
// nobody steps, the table is shown as it ended.

import { SvelteMap } from 'svelte/reactivity';
import { Problem, type GameUpdate, type Json, type Table } from '../../client';
import { gamePart } from '../games';
import type { MovePlayer } from '../games/board';
import { sentence } from '../notices.svelte';
import { session } from '../session.svelte';
import { BLOCK, readTimeline, updateOf, type TimelineStep } from './timeline';

/** How long a step is looked at by itself. */
const LOOK_MS = 1_100;

/** Through whose eyes: a seat's, or everybody's. */
export type Eyes = number | 'all';

/** The replay of one game. */
export class Replay {
  /** The last step; none before the server has told. */
  last: number | undefined = $state();
  /** The step that is shown; none: the table as it ended. */
  at: number | undefined = $state();
  isPlaying = $state(false);
  eyes: Eyes = $state('all');
  failure: string | undefined = $state();
  /** True while how it ended is kept from the reader. */
  isSecret = $state(false);
  /** Shows a move on the board. */
  player: MovePlayer | undefined;
  readonly #gameId: string;
  readonly #steps = new SvelteMap<number, TimelineStep>();
  readonly #blocks = new Map<number, Promise<void>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #goes = 0;
  /** Where the reader wants to be, also while that can't be fetched. */
  #wanted: number | undefined;

  /** A replay that begins at a step keeps the end to itself. */
  constructor(gameId: string, from: number | undefined) {
    this.#gameId = gameId;
    this.isSecret = from !== undefined;
    this.#wanted = from;
  }

  /** Opens it, once the game is known to be over; or once more, after it could not be read. */
  open = async (): Promise<void> => {
    await this.#need(this.#wanted ?? 0);
    if (this.last !== undefined && this.#wanted !== undefined) {
      await this.go(this.#wanted);
    }
  };

  /** The step that is shown. */
  get step(): TimelineStep | undefined {
    return this.at === undefined ? undefined : this.#steps.get(this.at);
  }

  /** The moves up to the step that is shown. */
  get moves(): GameUpdate[] {
    const until = this.at ?? 0;
    return Array.from({ length: until }, (_, k) => this.#steps.get(k + 1)).flatMap((step) => (step ? [updateOf(this.#gameId, step)] : []));
  }

  /** The move that led to this step, with the view before it. */
  get move(): { update: GameUpdate; before: Json | undefined } | undefined {
    const { step } = this;
    return step && step.number > 0 && step.seat !== undefined
      ? { update: updateOf(this.#gameId, step), before: this.#steps.get(step.number - 1)?.view }
      : undefined;
  }

  /** The table as it was at the step that is shown. */
  shown(table: Table): Table {
    const { step, last } = this;
    if (!step) {
      return table;
    }
    const { yourSeat: _mine, outcome, clock: _clock, legalMoves: _moves, ...rest } = table;
    const isLast = step.number === last;
    return {
      ...rest,
      // At the end every hand lies open.
      view: isLast ? step.view : this.#seen(table, step.view),
      toMove: step.toMove,
      phase: isLast ? 'over' : 'playing',
      // Whoever has gone since was there then.
      seats: table.seats.map((seat) => ({ ...seat, online: true })),
      ...(isLast && outcome && { outcome }),
    };
  }

  /** Goes to a step; the next one is shown as a move. */
  async go(to: number, isShown = false): Promise<void> {
    const last = this.last ?? 0;
    const wanted = Math.max(0, Math.min(last, to));
    this.#wanted = wanted;
    this.#goes += 1;
    const go = this.#goes;
    await this.#need(wanted);
    const [before, step] = [this.step, this.#steps.get(wanted)];
    if (go !== this.#goes || !step) {
      return;
    }
    this.failure = undefined;
    if (isShown && before && step.number === before.number + 1 && step.seat !== undefined) {
      await this.player?.play(updateOf(this.#gameId, step), before.view, step.view);
    } else {
      this.player?.finish();
    }
    if (go === this.#goes) {
      this.at = wanted;
      if (wanted === last) {
        this.isSecret = false;
      }
    }
  }

  /** Shows the end. */
  reveal = (): void => {
    this.pause();
    this.isSecret = false;
    void this.go(this.last ?? 0);
  };

  /** Goes on by itself until the end. */
  play = async (): Promise<void> => {
    this.isPlaying = true;
    if (this.at === undefined || this.at === this.last) {
      await this.go(0);
    }
    this.#next();
  };

  pause = (): void => {
    this.isPlaying = false;
    clearTimeout(this.#timer);
  };

  stop(): void {
    this.#goes += 1;
    this.pause();
  }

  #next(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      if (this.isPlaying && this.at !== undefined && this.at < (this.last ?? 0)) {
        await this.go(this.at + 1, true);
      }
      if (this.isPlaying && this.at !== this.last) {
        this.#next();
      } else {
        this.isPlaying = false;
      }
    }, LOOK_MS);
  }

  #seen(table: Table, view: Json): Json {
    return this.eyes === 'all' ? view : (gamePart(table.game)?.seenBy?.(view, this.eyes) ?? view);
  }

  /** Fetches what a step needs: its block, and the step before it. */
  async #need(step: number): Promise<void> {
    await Promise.all([step, Math.max(0, step - 1)].map((one) => this.#fetch(Math.floor(one / BLOCK))));
  }

  #fetch(block: number): Promise<void> {
    const known = this.#blocks.get(block);
    const asked = known ?? this.#ask(block);
    this.#blocks.set(block, asked);
    return asked;
  }

  async #ask(block: number): Promise<void> {
    this.failure = undefined;
    try {
      const text = await session.http.timeline(this.#gameId, block * BLOCK, (block + 1) * BLOCK - 1);
      const timeline = readTimeline(text);
      if (!timeline) {
        throw new Problem('GARBLED', 'the timeline can’t be read');
      }
      this.last = timeline.head.moves;
      timeline.steps.forEach((step) => this.#steps.set(step.number, step));
    } catch (error) {
      this.#blocks.delete(block);
      this.pause();
      this.failure = sentence(error);
    }
  }
}
