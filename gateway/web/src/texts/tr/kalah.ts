// Turkish for kalah.

import { counting, isolated } from '../grammar';
import type { Texts } from '../languages';

const count = counting('tr');
const SEEDS = { other: 'taş' };

export const kalah: Texts['games']['kalah'] = {
  name: 'Kalah',
  about: 'Her yanda altı kuyu; hazinesinde en çok taş olan kazanır.',
  howTo: [
    'Sırası gelen, kendi kuyularından birindeki bütün taşları alır; sonraki kuyulara ve kendi hazinesine birer birer bırakır, rakibin hazinesine bırakmaz.',
    'Son taş kendi hazinenize düşerse bir kez daha oynarsınız.',
    'Kendi boş kuyunuza düşerse, karşı kuyudaki taşlarla birlikte hazinenize gider.',
    'Bir yanın bütün kuyuları boşalınca herkes kendi yanındaki taşları alır. Hazinesi daha dolu olan kazanır.',
  ],
  options: {
    seeds: 'Her kuyudaki taş',
    capture: 'Son taş kendi boş kuyunuza düşerse',
    standard: 'karşıda taş varsa alır',
    empty: 'karşısı boşsa da hazineye gider',
  },
  board: 'Kalah tahtası',
  side: (name) => `Kuyular: ${isolated(name)}`,
  ownSide: 'Kuyularınız',
  ownPit: (pit, seeds) => `${pit}. kuyunuz, ${count(seeds, SEEDS)}`,
  pit: (name, pit, seeds) => `${isolated(name)}, ${pit}. kuyu, ${count(seeds, SEEDS)}`,
  store: (name, seeds) => `${isolated(name)}, hazine, ${count(seeds, SEEDS)}`,
  ownStore: (seeds) => `Hazineniz, ${count(seeds, SEEDS)}`,
  lastFrom: 'son hamle burada başladı',
  lastTo: 'son hamle burada bitti',
  keys: 'Tıklayarak ya da tahta odaktayken 1 ile 6 arasındaki tuşlarla dağıtın; ok tuşları kuyudan kuyuya gider.',
  move: (pit) => `${pit}. kuyu`,
  captured: (seeds) => `${count(seeds, SEEDS)} alır`,
  again: 'yine oynar',
  swept: 'oyunu bitirir',
  said: (name, pit) => `${isolated(name)} ${pit}. kuyuyu dağıttı`,
  saidYou: (pit) => `${pit}. kuyuyu dağıttınız`,
};
