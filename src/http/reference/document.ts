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

/** Returns a schema, or the schema that it refers to. */
export function resolveSchema(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return (name === undefined ? undefined : document.components.schemas[name]) ?? schema;
}

/** Returns the types of a schema, with `null` if the value may be null. */
export function typesOf({ type = [] }: Schema): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}

/** The place where the fields of an object are listed. */
export interface Place {
  readonly operationId: string;
  /** `data[].prices`; `''` for a body. */
  readonly path: string;
}

/** A field of a body, as listed in the reference. */
export interface Field {
  /** `data[].prices.market` */
  readonly path: string;
  readonly type: string;
  readonly isOptional: boolean;
  /** The place where the page lists its fields; undefined if they follow. */
  readonly like: Place | undefined;
  readonly description: string;
}

/** Objects with at least this many fields are listed once per body, and then referred to. */
const FIELDS_OF_LARGE = 4;

/** Objects with at least this many fields are listed once per page. */
const FIELDS_OF_LARGEST = 8;

/** Places of objects, by the text of their fields. */
export type Places = ReadonlyMap<string, Place>;

/**
 * Returns the place where a page lists each of the largest objects of bodies: the least deep one,
 * or the first.
 */
export function placesIn(
  document: Document,
  bodies: readonly (readonly [operationId: string, schema: Schema])[],
): Places {
  const places = new Map<string, Place>();
  const add = (schema: Schema, { operationId, path }: Place) => {
    for (const { inner, path: at } of partsOf(document, schema, path)) {
      const place = { operationId, path: at };
      const text = textOf(inner, FIELDS_OF_LARGEST);
      const known = text === undefined ? undefined : places.get(text);
      if (text !== undefined && (!known || depthOf(place) < depthOf(known)))
        places.set(text, place);
      add(inner, place);
    }
  };
  for (const [operationId, schema] of bodies) add(schema, { operationId, path: '' });
  return places;
}

/** Returns every field of a body at a place, each followed by the fields inside it. */
export function fieldsOf(
  document: Document,
  schema: Schema,
  places: Places,
  { operationId, path }: Place,
): Field[] {
  const here = new Map<string, Place>();
  const list = (body: Schema, prefix: string): Field[] => {
    return partsOf(document, body, prefix).flatMap(({ inner, path: at, own }) => {
      const text = textOf(inner, FIELDS_OF_LARGE) ?? '';
      const known = places.get(text) ?? here.get(text);
      const like = known?.operationId === operationId && known.path === at ? undefined : known;
      if (text !== '' && !like) here.set(text, { operationId, path: at });
      return [{ ...own, like }, ...(like ? [] : list(inner, at))];
    });
  };
  return list(schema, path);
}

/** Returns the fields of an object, each with the fields inside it. */
function partsOf(document: Document, schema: Schema, prefix: string) {
  const { properties = {}, required = [] } = resolveSchema(document, schema);
  return Object.entries(properties).map(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const resolved = resolveSchema(document, field);
    const { items, description = '' } = resolved;
    const isOptional = !required.includes(name);
    return {
      inner: resolveSchema(document, items ?? resolved),
      path: items ? `${path}[]` : path,
      own: { path, type: typeText(resolved), isOptional, description },
    };
  });
}

/** Returns the text of an object's fields, for finding equal ones; undefined if there are few. */
function textOf({ properties = {} }: Schema, least: number): string | undefined {
  return Object.keys(properties).length < least ? undefined : JSON.stringify(properties);
}

function depthOf({ path }: Place): number {
  return path.split(/\.|\[\]/).length;
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

/** The places of parameters, in the order of the reference. */
const PLACES: readonly Parameter['in'][] = ['path', 'query', 'header'];

/** Returns the parameters of an operation by place, with the required ones first in each. */
export function orderedParameters({ parameters = [] }: Operation): readonly Parameter[] {
  const rank = ({ in: place, required }: Parameter) => PLACES.indexOf(place) - (required ? 0.5 : 0);
  return parameters.toSorted((a, b) => rank(a) - rank(b));
}

/** Returns an example of a parameter, as written in a URL. */
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
