// Russian for the lobby.

import { isolated } from '../grammar';
import type { Texts } from '../languages';

export const lobby: Texts['lobby'] = {
  title: 'Садитесь за стол',
  lead: 'Кто начинает, решают вытянутые фишки. Всё, что решает случай, запечатано до первого хода и открывается после последнего, чтобы вы могли это проверить.',
  loading: 'Готовим лобби',
  resume: 'Ваши партии',
  toMove: 'Ваш ход',
  theirMove: (name) => `Ходит ${isolated(name)}`,
  waits: 'Ждём соперника',
  openWaiting: 'Открыть',
  against: (name) => `против ${isolated(name)}`,
  start: 'Новая партия',
  seats: 'Игроков',
  game: 'Игра',
  rules: 'Правила этой партии',
  quick: 'Быстрая игра',
  quickHint: 'С тем, кто придёт первым.',
  friend: 'Игра с другом',
  friendHint: 'Вы получите ссылку, чтобы послать или показать.',
  robotLevel: 'Сила робота',
  robotLevels: ['Очень слабый', 'Слабый', 'Средний', 'Сильный', 'Очень сильный'],
  robotGo: (level) => `Играть с роботом ${level}`,
  open: 'Открытые партии',
  openNone: 'Сейчас никто не ждёт. Начните быструю игру, и ваша партия появится здесь для других.',
  openJoin: 'Сесть',
  openJoinLabel: (name, game) => `Сесть за стол: ${isolated(name)}, ${game}`,
  live: 'Можно посмотреть',
  liveNone: 'Сейчас никто не играет открыто.',
  noGames: 'На этом сервере нет игр, которые умеет показывать эта страница.',
  botLevel: 'Роботов пять: от 1 до 5. Выберите одного ниже.',
  already: 'У вас уже есть партия, которая ждёт соперника. Откройте её или сначала отмените.',
  filterGame: 'Только эта игра',
  filterClock: 'Только с такими часами',
  anyGame: 'Все игры',
  anyClock: 'Любые часы',
  clockLive: 'Минуты',
  clockDays: 'Дни',
  clockNone: 'Без часов',
  openFiltered: 'Сейчас такой партии никто не ждёт.',
  seatsTaken: (taken, seats) => `Занято мест: ${taken} из ${seats}`,
};

export const name: Texts['name'] = {
  label: 'Ваше имя',
  change: 'Сменить имя',
  save: 'Сохранить',
  cancel: 'Отмена',
  hint: 'Новое имя – новый гость: сыгранные партии останутся за старым именем.',
  busy: 'Имя можно сменить, когда ни одна ваша партия не идёт.',
};
