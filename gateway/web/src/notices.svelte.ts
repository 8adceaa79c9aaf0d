// What the page has to say in passing: refusals as notes that stay until they are put away, and what
// happens at a table for those who can't see it.

import { Problem } from '../client';
import { t } from './texts';

/** The sentence for a problem. */
export function sentence(error: unknown): string {
  if (error instanceof Problem) {
    const known = t.problem.codes[error.code] ?? t.problem.other(error.message);
    return error.code === 'UNDO_REFUSED' ? t.problem.because(known, error.message) : known;
  }
  return t.problem.other(String(error));
}

class Notices {
  /** The newest note, shown at the foot of the page. */
  note: string | undefined = $state();
  /** The newest thing to be read out. */
  said: string = $state('');

  /** Shows a note. */
  show(note: string): void {
    this.note = note;
  }

  /** Shows why something was refused. */
  refuse = (error: unknown): void => {
    if (error instanceof Problem && error.code === 'CLOSED') {
      return;
    }
    this.note = sentence(error);
  };

  /** Has something read out. */
  say(text: string): void {
    // The same words again count as news only if they differ.
    this.said = this.said === text ? `${text}\u00a0` : text;
  }
}

export const notices = new Notices();
