import { type Document, resolveSchema, type Schema, typesOf } from './document.ts';

/** A field of a body, as the reference lists it. */
export interface Field {
  /** `data[].prices.market` */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

/** Returns every field of a body, each followed by the fields inside it. */
export function fieldsOf(document: Document, schema: Schema, prefix = ''): Field[] {
  const { properties = {}, required = [] } = resolveSchema(document, schema);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const resolved = resolveSchema(document, field);
    const { items } = resolved;
    const type = typeText(resolved) + (required.includes(name) ? '' : '; optional');
    const own = { path, type, description: resolved.description ?? '' };
    const inside = items
      ? fieldsOf(document, items, `${path}[]`)
      : fieldsOf(document, resolved, path);
    return [own, ...inside];
  });
}

/** Describes the values of a schema: `number or null`, `integer, 1 to 100, by default 20`. */
export function typeText(schema: Schema): string {
  const { enum: names, default: initial } = schema;
  const type = names
    ? `one of ${names.map((name) => name ?? 'null').join(', ')}`
    : typesOf(schema).join(' or ');
  const shownDefault = initial === undefined ? [] : [`by default ${initial}`];
  return [type || 'object', ...bounds(schema), ...shownDefault].join(', ');
}

function bounds(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    ...range('', minimum, maximum),
    ...range(' characters', minLength, maxLength),
    ...range(' items', minItems, maxItems),
  ];
}

function range(unit: string, least: number | undefined, most: number | undefined): string[] {
  const isUnbounded = most === undefined || most === Number.MAX_SAFE_INTEGER;
  if (isUnbounded) return least === undefined ? [] : [`at least ${least}${unit}`];
  return [least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`];
}
