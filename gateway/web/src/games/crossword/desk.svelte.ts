// What the reader does with their tiles before anything is sent: which lie on the board, which are chosen, where
// the next letter goes. It knows no server and no page.

import { backwards, led, onwards } from './cursor';
import type { Edition } from './edition';
import { look, type Put } from './laying';
import { CENTRE, crossing, type Start } from './place';
import { moved, reconciled, shuffled, type Tile } from './rack';
import { EMPTY, type CrosswordView } from './view';

/** A tile on a square that is not played yet. */
export interface Laid {
  tile: Tile;
  square: number;
  /** The capital that it stands for. */
  letter: string;
}

/** What became of a letter that was typed. */
export type Typed = 'laid' | 'missing' | 'full';

/** The reader's side of the table. */
export class Desk {
  board: readonly string[] = $state.raw([]);
  /** All own tiles, in the reader's order. */
  tiles: readonly Tile[] = $state.raw([]);
  laid: readonly Laid[] = $state.raw([]);
  /** The tile that the next press on a square lays. */
  chosen: number | undefined = $state();
  cursor: Start = $state.raw({ square: CENTRE, direction: 'across' });
  /** A blank that waits for its letter. */
  picking: { tile: Tile; square: number } | undefined = $state.raw();
  /** The tiles that are to be exchanged, while they are being chosen. */
  exchanging: ReadonlySet<number> | undefined = $state.raw();

  readonly edition: Edition = $derived.by(() => this.given());
  readonly onRack = $derived(this.tiles.filter(({ id }) => !this.laid.some(({ tile }) => tile.id === id)));
  readonly bySquare: ReadonlyMap<number, Laid> = $derived(new Map(this.laid.map((laid) => [laid.square, laid])));
  readonly puts: Put[] = $derived(this.laid.map((laid) => ({ square: laid.square, character: this.characterOf(laid) })));
  readonly laying = $derived(look(this.board, this.puts, this.edition));

  constructor(private readonly given: () => Edition) {}

  /** How a laid tile is written. */
  characterOf({ tile, letter }: Laid): string {
    return tile.face === '?' ? this.edition.smalls.get(letter)! : letter;
  }

  /** Takes over what the server shows; tiles whose square was filled meanwhile go back. */
  take({ board, rack = '' }: CrosswordView): void {
    this.board = board;
    this.laid = this.laid.filter(({ square }) => board[square] === EMPTY);
    this.tiles = reconciled(this.tiles, rack);
    const isHeld = (id: number) => this.tiles.some((tile) => tile.id === id);
    this.laid = this.laid.filter(({ tile }) => isHeld(tile.id));
    this.chosen = this.chosen !== undefined && isHeld(this.chosen) ? this.chosen : undefined;
    if (this.picking && (!isHeld(this.picking.tile.id) || board[this.picking.square] !== EMPTY)) {
      this.picking = undefined;
    }
    this.exchanging &&= new Set([...this.exchanging].filter(isHeld));
  }

  /** Whether nothing can be laid on a square. */
  isFilled = (square: number): boolean => this.board[square] !== EMPTY || this.bySquare.has(square);

  /** Lays a tile, or moves it; what lay there goes where it came from. A blank asks for its letter. */
  put(id: number, square: number): void {
    const tile = this.tiles.find((one) => one.id === id);
    if (!tile || this.board[square] !== EMPTY || this.exchanging) {
      return;
    }
    const before = this.laid.find((laid) => laid.tile.id === id);
    this.chosen = undefined;
    if (tile.face === '?' && !before) {
      this.picking = { tile, square };
      return;
    }
    this.#lay({ tile, square, letter: before?.letter ?? tile.face }, before?.square);
  }

  /** Gives the blank that waits for it its letter. */
  pick(letter: string): void {
    if (this.picking) {
      this.#lay({ ...this.picking, letter });
      this.picking = undefined;
    }
  }

  #lay(laid: Laid, from?: number): void {
    const others = this.laid.filter(({ tile }) => tile.id !== laid.tile.id);
    const there = others.find(({ square }) => square === laid.square);
    const rest = others.filter((other) => other !== there);
    const swapped = there && from !== undefined ? [{ ...there, square: from }] : [];
    this.laid = [...rest, ...swapped, laid];
  }

  /** Takes one tile back. */
  back(square: number): void {
    this.laid = this.laid.filter((laid) => laid.square !== square);
  }

  /** Takes all tiles back. */
  recall(): void {
    this.laid = [];
    this.chosen = undefined;
    this.picking = undefined;
  }

  shuffle(): void {
    this.tiles = shuffled(this.onRack).concat(this.laid.map(({ tile }) => tile));
  }

  /** Moves a tile on the rack in front of another, or to the end; one that lay on the board comes back. */
  arrange(id: number, before: number | undefined): void {
    this.laid = this.laid.filter(({ tile }) => tile.id !== id);
    this.tiles = moved(this.tiles, id, before);
  }

  /** Chooses a tile of the rack, or lets go of it. */
  choose(id: number): void {
    if (this.exchanging) {
      const chosen = new Set(this.exchanging);
      this.exchanging = chosen.delete(id) ? chosen : chosen.add(id);
      return;
    }
    this.chosen = this.chosen === id ? undefined : id;
  }

  /** Begins to choose what to exchange, or stops. */
  exchange(isOn: boolean): void {
    this.recall();
    this.exchanging = isOn ? new Set() : undefined;
  }

  /** The tiles to exchange, as they are sent. */
  get exchanged(): string {
    return this.tiles.filter(({ id }) => this.exchanging?.has(id)).map(({ face }) => face).join('');
  }

  /** Lays the letter at the cursor, or on the next free square after it; the blank if there is no such tile. */
  type(letter: string, isBlankWanted: boolean): Typed {
    const { cursor } = this;
    const square = this.isFilled(cursor.square) ? onwards(cursor, this.isFilled) : cursor.square;
    if (this.isFilled(square)) {
      return 'full';
    }
    const faces = isBlankWanted ? ['?'] : [letter, '?'];
    const tile = faces.map((face) => this.onRack.find((one) => one.face === face)).find((one) => one !== undefined);
    if (!tile) {
      return 'missing';
    }
    this.exchanging = undefined;
    this.#lay({ tile, square, letter });
    this.cursor = { ...cursor, square: onwards({ ...cursor, square }, this.isFilled) };
    return 'laid';
  }

  /** Takes back the tile at the cursor, or the one before it, and goes there. */
  erase(): void {
    const square = backwards(this.cursor, (here) => this.bySquare.has(here));
    if (square !== undefined) {
      this.back(square);
      this.cursor = { ...this.cursor, square };
    }
  }

  turn(): void {
    this.cursor = { ...this.cursor, direction: crossing(this.cursor.direction) };
  }

  /** Goes to a square. */
  go(square: number): void {
    this.cursor = { ...this.cursor, square };
  }

  /** Goes where a key leads; false if it leads nowhere. */
  lead(key: string): boolean {
    const square = led(this.cursor.square, key);
    if (square !== undefined) {
      this.go(square);
    }
    return square !== undefined;
  }
}
