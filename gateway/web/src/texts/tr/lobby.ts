// Turkish for the lobby.

import { isolated } from '../grammar';
import type { Texts } from '../languages';

export const lobby: Texts['lobby'] = {
  title: 'Masaya buyurun',
  lead: 'Kimin başlayacağı taş taş çekilir. Şansın belirlediği her şey ilk hamleden önce mühürlenir, son hamleden sonra açılır; böylece denetleyebilirsiniz.',
  loading: 'Lobi kuruluyor',
  resume: 'Oyunlarınız',
  toMove: 'Sıra sizde',
  theirMove: (name) => `Sırada: ${isolated(name)}`,
  waits: 'Rakip bekleniyor',
  openWaiting: 'Aç',
  against: (name) => `Rakip: ${isolated(name)}`,
  start: 'Yeni oyun',
  seats: 'Oyuncu sayısı',
  game: 'Oyun',
  rules: 'Bu oyunun kuralları',
  quick: 'Hızlı eşleşme',
  quickHint: 'İlk gelenle oynayın.',
  friend: 'Arkadaşınla oyna',
  friendHint: 'Göndermek ya da göstermek için bağlantı alın.',
  robotLevel: 'Robotun gücü',
  robotLevels: ['Çok kolay', 'Kolay', 'Orta', 'Güçlü', 'Çok güçlü'],
  robotGo: (level) => `Robot ${level} ile oyna`,
  open: 'Açık oyunlar',
  openNone: 'Şu anda bekleyen yok. Hızlı bir eşleşme başlatın, oyununuz burada başkalarına görünsün.',
  openJoin: 'Katıl',
  openJoinLabel: (name, game) => `Katıl: ${isolated(name)}, ${game}`,
  live: 'İzlenebilecek oyunlar',
  liveNone: 'Şu anda herkese açık oynayan yok.',
  noGames: 'Bu sunucuda bu sayfanın gösterebileceği oyun yok.',
  botLevel: 'Beş robot var: 1’den 5’e. Aşağıdan birini seçin.',
  already: 'Zaten birini bekleyen bir oyununuz var. Onu açın ya da önce iptal edin.',
  filterGame: 'Yalnız bu oyun',
  filterClock: 'Yalnız bu saatle',
  anyGame: 'Bütün oyunlar',
  anyClock: 'Her saat',
  clockLive: 'Dakikalı',
  clockDays: 'Günlü',
  clockNone: 'Saatsiz',
  openFiltered: 'Şu anda böyle bir oyun için bekleyen yok.',
  seatsTaken: (taken, seats) => `${seats} yerin ${taken} tanesi dolu`,
};

export const name: Texts['name'] = {
  label: 'Adınız',
  change: 'Adı değiştir',
  save: 'Kaydet',
  cancel: 'Vazgeç',
  hint: 'Yeni ad yeni bir konuktur: bitirdiğiniz oyunlar eski adda kalır.',
  busy: 'Hiçbir oyununuz sürmüyorken adınızı değiştirebilirsiniz.',
};
