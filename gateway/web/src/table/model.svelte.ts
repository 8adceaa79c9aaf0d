// A table as the page shows it: a step behind what is known while a move is being shown.

import { Problem, type Follower, type GameUpdate, type Json, type Made, type Table, type TableEvent } from '../../client';
import type { MovePlayer } from '../games/board';
import { keepSeal } from '../proof/seals';
import { notices, sentence } from '../notices.svelte';
import { session } from '../session.svelte';

interface Step {
  event: TableEvent | undefined;
  table: Table;
}

/** More steps than these are not shown one by one: the reader was away. A robot on a run makes fewer. */
const STEPS_MAX = 12;

/** So often a seat may take back its move of one number. */
const UNDOS_MAX = 3;

/** What a table page holds. */
export class TableModel {
  /** What the board shows. */
  shown: Table | undefined = $state.raw();
  /** The newest that is known. */
  latest: Table | undefined = $state.raw();
  /** The moves that are shown, those that were taken back too. */
  made: Made[] = $state.raw([]);
  /** Of these the ones that stand, by number. */
  readonly moves: GameUpdate[] = $derived(this.made.flatMap(({ update, takenBack }) => (takenBack ? [] : [update])));
  problem: Problem | undefined = $state.raw();
  /** A move of ours that waits for its answer. */
  pending: Json | undefined = $state.raw();
  /** True while a move is being shown. */
  isPlaying = $state(false);
  /** Holds moves back, as while the draw is shown. */
  #held = $state(false);
  /** Says why a move of ours was refused. */
  refused: (error: unknown) => void = notices.refuse;
  readonly #follower: Follower;
  readonly #steps: Step[] = [];
  #settlesAt = 0;
  #player: MovePlayer | undefined;
  #told: (event: TableEvent, before: Table | undefined, table: Table) => void;

  constructor(
    readonly gameId: string,
    told: (event: TableEvent, before: Table | undefined, table: Table) => void,
  ) {
    this.#told = told;
    const known = session.tables.get(gameId);
    this.#follower = session.client.follow(gameId, known);
    this.#follower.on('table', (table) => {
      this.problem = undefined;
      this.#push({ event: undefined, table });
    });
    this.#follower.on('event', (step) => this.#push(step));
    this.#follower.on('history', () => this.#list());
    this.#follower.on('problem', (problem) => (this.problem = problem));
    if (known) {
      this.shown = this.latest = known;
    }
  }

  /** The last move that is shown, with the view before it. */
  get last(): { update: GameUpdate; before: Json | undefined } | undefined {
    const update = this.moves.at(-1);
    if (!update || update.seat === undefined) {
      return undefined;
    }
    const previous = this.moves.at(-2);
    return { update, before: previous ? previous.view : this.#opening };
  }

  /** Whether a move may be chosen: it is our turn, and the board shows how things stand. */
  get mayMove(): boolean {
    const { shown, latest } = this;
    return (
      !!shown &&
      shown === latest &&
      shown.yourSeat !== undefined &&
      shown.toMove.includes(shown.yourSeat) &&
      shown.phase !== 'over' &&
      this.pending === undefined &&
      !this.isPlaying
    );
  }

  /** Whether the last move is ours to take back, as far as the server would let us. */
  get mayUndo(): boolean {
    const { shown, last, pending } = this;
    const { update } = last ?? {};
    return (
      !!shown &&
      !!update &&
      shown === this.latest &&
      shown.phase !== 'over' &&
      shown.yourSeat !== undefined &&
      shown.yourSeat === update.seat &&
      !update.drew &&
      !this.isPlaying &&
      pending === undefined &&
      this.#follower.history.undos(update.number, shown.yourSeat) < UNDOS_MAX
    );
  }

  get held(): boolean {
    return this.#held;
  }

  set held(held: boolean) {
    this.#held = held;
    if (!held) {
      void this.#run();
    }
  }

  /** The board gives or takes away who shows its moves. */
  register = (player: MovePlayer | undefined): void => {
    this.#player = player;
  };

  /** Sends a move. */
  move = (move: Json): void => {
    const { latest } = this;
    if (!latest || this.pending !== undefined) {
      return;
    }
    this.pending = move;
    this.#settlesAt = Number.POSITIVE_INFINITY;
    session.client.call('move', { gameId: this.gameId, revision: latest.revision, move }).then(
      ({ value }) => this.#settle(value.revision ?? 0),
      (error: unknown) => {
        this.refused(error);
        this.#settle(0);
      },
    );
  };

  /** The answer comes before the news of the move itself; until then the move stays under way. */
  #settle(revision: number): void {
    this.#settlesAt = revision;
    if ((this.latest?.revision ?? 0) >= revision) {
      this.pending = undefined;
    }
  }

  /** Asks for something that needs no more than the game's id. */
  async act(operation: 'resign' | 'leaveGame' | 'abortGame' | 'cancelSearch'): Promise<boolean> {
    try {
      await session.client.call(operation, { gameId: this.gameId });
      return true;
    } catch (error) {
      notices.show(sentence(error));
      return false;
    }
  }

  /** Takes the last move back. */
  undo = (): void => {
    const revision = this.latest?.revision ?? 0;
    session.client.call('undo', { gameId: this.gameId, revision }).catch(notices.refuse);
  };

  /** Shows at once what is being shown. */
  finish = (): void => this.#player?.finish();

  retry = (): void => {
    this.problem = undefined;
    this.#follower.retry();
  };

  stop(): void {
    this.#steps.length = 0;
    this.#follower.stop();
  }

  /** The view before the first move, where it was seen. */
  get #opening(): Json | undefined {
    return this.#first;
  }

  #first: Json | undefined;

  #push(step: Step): void {
    const { table } = step;
    this.latest = table;
    if (table.revision >= this.#settlesAt) {
      this.pending = undefined;
    }
    keepSeal(table);
    if (table.revision === 0) {
      this.#first = table.view;
    }
    this.#steps.push(step);
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.isPlaying) {
      return;
    }
    this.isPlaying = true;
    for (;;) {
      const step = this.#steps[0];
      if (!step || (this.#held && step.event?.is === 'onGameUpdate')) {
        break;
      }
      this.#steps.shift();
      await this.#show(step);
    }
    this.isPlaying = false;
  }

  async #show({ event, table }: Step): Promise<void> {
    const before = this.shown;
    if (event?.is === 'onGameUpdate' && before) {
      const isWorthShowing = this.#player && this.#steps.length < STEPS_MAX && document.visibilityState === 'visible';
      if (event.value.number === 1 && !this.moves.length) {
        this.#first = before.view;
      }
      this.#list(table.revision);
      if (isWorthShowing) {
        await this.#player?.play(event.value, before.view, table.view);
      }
    }
    this.shown = table;
    this.#list();
    if (event) {
      this.#told(event, before, table);
    }
  }

  #list(upTo = this.shown?.revision ?? 0): void {
    this.made = this.#follower.history.made(upTo);
  }
}
