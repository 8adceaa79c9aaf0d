// Turkish for the end of a game.

import { isolated } from '../grammar';
import type { Texts } from '../languages';

export const over: Texts['over'] = {
  won: 'Kazandınız',
  lost: 'Kaybettiniz',
  drawn: 'Berabere',
  winner: (name) => `${isolated(name)} kazandı`,
  none: 'Sonuçsuz',
  reasons: {
    finished: { won: 'Oyun sonuna kadar oynandı.', lost: 'Oyun sonuna kadar oynandı.', other: 'Oyun sonuna kadar oynandı.' },
    resigned: { won: 'Rakibiniz pes etti.', lost: 'Pes ettiniz.', other: 'Öbür taraf pes etti.' },
    left: { won: 'Rakibiniz oyundan ayrıldı.', lost: 'Oyundan ayrıldınız.', other: 'Öbür taraf oyundan ayrıldı.' },
    time: { won: 'Rakibinizin süresi bitti.', lost: 'Süreniz bitti.', other: 'Süre bitti.' },
    aborted: { won: 'Oyun bozuldu.', lost: 'Oyun bozuldu.', other: 'Oyun ilk hamleden önce bozuldu.' },
    crashed: { won: 'Oyun sürdürülemedi.', lost: 'Oyun sürdürülemedi.', other: 'Sunucuda bir şey bozuldu ve oyun sürdürülemedi. Kimseye sayılmaz.' },
  },
  newGame: 'Yeni oyun',
  again: 'Bir daha oyna',
  home: 'Ana sayfa',
  close: 'Tahtaya bak',
};
