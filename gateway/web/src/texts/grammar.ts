// What every language needs for its sentences: a number with its noun, and names that keep to themselves.

/** A noun in the forms that a language has; the last one is for whatever has no form of its own. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Says how many, with the noun in the form that goes with the number. */
export function counting(tongue: string): (n: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(tongue);
  const numbers = new Intl.NumberFormat(tongue);
  return (n, forms) => `${numbers.format(n)} ${forms[rules.select(n)] ?? forms.other}`;
}

/** Keeps a name's own direction from turning the sentence around it. */
export const isolated = (name: string) => `\u2068${name}\u2069`;
