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
  ад еж ёж ум уж ус юг яд як ил ар
  бак бал бар бег бес бит бог бой бок бор бот бук бум быт бык вал век вес вид вол вор газ год гол ток дар дед дно дог
  дом дух дуб ель жар жук зал зло зуб ива игра имя йод кит код кол кон кот лак лев лес лик лоб лов лом лось лук луч лён
  мак мел меч мир мост мох мул мыс мяч мёд нос нота ода оса ось опыт пар пир пол пот пруд пуд рак рис ров род рог рой рок
  рот ряд сад сок сом сон сор сук суд суп сын сыр тигр тир том тон торт туз тур тыл ухо уха фея фон ход хор час чай чек
  чиж шаг шар шея шок шум шут щит щука эхо юла яма ядро
  вода гора дело душа еда зима каша кожа коза лапа лето лиса лужа луна мама мина море муха мыло небо нога ночь нора озеро
  окно папа пена пила поле река роза рука рыба село сила слон соль стол сума тело тень утро хлеб цена чудо щека`.toUpperCase().trim().split(/\s+/);
