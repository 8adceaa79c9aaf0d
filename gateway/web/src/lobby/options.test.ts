import { expect, test } from 'vitest';
import { optionsOf } from './options';

test('choices follow from a JSON Schema, as far as buttons can show them', () => {
  const schema = {
    properties: {
      capture: { $ref: '#/$defs/Capture', default: 'empty' },
      seeds: { type: 'integer', minimum: 3, maximum: 6, default: 4 },
      plain: { enum: ['a', 'b'] },
      alone: { enum: ['a'] },
      huge: { type: 'integer', minimum: 0, maximum: 1_000_000 },
      free: { type: 'string' },
      lost: { $ref: '#/$defs/Nowhere' },
    },
    $defs: { Capture: { oneOf: [{ const: 'standard' }, { enum: ['empty', 'other'] }, {}] } },
  };
  expect(optionsOf(schema)).toEqual([
    { key: 'capture', values: ['standard', 'empty', 'other'], preset: 'empty' },
    { key: 'seeds', values: [3, 4, 5, 6], preset: 4 },
    { key: 'plain', values: ['a', 'b'], preset: 'a' },
  ]);
  expect(optionsOf(undefined)).toEqual([]);
  expect(optionsOf(true)).toEqual([]);
});
