// Turkish for what went wrong.

import type { Texts } from '../languages';

export const problem: Texts['problem'] = {
  title: 'Bu olmadı',
  notFound: 'Böyle bir oyun yok',
  notFoundText: 'Bağlantı eksik olabilir ya da oyun hiç açılmadı.',
  noPage: 'Böyle bir sayfa yok',
  noPageText: 'Adres yanlış yazılmış olabilir.',
  private: 'Bu oyun sizin değil',
  privateText: 'Başka oyuncular arasında ya da yerleri dolu.',
  broken: 'Bu sayfa kendi bir hatasına takıldı. Yeniden yüklemek çoğunlukla işe yarar; oyunlarınız sunucuda güvende.',
  reload: 'Yeniden yükle',
  toLobby: 'Lobiye',
  retry: 'Yeniden dene',
  codes: {
    ILLEGAL_MOVE: 'Bu hamle şu anda yapılamaz.',
    NOT_YOUR_TURN: 'Sıra sizde değil.',
    CONCURRENT_MOVE: 'Önce başka bir şey oldu. Tahtaya yeniden bakın.',
    GAME_OVER: 'Oyun çoktan bitti.',
    GAME_IN_PROGRESS: 'Oyun hâlâ sürüyor.',
    UNDO_REFUSED: 'Bu hamle geri alınamaz.',
    SEAT_TAKEN: 'Yeri başkası aldı.',
    NAME_TAKEN: 'Bu ad alınmış.',
    ALREADY_SEARCHING: 'Zaten birini bekleyen bir oyununuz var.',
    NOT_FOUND: 'Böyle bir oyun artık yok.',
    PERMISSION_DENIED: 'Bunu yapmak size düşmüyor.',
    UNAUTHENTICATED: 'Sunucu sizi artık tanımıyor. Sayfayı yeniden yükleyin.',
    RATE_LIMITED: 'Çok hızlıydı. Biraz bekleyip yeniden deneyin.',
    TOO_LARGE: 'Bu çok uzun.',
    UNAVAILABLE: 'Sunucu bunu şu anda yapamıyor. Birazdan yeniden deneyin.',
    INTERNAL: 'Sunucuda bir şey ters gitti. Birazdan yeniden deneyin.',
    OFFLINE: 'Sunucuyla bağlantı yok.',
    GARBLED: 'Sunucunun yanıtı okunamadı.',
  },
  because: (known, message) => `${known} Sunucu diyor ki: ${message}.`,
  other: (message) => `Sunucu diyor ki: ${message}.`,
};
