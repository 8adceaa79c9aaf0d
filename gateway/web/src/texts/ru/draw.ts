// Russian for the draw.

import { isolated } from '../grammar';
import type { Texts } from '../languages';

export const draw: Texts['draw'] = {
  title: 'Кто начинает?',
  rule: 'Каждый тянет фишку с буквой. Начинает тот, чья буква ближе к началу алфавита; пустая идёт раньше A.',
  round: (n) => `Круг ${n}`,
  blank: 'пустая',
  drew: (name, letter) => `${isolated(name)} тянет ${letter}`,
  youDrew: (letter) => `Вы тянете ${letter}`,
  tie: 'Одинаковая буква: у кого она, тянут ещё раз.',
  wins: (name) => `Начинает ${isolated(name)}`,
  youWin: 'Начинаете вы',
  someone: 'Будущий соперник',
  skip: 'Пропустить',
  done: 'К доске',
  out: 'не в этом круге',
  recorded: 'вытянута вручную',
};
