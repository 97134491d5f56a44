/** The parts of our OpenAPI document that the reference shows. */

export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly (string | null)[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly $ref?: string;
}

interface Content {
  readonly 'application/json'?: {
    readonly schema: Schema;
    readonly example?: unknown;
    readonly examples?: Readonly<
      Record<string, { readonly value: { readonly error: { readonly message: string } } }>
    >;
  };
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Returns a schema, or the one that it refers to. */
export function resolveSchema(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return (name === undefined ? undefined : document.components.schemas[name]) ?? schema;
}

/** Returns the types of a schema; `null` among them means that the value may be null. */
export function typesOf({ type = [] }: Schema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

/** A field of a body, as the reference lists it. */
export interface Field {
  /** `data[].prices.market` */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

/** Objects with at least as many fields are listed once, and then referred to. */
const FIELDS_OF_LARGE = 4;

/**
 * Returns every field of a body, each followed by the fields inside it. A large object that is there
 * again refers to its first place; `places` has these by the text of their fields.
 */
export function fieldsOf(
  document: Document,
  schema: Schema,
  prefix = '',
  places = new Map<string, string>(),
): Field[] {
  const { properties = {}, required = [] } = resolveSchema(document, schema);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const resolved = resolveSchema(document, field);
    const { items, description = '' } = resolved;
    const [inner, place] = items ? [resolveSchema(document, items), `${path}[]`] : [resolved, path];
    const known = knownPlace(inner, place, places);
    const type = [typeText(resolved), ...(known === undefined ? [] : [`like ${known}`])].join(', ');
    const own = { path, type: required.includes(name) ? type : `${type}; optional`, description };
    return known === undefined ? [own, ...fieldsOf(document, inner, place, places)] : [own];
  });
}

/** Returns where an equal large object is; undefined, and remembers the place, if there is none. */
function knownPlace(
  { properties = {} }: Schema,
  place: string,
  places: Map<string, string>,
): string | undefined {
  if (Object.keys(properties).length < FIELDS_OF_LARGE) return undefined;
  const text = JSON.stringify(properties);
  const known = places.get(text);
  if (known === undefined) places.set(text, place);
  return known;
}

/** Describes the values of a schema: `number or null`, `integer, 1 to 100, by default 20`. */
export function typeText(schema: Schema): string {
  const { enum: names, default: initial, items } = schema;
  const words = items?.enum && `some of ${items.enum.join(', ')}, separated by commas`;
  const type = names
    ? `one of ${names.map((name) => name ?? 'null').join(', ')}`
    : (words ?? typesOf(schema).join(' or '));
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

/** Example values of each type, for schemas without an example. */
const VALUES: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 453.86,
  boolean: false,
};

/** Returns a value that a schema allows: its first example, or one built from its parts. */
export function exampleOf(document: Document, schema: Schema): unknown {
  const { examples, enum: names, items, properties, ...rest } = resolveSchema(document, schema);
  const given = examples?.[0] ?? rest.default ?? names?.[0];
  if (given !== undefined) return given;
  if (items) return [exampleOf(document, items)];
  if (!properties) return VALUES[typesOf(rest)[0] ?? ''] ?? null;
  const fields = Object.entries(properties).map(([name, field]) => {
    return [name, exampleOf(document, field)] as const;
  });
  return Object.fromEntries(fields);
}

/** Where parameters are, in the order in which the reference shows them. */
const PLACES: readonly Parameter['in'][] = ['path', 'query', 'header'];

/** Returns the parameters of an operation: by place, and of a place the required ones first. */
export function orderedParameters({ parameters = [] }: Operation): readonly Parameter[] {
  const rank = ({ in: place, required }: Parameter) => PLACES.indexOf(place) - (required ? 0.5 : 0);
  return parameters.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns an example of a parameter, as an address has it. */
export function exampleOfParameter(document: Document, { example, schema }: Parameter): string {
  return String(example ?? exampleOf(document, schema));
}

/** Returns the path with an example of each required parameter. */
export function pathOf(document: Document, path: string, { parameters = [] }: Operation): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const parameter of parameters) {
    const { name, in: place, required } = parameter;
    const example = exampleOfParameter(document, parameter);
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(example));
    else if (required) query.set(name, example);
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}
