// The one sound of the page, made by the browser itself: two short tones, as of wood on wood.

const TONES = [
  { at: 0, hertz: 523.25 },
  { at: 0.11, hertz: 783.99 },
];
const SECONDS = 0.16;
const VOLUME = 0.12;

let context: AudioContext | undefined;

/** Makes the sound, where the browser lets the page speak: not before the reader has touched it. */
export async function chime(): Promise<void> {
  if (!('AudioContext' in globalThis) || navigator.userActivation?.hasBeenActive === false) {
    return;
  }
  context ??= new AudioContext();
  await context.resume();
  for (const { at, hertz } of TONES) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    const start = context.currentTime + at;
    tone.type = 'triangle';
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(VOLUME, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + SECONDS);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + SECONDS);
  }
}
