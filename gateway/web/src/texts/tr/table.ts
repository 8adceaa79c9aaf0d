// Turkish for a table and the invitation to it.

import { counting, isolated } from '../grammar';
import type { Texts } from '../languages';

const count = counting('tr');

export const table: Texts['table'] = {
  loading: 'Masa kuruluyor',
  you: 'Siz',
  emptySeat: 'Boş yer',
  robot: 'Robot',
  offline: 'uzakta',
  toMove: 'sırada',
  yourTurn: 'Sıra sizde',
  yourTurnAgain: 'Yine siz oynuyorsunuz',
  turnOf: (name) => `Sırada: ${isolated(name)}`,
  turnOfAgain: (name) => `${isolated(name)} yine oynuyor`,
  yourTurnWaiting: 'Başlama çekilişi size çıktı: beklerken oynayabilirsiniz.',
  waiting: 'Rakip bekleniyor',
  watching: 'İzliyorsunuz',
  over: 'Oyun bitti',
  sending: 'Hamleniz gönderiliyor',
  joined: (name) => `${isolated(name)} yerini aldı`,
  left: (name) => `${isolated(name)} uzakta`,
  back: (name) => `${isolated(name)} döndü`,
  viewers: (n) => count(n, { other: 'izleyici' }),
  takenBack: 'geri alındı',
  undone: (name) => `${isolated(name)} son hamleyi geri aldı`,
  moves: 'Hamleler',
  movesNone: 'Henüz hamle yok.',
  movesEarlier: 'Daha önceki hamleler gösterilmiyor.',
  resign: 'Pes et',
  leave: 'Ayrıl',
  abort: 'Oyunu boz',
  cancel: 'Aramayı iptal et',
  undo: 'Geri al',
  draw: 'Çekiliş',
  check: 'Bu oyunu denetle',
  fairness: 'Mühürlü şans',
  fairnessText: 'Bu oyunda şansın belirlediği her şey, açılışta sabitlenen bir sırdan doğar. Mührü budur:',
  sure: {
    resign: 'Oyunu bırakıyor musunuz?',
    resignText: 'Rakibiniz kazanır.',
    leave: 'Bu oyundan ayrılıyor musunuz?',
    leaveText: 'Oyun ikiniz için de biter ve rakibiniz kazanır.',
    abort: 'Oyun bozulsun mu?',
    abortText: 'Henüz kimse oynamadı, bu yüzden oyun sonuçsuz biter.',
    cancel: 'Arama iptal edilsin mi?',
    cancelText: 'Oyun kapanır ve artık kimse katılamaz.',
    keep: 'Oynamayı sürdür',
  },
  otherGame: (game) => `Bu sayfada ${game} için tahta yok.`,
};

export const invite: Texts['invite'] = {
  title: 'Rakip bekleniyor',
  listed: 'Oyununuz lobide. Tanıdığınız biriyle oynamak isterseniz bu bağlantıyı gönderin.',
  text: 'Bu bağlantıyı bir arkadaşınıza gönderin ya da kodu okutun.',
  link: 'Bu oyunun bağlantısı',
  copy: 'Kopyala',
  copied: 'Kopyalandı',
  share: 'Paylaş',
  code: 'Bu oyunun bağlantısını taşıyan kod',
  youAreInvited: 'Bir yer boş',
  invitedText: 'Bu masada biri rakip bekliyor. Oynamak için yeri alın; adınız:',
  take: 'Yeri al',
};
