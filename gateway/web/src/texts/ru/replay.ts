// Russian for finished games that are looked at again.

import type { Texts } from '../languages';

export const replay: Texts['replay'] = {
  title: 'Просмотр партии',
  first: 'В начало',
  back: 'На шаг назад',
  forward: 'На шаг вперёд',
  last: 'В конец',
  play: 'Проиграть',
  pause: 'Пауза',
  step: 'Шаг',
  at: (step, of) => `${step} из ${of}`,
  begun: 'Начало',
  eyes: 'Чьи фишки',
  all: 'всех',
  link: 'Скопировать ссылку',
  reveal: 'Показать, чем кончилось',
  secret: 'Чем кончилось, пока не показано',
  secretText: 'Пройдите партию по шагам или сразу посмотрите конец.',
  certificate: 'Скачать свидетельство',
  notation: (name) => `Скачать в формате ${name}`,
  tableDid: 'Это сделал сам стол',
};

export const past: Texts['past'] = {
  title: 'Мои партии',
  open: 'Все мои партии',
  none: 'Вы ещё не сыграли ни одной партии.',
  going: 'Ещё идёт',
  fresh: 'Смотреть с начала',
  more: 'Показать ещё',
};
