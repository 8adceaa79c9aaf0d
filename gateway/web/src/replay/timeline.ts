// A timeline as the server writes it: a line with what holds for all steps, then a line a step. The deal is step 0.

import type { GameUpdate, Json } from '../../client';

/** What holds for all steps. */
export interface TimelineHead {
  gameId: string;
  /** The steps are numbered from 0 to this. */
  moves: number;
  over: boolean;
}

/** The table after the deal, or after a move, with the hands of all. */
export interface TimelineStep {
  number: number;
  /** Absent: the table itself, or nobody yet. */
  seat?: number;
  move: Json;
  annotations: Json;
  drew: boolean;
  view: Json;
  toMove: number[];
  at?: string;
  takenBack: number;
}

/** Steps that are asked for at once. */
export const BLOCK = 1_000;

/** Reads a timeline; none if it is none. */
export function readTimeline(text: string): { head: TimelineHead; steps: TimelineStep[] } | undefined {
  try {
    const [head, ...steps] = text.split('\n').filter(Boolean).map((line) => JSON.parse(line) as unknown);
    const isHead = typeof (head as Partial<TimelineHead> | undefined)?.moves === 'number';
    const areSteps = steps.every((step) => typeof (step as Partial<TimelineStep>).number === 'number');
    return isHead && areSteps ? { head: head as TimelineHead, steps: steps as TimelineStep[] } : undefined;
  } catch {
    return undefined;
  }
}

/** A step as the news of a move, for all that tells of moves. */
export function updateOf(gameId: string, { number, seat, move, annotations, drew, view, toMove }: TimelineStep): GameUpdate {
  return { gameId, revision: number, number, move, annotations, drew, view, toMove, viewHash: '', ...(seat !== undefined && { seat }) };
}

/** The number of a step in an address; none if it is no such number. */
export const stepNamed = (text: string | null): number | undefined => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : undefined);
