import type { ValueSchema } from '../faults/requests/routes.ts';

const EMAIL = 'ann@shop.example';

/** Texts of which one fits each pattern and length that a body may ask for. */
const TEXTS = ['a password that is long', '2026-01-01T00:00:00.000Z', '1'];

/** A value that a schema of a body accepts, with all of its properties. */
export function validBody(schema: ValueSchema, name = ''): unknown {
  const [first] = schema.anyOf ?? [];
  if (first) return validBody(first);
  if (schema.enum) return schema.enum[0];
  const type = [schema.type].flat()[0];
  if (type === 'object') return validObject(schema);
  if (type === 'array') return schema.items ? [validBody(schema.items)] : [];
  if (name === 'email') return EMAIL;
  if (type === 'string') return TEXTS.find((text) => fits(text, schema));
  return type === 'boolean' ? true : (schema.minimum ?? 1);
}

function validObject({ properties = {} }: ValueSchema): object {
  const values = Object.entries(properties).map(([name, value]) => [name, validBody(value, name)]);
  return Object.fromEntries(values);
}

function fits(text: string, { pattern = '', maxLength = text.length }: ValueSchema): boolean {
  return text.length <= maxLength && new RegExp(pattern, 'u').test(text);
}
