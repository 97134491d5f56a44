import fc from 'fast-check';

/** Wrong JSON values as text. Some are not even valid JSON. */
const WRONG_VALUES = [
  ...['null', '"abc"', '""', '-1', '1e300', '1e999', 'NaN', 'true', '[]', '{}', '[null]'],
  ...['"\\u001b[31m"', '"12,50"', '{"a":{"b":"]"}}'],
];

/** A wrong value in a field of a record, or in place of the whole record. */
export interface Corruption {
  /** The index of the record and of its field, from 0, modulo the number of records or fields. */
  readonly record: number;
  readonly field: number;
  readonly value: string;
  readonly what: 'field' | 'field is missing' | 'record';
}

export const corruption: fc.Arbitrary<Corruption> = fc.record({
  record: fc.nat(1000),
  field: fc.nat(100),
  value: fc.constantFrom(...WRONG_VALUES),
  what: fc.constantFrom('field', 'field', 'field is missing', 'record'),
});

/** Writes records as a JSON list with one of them corrupted. Returns the corrupted one. */
export function corrupt(
  records: readonly object[],
  { record, field, value, what }: Corruption,
): { readonly text: string; readonly index: number } {
  const index = record % records.length;
  const lines = records.map((one, at) => {
    if (at !== index) return JSON.stringify(one);
    if (what === 'record') return value;
    const fields = Object.entries(one);
    const written = fields.flatMap(([name, content], place) => {
      const isWrong = place === field % fields.length;
      if (isWrong && what === 'field is missing') return [];
      return `${JSON.stringify(name)}:${isWrong ? value : JSON.stringify(content)}`;
    });
    return `{${written.join(',')}}`;
  });
  return { text: `[${lines.join(',\n')}]`, index };
}
