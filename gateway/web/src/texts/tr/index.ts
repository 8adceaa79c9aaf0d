// Every Turkish text of the page.

import type { Texts } from '../languages';
import { check } from './check';
import { draw } from './draw';
import { away, clock, connection, page, refused, settings } from './frame';
import { kalah } from './kalah';
import { lobby, name } from './lobby';
import { over } from './over';
import { problem } from './problem';
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
  games: { kalah },
  table,
  invite,
  draw,
  over,
  check,
  problem,
};
