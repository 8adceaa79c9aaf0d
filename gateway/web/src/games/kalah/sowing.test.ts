import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { counts, falls, isStore, pitOf, readView, sowing, storeOf, type KalahView } from './sowing';

const opening: KalahView = { pits: [Array(6).fill(4), Array(6).fill(4)], stores: [0, 0] };

/** The board after what was retold. */
function after(view: KalahView, seat: number, pit: number, notes: Parameters<typeof sowing>[3]): number[] {
  const board = counts(view);
  const told = sowing(view, seat, pit, notes);
  board[told.from] = 0;
  told.falls.forEach((place) => (board[place]! += 1));
  for (const { from, to, seeds } of [...told.captures, ...told.sweeps]) {
    board[from]! -= seeds;
    board[to]! += seeds;
  }
  return board;
}

describe('sowing', () => {
  test('goes from left to right, into the own store, then along the other side', () => {
    expect(falls(4, 0, 3)).toEqual([3, 4, 5, 6]);
    expect(falls(5, 1, 5)).toEqual([12, 13, 0, 1, 2]);
  });

  test('passes the other store, and comes round to where it began', () => {
    const path = falls(14, 0, 6);
    expect(path).not.toContain(storeOf(1));
    expect(path[12]).toBe(pitOf(0, 6));
    expect(path[13]).toBe(storeOf(0));
  });

  test('keeps every seed', () => {
    const board = after(opening, 0, 3, { captured: 0, again: true });
    expect(board).toEqual([4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0]);
  });

  test('a view that is no kalah board is none', () => {
    for (const odd of [undefined, null, 7, {}, { pits: [[1], [2]], stores: [0, 0] }, { pits: [], stores: [] }]) {
      expect(readView(odd as never)).toBeUndefined();
    }
  });

  test('retells every move of 300 games of an independent engine', () => {
    const data = process.env['ASTRAGAL_DATA'] ?? join(import.meta.dirname, '../../../../../../shared/data');
    const lines = readFileSync(join(data, 'kalah/spiel_traces_dev.jsonl'), 'utf8').trim().split('\n');
    expect(lines).toHaveLength(300);
    let moves = 0;
    for (const line of lines) {
      const { actions, players, boards } = JSON.parse(line) as { actions: number[]; players: number[]; boards: number[][] };
      const told = actions.map((action, k) => {
        const [before, then] = [viewOf(boards[k]!), counts(viewOf(boards[k + 1]!))];
        const seat = players[k]!;
        const pit = seat === 0 ? action : action - 7;
        const plain = after(before, seat, pit, { captured: 0, again: false });
        const gained = then[storeOf(seat)]! - plain[storeOf(seat)]!;
        // That engine leaves the last seeds where they are, so nothing is swept here.
        return after(before, seat, pit, { captured: gained, again: false });
      });
      expect(told).toEqual(boards.slice(1).map((board) => counts(viewOf(board))));
      moves += told.length;
    }
    expect(moves).toBeGreaterThan(10_000);
  });

  test('sweeps what is left, each side to its own store', () => {
    const end: KalahView = { pits: [[0, 0, 0, 0, 0, 1], [0, 3, 0, 0, 2, 0]], stores: [20, 22] };
    const told = sowing(end, 0, 6, { captured: 0, again: false, swept: [0, 5] });
    expect(told.sweeps.every(({ to }) => isStore(to))).toBe(true);
    expect(after(end, 0, 6, { captured: 0, again: false, swept: [0, 5] })).toEqual([0, 0, 0, 0, 0, 0, 21, 0, 0, 0, 0, 0, 0, 27]);
  });
});

/** Index 0 is North's store, 1 to 6 South's pits, 7 South's store, 8 to 13 North's pits. */
function viewOf(board: number[]): KalahView {
  return { pits: [board.slice(1, 7), board.slice(8, 14)], stores: [board[7]!, board[0]!] };
}
