// Russian for kalah.

import { counting, isolated } from '../grammar';
import type { Texts } from '../languages';

const count = counting('ru');
const SEEDS = { one: 'камень', few: 'камня', many: 'камней', other: 'камня' };

export const kalah: Texts['games']['kalah'] = {
  name: 'Калах',
  about: 'По шесть лунок на сторону; побеждает тот, у кого в амбаре больше камней.',
  howTo: [
    'За ход берут все камни из одной своей лунки и раскладывают по одному в следующие лунки и в свой амбар, но не в амбар соперника.',
    'Если последний камень попал в ваш амбар, вы ходите ещё раз.',
    'Если он попал в вашу пустую лунку, он уходит в амбар вместе с камнями из лунки напротив.',
    'Когда все лунки одной стороны пусты, каждый забирает камни со своей стороны. Побеждает тот, у кого в амбаре больше.',
  ],
  options: {
    seeds: 'Камней в лунке',
    capture: 'Последний камень в своей пустой лунке',
    standard: 'берёт, если напротив есть камни',
    empty: 'идёт в амбар, даже если напротив пусто',
  },
  board: 'Доска для калаха',
  side: (name) => `Лунки: ${isolated(name)}`,
  ownSide: 'Ваши лунки',
  ownPit: (pit, seeds) => `Ваша лунка ${pit}, ${count(seeds, SEEDS)}`,
  pit: (name, pit, seeds) => `${isolated(name)}, лунка ${pit}, ${count(seeds, SEEDS)}`,
  store: (name, seeds) => `${isolated(name)}, амбар, ${count(seeds, SEEDS)}`,
  ownStore: (seeds) => `Ваш амбар, ${count(seeds, SEEDS)}`,
  lastFrom: 'отсюда был последний ход',
  lastTo: 'здесь последний ход закончился',
  keys: 'Сейте щелчком или клавишами от 1 до 6, пока доска в фокусе; стрелки переходят от лунки к лунке.',
  move: (pit) => `Лунка ${pit}`,
  captured: (seeds) => `берёт ${count(seeds, SEEDS)}`,
  again: 'ходит ещё раз',
  swept: 'завершает партию',
  said: (name, pit) => `${isolated(name)} сеет из лунки ${pit}`,
  saidYou: (pit) => `Вы сеете из лунки ${pit}`,
};
