// Russian for rematches and series of games.

import { counting, isolated } from '../grammar';
import type { Texts } from '../languages';

const count = counting('ru');
const CLOSED = 'Реванш больше невозможен.';

export const rematch: Texts['rematch'] = {
  ask: 'Реванш',
  newMatch: 'Новый матч',
  matchOver: (score) => `Матч окончен, ${score}`,
  waiting: (name) => `Ждём ответа: ${isolated(name)}`,
  waitingMany: 'Ждём остальных',
  cancel: 'Отменить',
  requested: (name) => `${isolated(name)} хочет реванш`,
  requestedMany: 'Предложен реванш',
  no: 'Нет',
  left: (seconds) =>
    count(seconds, { one: 'секунда осталась', few: 'секунды осталось', many: 'секунд осталось', other: 'секунды осталось' }),
  toNext: 'К следующей партии',
  toGame: 'К партии',
  led: 'Игроки продолжают. Это их следующая партия.',
  ended: {
    declined: {
      me: (name) => `${isolated(name)} не хочет реванша.`,
      other: (name) => `${isolated(name)} хочет реванш, но вы отказались.`,
      many: 'Не все хотят реванша.',
    },
    withdrawn: {
      me: (_name) => 'Вы отозвали своё предложение.',
      other: (name) => `${isolated(name)} больше не предлагает реванш.`,
      many: 'Предложение отозвано.',
    },
    expired: {
      me: (name) => `${isolated(name)} не отвечает вовремя.`,
      other: (name) => `${isolated(name)}: вы не ответили вовремя.`,
      many: 'Не все ответили вовремя.',
    },
    offline: {
      me: (name) => `${isolated(name)} сейчас не на связи.`,
      other: (name) => `${isolated(name)} больше не на связи.`,
      many: 'Сейчас не все на связи.',
    },
    left: {
      me: (name) => `${isolated(name)} уже играет в другом месте.`,
      other: (name) => `${isolated(name)} уже играет в другом месте.`,
      many: 'Уже не все свободны.',
    },
    closed: {
      me: (_name) => CLOSED,
      other: (_name) => CLOSED,
      many: CLOSED,
    },
  },
  leftByMe: 'Вы перешли к другой партии.',
  missed: 'Пока вас не было, вам предлагали реванш.',
};

export const series: Texts['series'] = {
  title: 'Партии этой серии',
  bestOf: (games) => `До ${count(Math.floor(games / 2) + 1, { one: 'победы', other: 'побед' })}`,
  match: 'Матч',
  single: 'Отдельные партии',
  draws: (n) => count(n, { one: 'ничья', few: 'ничьи', many: 'ничьих', other: 'ничьей' }),
  now: 'сейчас',
  marks: { time: 'время', left: 'уход', resigned: 'сдача' },
  game: (n) => `Партия ${n}`,
  movedFirst: (name) => `первый ход: ${isolated(name)}`,
  youMovedFirst: 'первый ход ваш',
  opens: 'откроется в новой вкладке',
  earlier: (n) => count(n, { one: 'более ранняя партия не показана', few: 'более ранние партии не показаны', many: 'более ранних партий не показано', other: 'более ранней партии не показано' }),
};
