// The choices that a game's JSON Schema of options allows, as far as a row of buttons can show them.
// What can't be shown is left to the server's defaults.

import type { Json } from '../../client';

export type OptionValue = string | number;

/** One option and its values. */
export interface Option {
  key: string;
  values: OptionValue[];
  preset: OptionValue;
}

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  default?: OptionValue;
  enum?: OptionValue[];
  const?: OptionValue;
  oneOf?: Schema[];
  anyOf?: Schema[];
  type?: string;
  minimum?: number;
  maximum?: number;
}

const VALUES_MAX = 8;

/** The options in the order of the schema. */
export function optionsOf(schema: Json | undefined): Option[] {
  const root = (schema ?? {}) as unknown as Schema;
  return Object.entries(root.properties ?? {}).flatMap(([key, property]) => {
    const values = valuesOf(property, root);
    const preset = property.default ?? values[0];
    return preset !== undefined && values.length > 1 && values.length <= VALUES_MAX ? [{ key, values, preset }] : [];
  });
}

function valuesOf(schema: Schema, root: Schema): OptionValue[] {
  const name = schema.$ref?.replace('#/$defs/', '');
  const found = name === undefined ? schema : (root.$defs?.[name] ?? {});
  const { minimum, maximum } = found;
  if (found.type === 'integer' && minimum !== undefined && maximum !== undefined && maximum - minimum < VALUES_MAX) {
    return Array.from({ length: maximum - minimum + 1 }, (_, k) => minimum + k);
  }
  if (found.enum) {
    return found.enum;
  }
  return (found.oneOf ?? found.anyOf ?? []).flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const]));
}
