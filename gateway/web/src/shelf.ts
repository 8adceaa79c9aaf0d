// What this browser remembers. A browser that keeps nothing (private mode, full disk) loses comfort only.

const PREFIX = 'astragal.';

/** The value under a key; none if there is none, or if it can't be read. */
export function remembered<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

/** Keeps a value under a key, or forgets it. */
export function remember(key: string, value: unknown): void {
  try {
    if (value === undefined) {
      localStorage.removeItem(PREFIX + key);
    } else {
      localStorage.setItem(PREFIX + key, JSON.stringify(value));
    }
  } catch {
    // Nothing to be done: the page works without.
  }
}

/** Tells when another tab of this browser changes a key. */
export function whenChangedElsewhere(key: string, act: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === PREFIX + key) {
      act();
    }
  });
}
