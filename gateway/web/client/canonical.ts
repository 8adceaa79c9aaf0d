// JSON in the one form that RFC 8785 allows, so that equal values have equal hashes.

import type { Json } from './wire';

/** The canonical text of a value: keys sorted by UTF-16 code units, no white space. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key]!)}`);
    return `{${members.join(',')}}`;
  }
  // ECMAScript's own way to write strings and numbers is what the RFC prescribes.
  return JSON.stringify(value);
}
