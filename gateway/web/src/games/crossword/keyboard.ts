// Which letter of an edition a key stands for: by what it writes, or else by where it lies on a Russian or an
// English keyboard.

import type { Edition } from './edition';

const CODES =
  'Backquote KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period'.split(' ');
const RUSSIAN = [...'ЁЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ'];
const places: ReadonlyMap<string, string> = new Map(CODES.map((code, k) => [code, RUSSIAN[k]!]));

/** The capital that a key lays; none if it stands for no letter of the edition. */
export function letterOf({ capitals }: Edition, { key, code }: { key: string; code: string }): string | undefined {
  if (key.length !== 1) {
    return undefined;
  }
  const found = [key, places.get(code), /^Key([A-Z])$/.exec(code)?.[1]].find((letter) => letter !== undefined && capitals.has(letter));
  return found === undefined ? undefined : capitals.get(found);
}
