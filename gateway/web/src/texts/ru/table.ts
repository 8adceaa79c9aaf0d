// Russian for a table and the invitation to it.

import { counting, isolated } from '../grammar';
import type { Texts } from '../languages';

const count = counting('ru');

export const table: Texts['table'] = {
  loading: 'Накрываем стол',
  you: 'Вы',
  emptySeat: 'Свободное место',
  robot: 'Робот',
  offline: 'не на связи',
  toMove: 'ходит',
  yourTurn: 'Ваш ход',
  yourTurnAgain: 'Вы ходите ещё раз',
  turnOf: (name) => `Ходит ${isolated(name)}`,
  turnOfAgain: (name) => `${isolated(name)} ходит ещё раз`,
  yourTurnWaiting: 'По жребию начинаете вы: можно ходить, пока вы ждёте.',
  waiting: 'Ждём соперника',
  watching: 'Вы смотрите',
  over: 'Партия окончена',
  sending: 'Отправляем ваш ход',
  joined: (name) => `${isolated(name)} уже за столом`,
  left: (name) => `${isolated(name)} не на связи`,
  back: (name) => `${isolated(name)} снова на связи`,
  viewers: (n) => count(n, { one: 'зритель', few: 'зрителя', many: 'зрителей', other: 'зрителя' }),
  takenBack: 'взят назад',
  undone: (name) => `${isolated(name)} берёт последний ход назад`,
  moves: 'Ходы',
  movesNone: 'Ходов ещё нет.',
  movesEarlier: 'Более ранние ходы не показаны.',
  resign: 'Сдаться',
  leave: 'Уйти',
  abort: 'Отменить партию',
  cancel: 'Отменить поиск',
  undo: 'Взять назад',
  draw: 'Жребий',
  check: 'Проверить партию',
  fairness: 'Запечатанный случай',
  fairnessText: 'Всё, что решает случай в этой партии, следует из тайны, закреплённой при открытии. Вот её печать:',
  sure: {
    resign: 'Сдать партию?',
    resignText: 'Победит соперник.',
    leave: 'Уйти из партии?',
    leaveText: 'Она закончится для обоих, и победит соперник.',
    abort: 'Отменить партию?',
    abortText: 'Ещё никто не ходил, поэтому она закончится без результата.',
    cancel: 'Отменить поиск?',
    cancelText: 'Партия закроется, и никто уже не сможет в неё сесть.',
    keep: 'Играть дальше',
  },
  otherGame: (game) => `На этой странице нет доски для игры ${game}.`,
};

export const invite: Texts['invite'] = {
  title: 'Ждём соперника',
  listed: 'Ваша партия в лобби. Пошлите эту ссылку, если хотите сыграть со знакомым.',
  text: 'Пошлите эту ссылку другу или дайте отсканировать код.',
  link: 'Ссылка на эту партию',
  copy: 'Копировать',
  copied: 'Скопировано',
  share: 'Поделиться',
  code: 'Код со ссылкой на эту партию',
  youAreInvited: 'Есть свободное место',
  invitedText: 'За этим столом ждут соперника. Займите место, чтобы играть под именем',
  take: 'Занять место',
};
