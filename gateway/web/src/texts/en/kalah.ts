// English for kalah.

import { counting, isolated } from '../grammar';

const count = counting('en');
const SEEDS = { one: 'seed', other: 'seeds' };

export const kalah = {
  name: 'Kalah',
  about: 'Six pits a side, and the most seeds in your store win.',
  howTo: [
    'A turn takes all seeds of one of your six pits and drops them one by one into the pits that follow and your own store, never into your opponent’s.',
    'If the last seed falls into your store, you go again.',
    'If it falls into an empty pit of yours, it goes into your store together with the seeds of the pit across.',
    'When all pits of one side are empty, everybody keeps the seeds on their own side. The fuller store wins.',
  ],
  options: {
    seeds: 'Seeds in each pit',
    capture: 'Last seed in your own empty pit',
    standard: 'captures if seeds lie across',
    empty: 'is banked even if none lie across',
  } as Record<string, string>,
  board: 'Kalah board',
  side: (name: string) => `Pits of ${isolated(name)}`,
  ownSide: 'Your pits',
  ownPit: (pit: number, seeds: number) => `Your pit ${pit}, ${count(seeds, SEEDS)}`,
  pit: (name: string, pit: number, seeds: number) => `Pit ${pit} of ${isolated(name)}, ${count(seeds, SEEDS)}`,
  store: (name: string, seeds: number) => `Store of ${isolated(name)}, ${count(seeds, SEEDS)}`,
  ownStore: (seeds: number) => `Your store, ${count(seeds, SEEDS)}`,
  lastFrom: 'last move began here',
  lastTo: 'last move ended here',
  keys: 'Sow with a click, or with the keys 1 to 6 while the board has the focus; the arrow keys go from pit to pit.',
  move: (pit: number) => `Pit ${pit}`,
  captured: (seeds: number) => `captures ${seeds}`,
  again: 'goes again',
  swept: 'ends the game',
  said: (name: string, pit: number) => `${isolated(name)} sowed pit ${pit}`,
  saidYou: (pit: number) => `You sowed pit ${pit}`,
};
