// Turkish for finished games that are looked at again.

import type { Texts } from '../languages';

export const replay: Texts['replay'] = {
  title: 'Yeniden izleme',
  first: 'Başa',
  back: 'Bir adım geri',
  forward: 'Bir adım ileri',
  last: 'Sona',
  play: 'Kendiliğinden oynat',
  pause: 'Duraklat',
  step: 'Adım',
  at: (step, of) => `${step} / ${of}`,
  begun: 'Başlangıç',
  eyes: 'Kimin eli',
  all: 'herkesin',
  link: 'Bağlantıyı kopyala',
  reveal: 'Nasıl bittiğini göster',
  secret: 'Nasıl bittiği henüz gösterilmiyor',
  secretText: 'Oyunu adım adım izleyin ya da hemen sonuna bakın.',
  certificate: 'Sertifikayı indir',
  notation: (name) => `${name} olarak indir`,
  tableDid: 'Bunu masa kendisi yaptı',
};

export const past: Texts['past'] = {
  title: 'Oyunlarım',
  open: 'Bütün oyunlarım',
  none: 'Henüz oyun oynamadınız.',
  going: 'Sürüyor',
  fresh: 'Baştan izle',
  more: 'Daha fazla göster',
};
