// Which draws this browser has shown, so that each is shown by itself only once.

import { remember, remembered } from '../shelf';

const SEEN_MAX = 100;

const seen = () => remembered<string[]>('draws') ?? [];

export const isDrawNew = (gameId: string): boolean => !seen().includes(gameId);

export function noteDraw(gameId: string): void {
  if (isDrawNew(gameId)) {
    remember('draws', [...seen(), gameId].slice(-SEEN_MAX));
  }
}
