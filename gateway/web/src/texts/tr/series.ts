// Turkish for rematches and series of games.

import { counting, isolated } from '../grammar';
import type { Texts } from '../languages';

const count = counting('tr');
const CLOSED = 'Artık rövanş olamaz.';

export const rematch: Texts['rematch'] = {
  ask: 'Rövanş',
  newMatch: 'Yeni maç',
  matchOver: (score) => `Maç bitti, ${score}`,
  waiting: (name) => `Beklenen: ${isolated(name)}`,
  waitingMany: 'Ötekiler bekleniyor',
  cancel: 'Vazgeç',
  requested: (name) => `${isolated(name)} rövanş istiyor`,
  requestedMany: 'Rövanş isteniyor',
  no: 'Hayır',
  left: (seconds) => count(seconds, { other: 'saniye kaldı' }),
  toNext: 'Sonraki oyununuza',
  toGame: 'Oyuna git',
  led: 'Oyuncular sürdürüyor. Bu, sonraki oyunları.',
  ended: {
    declined: {
      me: (name) => `${isolated(name)} rövanş istemiyor.`,
      other: (name) => `${isolated(name)} istedi, hayır dediniz.`,
      many: 'Herkes rövanş istemiyor.',
    },
    withdrawn: {
      me: (_name) => 'İsteğinizi geri aldınız.',
      other: (name) => `${isolated(name)} isteğini geri aldı.`,
      many: 'İstek geri alındı.',
    },
    expired: {
      me: (name) => `${isolated(name)} zamanında yanıt vermedi.`,
      other: (name) => `${isolated(name)} istedi, zamanında yanıt vermediniz.`,
      many: 'Herkes zamanında yanıt vermedi.',
    },
    offline: {
      me: (name) => `${isolated(name)} şu anda uzakta.`,
      other: (name) => `${isolated(name)} uzaklaştı.`,
      many: 'Şu anda herkes burada değil.',
    },
    left: {
      me: (name) => `${isolated(name)} artık başka yerde oynuyor.`,
      other: (name) => `${isolated(name)} artık başka yerde oynuyor.`,
      many: 'Artık herkes boşta değil.',
    },
    closed: {
      me: (_name) => CLOSED,
      other: (_name) => CLOSED,
      many: CLOSED,
    },
  },
  leftByMe: 'Başka bir oyuna geçtiniz.',
  missed: 'Siz uzaktayken rövanş istendi.',
};

export const series: Texts['series'] = {
  title: 'Bu serinin oyunları',
  bestOf: (games) => `${Math.floor(games / 2) + 1} galibiyete kadar`,
  match: 'Maç',
  single: 'Tek tek oyunlar',
  draws: (n) => count(n, { other: 'beraberlik' }),
  now: 'şimdi',
  marks: { time: 'süre', left: 'ayrıldı', resigned: 'pes' },
  game: (n) => `${n}. oyun`,
  movedFirst: (name) => `${isolated(name)} başladı`,
  youMovedFirst: 'siz başladınız',
  opens: 'yeni sekmede açılır',
  earlier: (n) => `önceki ${count(n, { other: 'oyun' })} gösterilmiyor`,
};
