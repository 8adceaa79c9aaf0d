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
  check: 'Bu çekilişi denetle',
  checking: 'Her taş bir daha çekiliyor',
  good: 'Her taş, çekilmeden önce sabitlenen baytlardan çıkıyor.',
  goodByHand: 'Makinenin çektiği taşlar baytlarından çıkıyor. Elle çekilenler kanıtlanamaz.',
  bad: 'Bu çekiliş tutmuyor. Aşağıdakileri saklayın ve birine gösterin.',
  missing: 'Sunucu bu çekilişin kanıtını henüz vermiyor.',
  order: 'Çekenler ya da başlayan, kuralların dediği gibi değil.',
  proof: 'Bunu kanıtlayan',
  proofText: 'Otuz iki bayt, takımdan kalan taşları karıştırır ve sonuncusu çekilir. Baytların SHA-256 özeti çekişten önce saklandı.',
  bytes: 'Baytlar',
  hash: 'SHA-256 özeti',
  reused: 'Bu çekiliş önceki bir aramadan kaldı: vazgeçip yeniden aramak yeni çekiliş getirmez.',
  balanced: 'En az başlamış olan öndedir. Yalnız eşit olanlar çekti.',
};
