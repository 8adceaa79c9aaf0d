// Every English text of the page, a file an area. A text with a name or a number in it is a function.

import { account } from './account';
import { check } from './check';
import { crossword } from './crossword';
import { draw } from './draw';
import { away, clock, connection, page, refused, settings } from './frame';
import { kalah } from './kalah';
import { lobby, name } from './lobby';
import { over } from './over';
import { problem } from './problem';
import { past, replay } from './replay';
import { rematch, series } from './series';
import { invite, table } from './table';

export const en = {
  tongue: 'en',
  product: 'Astragal',
  tagline: 'Board games where every draw can be checked',
  skip: 'Skip to content',
  page,
  settings,
  connection,
  clock,
  away,
  refused,
  lobby,
  name,
  account,
  games: { kalah, crossword },
  table,
  invite,
  draw,
  over,
  rematch,
  series,
  replay,
  past,
  check,
  problem,
};
