// Turkish for the frame of every page: head, settings, connection.

import { counting, isolated } from '../grammar';
import type { Texts } from '../languages';

const count = counting('tr');

export const page: Texts['page'] = {
  lobby: 'Lobi',
  game: (game) => `${game} – Astragal`,
};

export const settings: Texts['settings'] = {
  open: 'Ayarlar',
  close: 'Kapat',
  language: 'Dil',
  languageAuto: 'Tarayıcının dili',
  theme: 'Renkler',
  themes: { auto: 'Cihaza göre', light: 'Açık', dark: 'Koyu' },
  motion: 'Taş dağıtma',
  motions: { on: 'Tek tek', off: 'Hemen' },
  sound: 'Sıra sizdeyken ses',
  title: 'Sıra sizdeyken başlıkta işaret',
  switches: { on: 'Açık', off: 'Kapalı' },
  motionReduced: 'Cihazınız daha az hareket istiyor, bu yüzden taşlar hemen yerine konur.',
};

export const connection: Texts['connection'] = {
  connecting: 'Bağlanıyor',
  online: 'Bağlı',
  waiting: 'Bağlantı yok',
  lost: (seconds) => `Sunucuyla bağlantı yok. ${count(seconds, { other: 'saniye' })} sonra yeniden denenecek.`,
  leaving: 'Sunucu yeniden başlıyor. Oyunlarınız güvende; bu sayfa kendiliğinden sürer.',
  trying: 'Sunucuyla bağlantı yok. Şimdi deneniyor.',
  tryNow: 'Şimdi dene',
};

export const clock: Texts['clock'] = {
  label: 'Saat',
  hint: 'Bütün oyun için dakika + her hamle için saniye, ya da her hamle için gün.',
  none: 'Saatsiz',
  perMove: (days) => `Hamle başına ${count(days, { other: 'gün' })}`,
  of: (name) => `Kalan süre: ${isolated(name)}`,
  days: (days, hours) => `${days} g ${hours} sa`,
};

export const away: Texts['away'] = {
  title: 'Sunucu yanıt vermiyor',
  text: 'Yeniden başlıyor ya da bu cihaz çevrimdışı olabilir. Bu sayfa denemeyi sürdürür ve kendiliğinden açılır.',
};

export const refused: Texts['refused'] = {
  title: 'Giriş kartınızın süresi doldu',
  text: 'Sunucu bu tarayıcının sakladığı kartı artık kabul etmiyor. Yeni bir konuk olarak sürdürebilirsiniz; eski karttaki oyunlar oldukları gibi kalır.',
  go: 'Yeni konuk olarak sürdür',
};
