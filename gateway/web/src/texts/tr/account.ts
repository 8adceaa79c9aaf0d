// Turkish for accounts.

import type { Texts } from '../languages';

export const account: Texts['account'] = {
  open: 'Hesabınız',
  guest: 'Konuksunuz ve sizi yalnız bu tarayıcı tanıyor. Kendi adınız ve bir parolayla oyunlarınız sizde kalır, başka yerde de sürdürürsünüz.',
  named: 'Giriş yaptınız; adınız ve parolanızla başka yerde de girebilirsiniz.',
  take: 'Bu adı al',
  signIn: 'Giriş yap',
  signInText: 'Adı olan biri olarak sürdürün.',
  haveOne: 'Zaten bir adım var',
  haveNone: 'Yeni bir ad istiyorum',
  name: 'Ad',
  password: 'Parola',
  passwordHint: 'En az 8 karakter. Ne olduğunu size kimse söyleyemez, iyi saklayın.',
  signOut: 'Çıkış yap',
  signOutAll: 'Her yerde çıkış yap',
  signOutText: 'Oyunlarınız adınızda kalır. Bu tarayıcı yeni bir konuk olarak sürdürür.',
  remove: 'Hesabı sil',
  removeSure: 'Hesabınız silinsin mi?',
  removeText: 'Adınız gider ve geri alınamaz. Süren oyunlar kaybedilir; bitenler adınız olmadan kalır.',
  removeGuest: 'Beni unut',
  keep: 'Kalsın',
  wrong: 'Ad ya da parola yanlış.',
  busy: 'Önce oyunlarınızı bitirin ya da bırakın: şu anki konukta kalırlardı.',
  done: (name) => `Hoş geldiniz, ${name}.`,
};
