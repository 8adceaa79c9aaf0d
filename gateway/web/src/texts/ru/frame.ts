// Russian for the frame of every page: head, settings, connection.

import { counting, isolated } from '../grammar';
import type { Texts } from '../languages';

const count = counting('ru');

export const page: Texts['page'] = {
  lobby: 'Лобби',
  game: (game) => `${game} – Astragal`,
};

export const settings: Texts['settings'] = {
  open: 'Настройки',
  close: 'Закрыть',
  language: 'Язык',
  languageAuto: 'Как в браузере',
  theme: 'Цвета',
  themes: { auto: 'Как на устройстве', light: 'Светлые', dark: 'Тёмные' },
  motion: 'Посев',
  motions: { on: 'По одному', off: 'Сразу' },
  sound: 'Звук, когда ваш ход',
  title: 'Отметка в заголовке, когда ваш ход',
  switches: { on: 'Да', off: 'Нет' },
  motionReduced: 'На устройстве включено меньше движения, поэтому камни перекладываются сразу.',
};

export const connection: Texts['connection'] = {
  connecting: 'Соединение',
  online: 'Есть связь',
  waiting: 'Нет связи',
  lost: (seconds) =>
    `Нет связи с сервером. Следующая попытка через ${count(seconds, { one: 'секунду', few: 'секунды', other: 'секунд' })}.`,
  leaving: 'Сервер перезапускается. Ваши партии в безопасности; страница продолжит сама.',
  trying: 'Нет связи с сервером. Пробуем снова.',
  tryNow: 'Попробовать сейчас',
};

export const clock: Texts['clock'] = {
  label: 'Часы',
  hint: 'Минуты на всю партию + секунды на каждый ход или дни на каждый ход.',
  none: 'Без часов',
  perMove: (days) => `${count(days, { one: 'день', few: 'дня', many: 'дней', other: 'дня' })} на ход`,
  of: (name) => `Осталось времени: ${isolated(name)}`,
  days: (days, hours) => `${days} д ${hours} ч`,
};

export const away: Texts['away'] = {
  title: 'Сервер не отвечает',
  text: 'Возможно, он перезапускается или это устройство не в сети. Страница продолжает попытки и откроется сама.',
};

export const refused: Texts['refused'] = {
  title: 'Ваш пропуск истёк',
  text: 'Сервер больше не принимает пропуск, который хранит этот браузер. Можно продолжить новым гостем; партии старого пропуска останутся как есть.',
  go: 'Продолжить новым гостем',
};
