// A tile that follows a finger or a mouse. It knows where on the page things lie, and no rules.

/** Where a tile is let go. */
export type Drop =
  | { on: 'square'; square: number }
  | { on: 'rack'; before: number | undefined }
  | { on: 'nothing' };

/** A press that moves less than this is a tap. */
const SLOP_PX = 6;
/** A finger hides what is under it, so the tile goes above it, by so much of its own height. */
const LIFT = 0.9;

/** The one tile that is being dragged. */
export class Drag {
  /** The tile's id while it is away from its place. */
  id: number | undefined = $state();
  at = $state.raw({ x: 0, y: 0 });
  /** The square that it would fall on. */
  square: number | undefined = $state();
  /** The width of a tile as it was taken. */
  size = $state(0);
  #stop: (() => void) | undefined;
  /** The click that ends a drag is none. */
  #isSpent = false;

  constructor(private readonly dropped: (id: number, drop: Drop) => void) {}

  /** True once after a drag: the click that follows it means nothing. */
  get wasDrag(): boolean {
    const was = this.#isSpent;
    this.#isSpent = false;
    return was;
  }

  /** A tile is pressed; it comes along once the press moves. */
  press(event: PointerEvent, id: number): void {
    if (event.button !== 0 || this.#stop) {
      return;
    }
    this.cancel();
    this.#isSpent = false;
    const { clientX: x, clientY: y, pointerId } = event;
    const { width } = (event.currentTarget as Element).getBoundingClientRect();
    const lift = event.pointerType === 'touch' ? LIFT * width : 0;
    const move = (moved: PointerEvent) => {
      if (moved.pointerId !== pointerId) {
        return;
      }
      if (this.id === undefined && Math.hypot(moved.clientX - x, moved.clientY - y) < SLOP_PX) {
        return;
      }
      this.size = width;
      this.id = id;
      this.at = { x: moved.clientX, y: moved.clientY - lift };
      const drop = this.#look(moved.clientX, moved.clientY);
      this.square = drop.on === 'square' ? drop.square : undefined;
    };
    const end = (ended: PointerEvent) => {
      if (ended.pointerId !== pointerId) {
        return;
      }
      const drop = ended.type === 'pointerup' ? this.#look(ended.clientX, ended.clientY) : undefined;
      this.#stop?.();
      this.#stop = undefined;
      if (this.id === undefined) {
        return;
      }
      this.#isSpent = true;
      const fall = () => {
        this.#isSpent = false;
        if (this.id === id) {
          this.id = this.square = undefined;
          this.dropped(id, drop ?? { on: 'nothing' });
        }
      };
      // The tile stays until the touch is over: a browser that loses the target of a touch takes the next tap for none.
      // A mouse may still bring a click, which is none.
      const isTouch = ended.type === 'pointerup' && ended.pointerType === 'touch';
      if (isTouch) {
        addEventListener('touchend', () => setTimeout(fall), { once: true });
      } else {
        setTimeout(fall);
      }
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
    this.#stop = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
    };
  }

  /** Lets the tile return to where it was. */
  cancel(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.id = undefined;
    this.square = undefined;
  }

  /** What lies under the middle of the tile, or under the finger where that is the rack. */
  #look(x: number, y: number): Drop {
    const below = document.elementFromPoint(x, y)?.closest('[data-rack]');
    if (below) {
      const tiles = [...below.querySelectorAll<HTMLElement>('[data-tile]')].filter(
        ({ dataset }) => Number(dataset['tile']) !== this.id,
      );
      const next = tiles.find((tile) => {
        const { left, width } = tile.getBoundingClientRect();
        return x < left + width / 2;
      });
      return { on: 'rack', before: next && Number(next.dataset['tile']) };
    }
    const place = document.elementFromPoint(this.at.x, this.at.y)?.closest<HTMLElement>('[data-square]');
    return place ? { on: 'square', square: Number(place.dataset['square']) } : { on: 'nothing' };
  }
}
