// The reader's own tiles in the order that the reader gave them. The server knows no such order.

/** A tile that stays itself, wherever it lies. */
export interface Tile {
  id: number;
  /** A capital letter, or `?` for a blank. */
  face: string;
}

/** The tiles after the rack has changed: those that are still there keep their order, new ones come last. */
export function reconciled(tiles: readonly Tile[], rack: string): Tile[] {
  const wanted = [...rack];
  const kept = tiles.filter(({ face }) => {
    const place = wanted.indexOf(face);
    if (place >= 0) {
      wanted.splice(place, 1);
    }
    return place >= 0;
  });
  const free = Math.max(0, ...tiles.map(({ id }) => id)) + 1;
  return [...kept, ...wanted.map((face, k) => ({ id: free + k, face }))];
}

/** The tiles in another order; never in the one they had, as far as there is another. */
export function shuffled(tiles: readonly Tile[], random: () => number = Math.random): Tile[] {
  const mixed = [...tiles];
  for (let k = mixed.length - 1; k > 0; k -= 1) {
    const other = Math.floor(random() * (k + 1));
    [mixed[k], mixed[other]] = [mixed[other]!, mixed[k]!];
  }
  const isSame = mixed.every(({ face }, k) => face === tiles[k]!.face);
  return isSame && mixed.length > 1 ? [...mixed.slice(1), mixed[0]!] : mixed;
}

/** The tiles with one of them moved in front of another, or to the end. */
export function moved(tiles: readonly Tile[], id: number, before: number | undefined): Tile[] {
  const tile = tiles.find((one) => one.id === id);
  const rest = tiles.filter((one) => one.id !== id);
  const place = rest.findIndex((one) => one.id === before);
  return tile ? rest.toSpliced(place < 0 ? rest.length : place, 0, tile) : [...tiles];
}
