// A few words that every dictionary has, so that a game can be played with whatever is drawn.

/** Where the letters lie on a Russian keyboard. */
export const RUSSIAN_KEYS: Readonly<Record<string, string>> = Object.fromEntries(
  'Backquote KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period'
    .split(' ')
    .map((code, k) => ['ЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ'[k]!, code]),
);

export const ENGLISH = `
  ad ah am an as at ax be by do go ha he hi ho id if in is it la lo ma me my no of oh on or ow ox pa pi so to up us we
  ace act add age ago aid aim air ale all and ant any ape arc are ark arm art ash ask ate awe axe bad bag ban bar bat bay
  bed bee bet bid big bin bit bog bow box boy bud bug bun bus but buy cab can cap car cat cop cot cow cry cub cue cup cut
  dad dam day den dew did die dig dim din dip dog dot dry dub due dug ear eat egg ego elf elk elm end era eve eye fan far
  fat fed fee few fig fin fir fit fix fly foe fog for fox fun fur gap gas gel gem get gin god got gum gun gut guy had ham
  has hat hay hen her hid him hip his hit hog hop hot how hub hug hut ice ill ink inn ion its jam jar jaw jet job jog joy
  jug key kid kin kit lab lad lag lap law lay led leg let lid lie lip lit log lot low mad man map mat may men met mid mix
  mob mop mud mug nap net new nil nip nod nor not now nun nut oak oar oat odd off oil old one opt orb ore our out owe owl
  own pad pan par pat paw pay pea peg pen pet pie pig pin pit pot pub put rag ram ran rat raw ray red rib rid rig rim rip
  rob rod rot row rub rug run rut sad sat saw say sea see set sew she shy sin sip sir sit six ski sky sly son sow spy sum
  sun tab tag tan tap tar tax tea ten the tie tin tip toe ton too top toy try tub two use van vet via vow wag war was wax
  way web wed wet who why wig win wit woe won wow yes yet you zip zoo`.toUpperCase().trim().split(/\s+/);

export const RUSSIAN = `
  ад ар ас до ёж ил ля ми ом па пи ре си уж ум ус фа юг ют яд як яр акт бак бал бар бас бег бес бит боб бог бой бок бор
  бот бра буй бук бум бур бык быт вал вар век вес вид воз вол вор вуз газ ген гид год гол гул дар дед дно дог дом дон
  дуб дух душ дым еда ель ёрш жар жир жук зал зло зоб зов зуб зуд ива икс имя ион иск йог йод кит код кок кол ком кон
  кот куб куш лад лай лак лев лёд лён лес лещ лик лис лоб лом лот луг лук луч люк маг май мак мат мёд мел мех меч миг
  мим мир миф мол мох муж мул мыс мэр мяч низ нож нос ода око оса ось паз пай пан пар пёс пик пир под пол пот пуд пыл
  рай рак рёв риф ров рог род рой рок рот ряд сад сев сок сом сон сор соя суд суп сыр сын сыч таз тик тип тир тис ток
  том тон топ тор туз тур туф туя тыл унт ухо уют фея фон фут хан ход хор цех чад чай час чек чин чип шаг шар шеф шея
  шип шов шок шум шут щит эра эхо юла явь яма ярд вода гора дело душа зима каша кожа коза лапа лето лиса лужа луна мама
  мина море муха мыло небо нога ночь нора окно папа пена пила поле река роза рука рыба село сила слон соль стол сума
  тело тень утро хлеб цена чудо щека щука мост нота пост порт торт тигр игра лось пруд опыт ядро`.toUpperCase().trim().split(/\s+/);
