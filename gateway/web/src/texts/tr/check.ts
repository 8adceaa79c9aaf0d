// Turkish for the check of a finished game.

import { counting } from '../grammar';
import type { Texts } from '../languages';

const count = counting('tr');

export const check: Texts['check'] = {
  title: 'Bu oyunu denetle',
  text: 'Sunucu açılışta bir sırrın SHA-256 özetini gösterdi. Şimdi sır açık. Tarayıcınız aynı özeti bulursa, şansın belirlediği hiçbir şey arada değiştirilmiş olamaz.',
  working: 'Kayıt getiriliyor',
  kept: 'Bu tarayıcının sakladığı mühür',
  keptFromOpening: (when) => `Açılıştan beri saklanıyor: ${when}.`,
  keptLater: (when) => `Şu andan beri saklanıyor: ${when}; oyun o sırada sürüyordu.`,
  notKept: 'Bu tarayıcı açılışta yoktu ve mühür saklamadı. Gösterilen, sunucunun şimdi verdiğidir.',
  shown: 'Sunucunun şimdi gösterdiği mühür',
  seed: 'Kayıttaki sır',
  computed: 'Sırrın burada hesaplanan SHA-256 özeti',
  good: 'Aynılar. Bu oyunun şansı ilk hamleden önce sabitlenmişti.',
  goodUnkept: 'Aynılar, ama bu tarayıcıda karşılaştıracak saklı bir mühür yok.',
  bad: 'Aynı değiller. Bu kaydı saklayın ve birine gösterin.',
  movesGood: (n) => `Kayıtta gördüğünüz ${count(n, { other: 'hamle' })} aynı sırayla var.`,
  movesBad: 'Kayıtta bu sayfanın gördüğü hamleler yok.',
  failed: 'Kayıt denetlenemiyor:',
  noSeed: 'içinde 64 onaltılık basamaklı bir sır yok',
  download: 'Kaydı indir',
  elsewhere: 'Bu sayfaya güvenmiyor musunuz? Her hamleyi kendi makinenizde, programın kendisiyle yeniden oynatın:',
  copy: 'Komutu kopyala',
};
