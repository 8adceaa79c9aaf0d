// Turkish for the draw.

import { isolated } from '../grammar';
import type { Texts } from '../languages';

export const draw: Texts['draw'] = {
  title: 'Kim başlıyor?',
  rule: 'Herkes bir harf taşı çeker. Alfabede en önde gelen harf başlar; boş taş A’dan da öncedir.',
  round: (n) => `${n}. tur`,
  blank: 'boş',
  drew: (name, letter) => `${isolated(name)} ${letter} çekti`,
  youDrew: (letter) => `${letter} çektiniz`,
  tie: 'Aynı harf: onu paylaşanlar yeniden çeker.',
  wins: (name) => `${isolated(name)} başlıyor`,
  youWin: 'Siz başlıyorsunuz',
  someone: 'Gelecek rakip',
  skip: 'Geç',
  done: 'Tahtaya',
  out: 'bu turda yok',
  recorded: 'elle çekildi',
};
