// Where places and seeds lie on the board, in hundredths of its width. Two shapes: wide with the
// stores at the ends, and tall for narrow screens with the stores above and below.

import { isStore, ownerOf, PITS, PLACES } from './sowing';

export type Shape = 'wide' | 'tall';

/** A hollow in the board: its middle and its half width and height. */
export interface Hollow {
  x: number;
  y: number;
  rx: number;
  ry: number;
}

export interface Point {
  x: number;
  y: number;
}

interface Measures {
  height: number;
  seed: number;
  pit: (column: number, isTop: boolean) => Hollow;
  store: (isTop: boolean) => Hollow;
}

const MEASURES: Record<Shape, Measures> = {
  wide: {
    height: 38,
    seed: 1.22,
    pit: (column, isTop) => ({ x: 18.75 + column * 12.5, y: isTop ? 11.4 : 26.6, rx: 5.75, ry: 5.75 }),
    store: (isTop) => ({ x: isTop ? 6.9 : 93.1, y: 19, rx: 4.7, ry: 13.4 }),
  },
  tall: {
    height: 92,
    seed: 1.9,
    pit: (column, isTop) => ({ x: 10.5 + column * 15.8, y: isTop ? 32.5 : 59.5, rx: 7.2, ry: 9.2 }),
    store: (isTop) => ({ x: 50, y: isTop ? 10 : 82, rx: 46.4, ry: 6.8 }),
  },
};

/** The board's height. */
export const heightOf = (shape: Shape) => MEASURES[shape].height;
/** A seed's radius. */
export const seedRadius = (shape: Shape) => MEASURES[shape].seed;

/** Where the number of a place stands: beside a pit, and at the far end inside a lying store. */
export function numberSpot(shape: Shape, { x, y, rx, ry }: Hollow, isTop: boolean, inStore: boolean): Point {
  if (shape === 'tall' && inStore) {
    return { x: isTop ? x + rx - 6.5 : x - rx + 6.5, y };
  }
  const gap = shape === 'tall' ? 3.1 : 2.1;
  return { x, y: isTop ? y - ry - gap : y + ry + gap };
}

/** All hollows by place, with a seat's own row at the bottom. */
export function hollows(shape: Shape, bottomSeat: number): Hollow[] {
  const { pit, store } = MEASURES[shape];
  return Array.from({ length: PLACES }, (_, place) => {
    const isTop = ownerOf(place) !== bottomSeat;
    const index = place % 7;
    return isStore(place) ? store(isTop) : pit(isTop ? PITS - 1 - index : index, isTop);
  });
}

/** The spots of so many seeds in a hollow, from its middle; none covers another as long as there is room. */
export function spots(seeds: number, hollow: Hollow, radius: number, inStore: boolean): Point[] {
  return inStore ? rows(seeds, hollow, radius) : rings(seeds, hollow, radius);
}

const RINGS_MAX = 19;
const NUMBER_ROOM = 8;
const END_ROOM = 0.2;

/** Seeds in rings, the way they settle in a bowl; what is too much lies on top. */
function rings(seeds: number, hollow: Hollow, radius: number): Point[] {
  const base = Math.min(seeds, RINGS_MAX);
  const stretch = hollow.ry / hollow.rx;
  const { points, extent } = nest(base);
  const fit = Math.min(1, (hollow.rx - 0.15) / (extent * radius));
  const laid = points.map(({ x, y }) => ({ x: x * radius * fit, y: y * radius * fit * (1 + (stretch - 1) * 0.8) }));
  if (seeds > RINGS_MAX) {
    const heap = rings(seeds - RINGS_MAX, hollow, radius);
    laid.push(...heap.map(({ x, y }) => ({ x: x * 0.75 + radius * 0.4, y: y * 0.75 - radius * 0.5 })));
  }
  return laid;
}

/** Rings in units of a seed's radius, and how far they reach. */
function nest(seeds: number): { points: Point[]; extent: number } {
  if (seeds <= 1) {
    return { points: seeds ? [{ x: 0, y: 0 }] : [], extent: 1 };
  }
  if (seeds <= 5) {
    return ring(seeds, 1.06 / Math.sin(Math.PI / seeds));
  }
  const inner = seeds <= 8 ? 1 : Math.max(3, Math.round(seeds * 0.36));
  const core = nest(inner);
  const outer = seeds - inner;
  const shell = ring(outer, Math.max(core.extent + 1.02, 1.03 / Math.sin(Math.PI / outer)));
  return { points: [...core.points, ...shell.points], extent: shell.extent };
}

function ring(seeds: number, distance: number): { points: Point[]; extent: number } {
  // Two seeds lie side by side, others stand on a flat side.
  const begin = seeds === 2 ? 0 : Math.PI / 2 + Math.PI / seeds;
  const points = Array.from({ length: seeds }, (_, k) => {
    const angle = begin + (2 * Math.PI * k) / seeds;
    return { x: Math.cos(angle) * distance, y: Math.sin(angle) * distance };
  });
  return { points, extent: distance + 1 };
}

/** Seeds in a store, line by line from where they come in; a line keeps its place when more come. */
function rows(seeds: number, { rx, ry, y }: Hollow, radius: number): Point[] {
  const isUpright = ry > rx;
  const [short, long] = isUpright ? [rx, ry] : [ry, rx];
  const pitch = radius * 2.02;
  const lanes = Math.max(1, Math.floor((2 * short - 0.4) / pitch));
  // The far end of a lying store is kept for its number.
  const lines = Math.max(1, Math.floor((2 * (long - short * END_ROOM) - (isUpright ? 0 : NUMBER_ROOM)) / pitch));
  // Upright stores fill from the bottom; lying ones from where a row ends: below at the right, above at the left.
  const isFromRight = !isUpright && y > 50;
  return Array.from({ length: seeds }, (_, k) => {
    const layer = Math.floor(k / (lanes * lines));
    const inLayer = k % (lanes * lines);
    const along = long - short * END_ROOM - pitch / 2 - Math.floor(inLayer / lanes) * pitch - layer * radius * 0.8;
    const sideways = ((inLayer % lanes) - (lanes - 1) / 2) * pitch - layer * radius * 0.5;
    return isUpright ? { x: sideways, y: along } : { x: isFromRight ? along : -along, y: sideways };
  });
}
