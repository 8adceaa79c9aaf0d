import { describe, expect, test } from 'vitest';
import { heightOf, hollows, seedRadius, spots, type Point, type Shape } from './layout';
import { isStore, storeOf } from './sowing';

const shapes: Shape[] = ['wide', 'tall'];
const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);

function nearest(points: Point[]): number {
  return Math.min(...points.flatMap((one, k) => points.slice(k + 1).map((other) => distance(one, other))));
}

describe.each(shapes)('the %s board', (shape) => {
  const radius = seedRadius(shape);

  test('has every hollow on the wood, and none in another', () => {
    for (const bottomSeat of [0, 1]) {
      const all = hollows(shape, bottomSeat);
      all.forEach(({ x, y, rx, ry }, k) => {
        expect(x - rx).toBeGreaterThan(0);
        expect(x + rx).toBeLessThan(100);
        expect(y - ry).toBeGreaterThan(0);
        expect(y + ry).toBeLessThan(heightOf(shape));
        for (const other of all.slice(k + 1)) {
          const isApart = Math.abs(x - other.x) > rx + other.rx || Math.abs(y - other.y) > ry + other.ry;
          expect(isApart).toBe(true);
        }
      });
    }
  });

  test('shows a seat its own row at the bottom, from left to right', () => {
    const all = hollows(shape, 1);
    const own = all.slice(7, 13);
    expect(own.map(({ x }) => x)).toEqual(own.map(({ x }) => x).toSorted((a, b) => a - b));
    expect(all[12]!.y).toBeGreaterThan(all[0]!.y);
    expect(all[0]!.x).toBeGreaterThan(all[5]!.x);
  });

  test('lets seeds be counted: up to eight touch at most, up to nineteen are seen, and all lie in the pit', () => {
    const pit = hollows(shape, 0)[0]!;
    for (let seeds = 1; seeds <= 72; seeds += 1) {
      const points = spots(seeds, pit, radius, false);
      expect(points).toHaveLength(seeds);
      expect(new Set(points.map(({ x, y }) => `${x} ${y}`)).size).toBe(seeds);
      if (seeds > 1 && seeds <= 19) {
        expect(nearest(points)).toBeGreaterThan(radius * (seeds <= 8 ? 1.9 : 1.2));
      }
      for (const { x, y } of points) {
        expect((x / pit.rx) ** 2 + (y / pit.ry) ** 2).toBeLessThan(1);
      }
    }
  });

  test('keeps seeds in a store where they lie when more come, in sight up to a won game', () => {
    for (const place of [storeOf(0), storeOf(1)]) {
      expect(isStore(place)).toBe(true);
      const store = hollows(shape, 0)[place]!;
      const many = spots(72, store, radius, true);
      expect(many.slice(0, 30)).toEqual(spots(30, store, radius, true));
      expect(nearest(many.slice(0, 30))).toBeGreaterThan(radius * 1.9);
      for (const { x, y } of many) {
        expect(Math.abs(x)).toBeLessThan(store.rx);
        expect(Math.abs(y)).toBeLessThan(store.ry);
      }
    }
  });
});
