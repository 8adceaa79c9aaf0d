// Every Turkish text of the page.

import type { Texts } from '../languages';
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

export const tr: Texts = {
  tongue: 'tr',
  product: 'Astragal',
  tagline: 'Her çekilişi denetlenebilen masa oyunları',
  skip: 'İçeriğe geç',
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
