/**
 * Reads an OpenAPI document into the types and operations of a client. Objects without a name are
 * named after their position, because Python's `TypedDict` needs a name.
 */

export type Type =
  | { readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'null' | 'unknown' }
  | { readonly kind: 'literals'; readonly values: readonly unknown[] }
  | { readonly kind: 'list' | 'map'; readonly of: Type }
  | { readonly kind: 'union'; readonly of: readonly Type[] }
  | { readonly kind: 'named'; readonly name: string };

export interface Field {
  readonly name: string;
  readonly type: Type;
  readonly isRequired: boolean;
  readonly description: string;
}

/** An object with fields, or a name for another type. */
export interface NamedType {
  readonly name: string;
  readonly description: string;
  readonly fields?: readonly Field[];
  readonly alias?: Type;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly description: string;
  /** The parameters in the path, in order. */
  readonly places: readonly Field[];
  readonly query: readonly Field[];
  readonly body: readonly Field[];
  /** The name of the type of its answer. */
  readonly answer: string;
  /** The type of the items of a paged list. */
  readonly item?: Type;
  /** The most items on a page. */
  readonly limit: number;
}

export interface Model {
  readonly types: readonly NamedType[];
  readonly operations: readonly Operation[];
}

/** The parts of JSON Schema that Cardprice's documents use. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly maximum?: number;
}

interface Media {
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, Media>>;
}

/** An OpenAPI document as `documentOf` returns it. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Returns the types and operations of a document, types in the order of their names. */
export function modelOf(document: Document): Model {
  const reader = new Reader(document);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) => {
    return Object.entries(methods).map(([method, operation]) => {
      return reader.operation(method.toUpperCase(), path, operation);
    });
  });
  const types = [...reader.types.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { types, operations };
}

/** Writes `getCard` as `GetCard`, and `near_mint` as `NearMint`. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

class Reader {
  readonly types = new Map<string, NamedType>();
  readonly #document: Document;
  /** The names of answers by their schemas: operations with the same answer share a type. */
  readonly #answers = new Map<string, string>();
  /** The names of the types of parameters by their values. */
  readonly #choices = new Map<string, string>();

  constructor(document: Document) {
    this.#document = document;
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      if (isDeclared(schema)) this.#define(name, schema);
    }
  }

  operation(method: string, path: string, operation: OperationObject): Operation {
    const { operationId: id, summary, description } = operation;
    const parameters = (operation.parameters ?? []).map((part) => this.#resolve(part));
    // The clients return objects, so they do not ask for tables.
    const query = parameters.filter((one) => one.in === 'query' && one.name !== 'format');
    const places = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, place]) => {
      return parameters.filter((parameter) => parameter.in === 'path' && parameter.name === place);
    });
    const sent = operation.requestBody && this.#resolve(schemaIn(operation.requestBody));
    const answer = schemaIn(this.#resolve(operation.responses[200] ?? {}));
    const items = answer.properties?.data?.items;
    const isPaged = query.some(({ name }) => name === 'offset');
    return {
      id,
      method,
      path,
      description: [summary && `${summary}.`, description].filter(Boolean).join(' '),
      places: places.map((parameter) => this.#parameter(id, parameter)),
      query: query.map((parameter) => this.#parameter(id, parameter)),
      body: sent ? this.#fields(pascal(id), sent) : [],
      answer: this.#answerOf(id, answer),
      ...(isPaged && items && { item: this.#typeOf(items, pascal(id)) }),
      limit: query.find(({ name }) => name === 'limit')?.schema.maximum ?? 0,
    };
  }

  #answerOf(id: string, schema: Schema): string {
    const text = JSON.stringify(schema);
    const known = this.#answers.get(text);
    if (known !== undefined) return known;
    const name = `${pascal(id)}Answer`;
    this.#define(name, schema);
    this.#answers.set(text, name);
    return name;
  }

  #parameter(id: string, { name, required, description, schema }: Parameter): Field {
    const { enum: values } = schema;
    // Texts in a query, but booleans in a program.
    const isFlag = values?.length === 2 && values.includes('true') && values.includes('false');
    const type: Type = isFlag ? { kind: 'boolean' } : this.#typeOfParameter(id, name, schema);
    return { name, type, isRequired: required ?? false, description: description ?? '' };
  }

  #typeOfParameter(id: string, name: string, { items, ...schema }: Schema): Type {
    if (items) return { kind: 'list', of: this.#typeOfParameter(id, name, items) };
    if (schema.enum) return { kind: 'named', name: this.#choiceOf(id, name, schema.enum) };
    return this.#typeOf(schema, pascal(id) + pascal(name));
  }

  /** Returns the name of the type of a parameter with these values. Operations share the type. */
  #choiceOf(id: string, parameter: string, values: readonly unknown[]): string {
    const text = JSON.stringify(values);
    const known = this.#choices.get(text);
    if (known !== undefined) return known;
    const plain = `${pascal(parameter)}Choice`;
    const name = this.types.has(plain) ? pascal(id) + plain : plain;
    this.types.set(name, { name, description: '', alias: { kind: 'literals', values } });
    this.#choices.set(text, name);
    return name;
  }

  #define(name: string, schema: Schema): void {
    const description = schema.description ?? '';
    if (schema.properties) {
      this.types.set(name, { name, description, fields: this.#fields(name, schema) });
    } else {
      this.types.set(name, { name, description, alias: this.#typeOf(schema, name) });
    }
  }

  #fields(parent: string, { properties = {}, required = [] }: Schema): Field[] {
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      type: this.#typeOf(schema, parent + pascal(name)),
      isRequired: required.includes(name),
      description: schema.description ?? this.#resolve(schema).description ?? '',
    }));
  }

  /** Returns the type of a schema; `name` is for an object that it may describe. */
  #typeOf(schema: Schema, name: string): Type {
    const { $ref, enum: values, type, anyOf, oneOf = anyOf } = schema;
    if ($ref !== undefined) return this.#referred($ref);
    if (oneOf) return unionOf(oneOf.map((one) => this.#typeOf(one, name)));
    if (values) return { kind: 'literals', values };
    if (schema.const !== undefined) return { kind: 'literals', values: [schema.const] };
    if (typeof type === 'string') return this.#simpleType(type, schema, name);
    return unionOf((type ?? []).map((one) => this.#simpleType(one, schema, name)));
  }

  #referred($ref: string): Type {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    const schema = this.#resolve<Schema>({ $ref });
    return isDeclared(schema) ? { kind: 'named', name } : this.#typeOf(schema, name);
  }

  #simpleType(type: string, schema: Schema, name: string): Type {
    if (type === 'string') return { kind: 'text' };
    if (type === 'array')
      return { kind: 'list', of: this.#typeOf(schema.items ?? {}, `${name}Item`) };
    if (type === 'object') return this.#objectType(schema, name);
    return { kind: type as 'number' | 'integer' | 'boolean' | 'null' };
  }

  #objectType(schema: Schema, name: string): Type {
    if (!schema.properties) {
      const { additionalProperties: values } = schema;
      return { kind: 'map', of: this.#typeOf(typeof values === 'object' ? values : {}, name) };
    }
    const { description: _, ...own } = schema;
    this.#define(name, own);
    return { kind: 'named', name };
  }

  /** Returns a part of the document, resolving a reference. */
  #resolve<Part extends object>(part: Part & { readonly $ref?: string }): Part {
    if (part.$ref === undefined) return part;
    const [, ...keys] = part.$ref.split('/');
    return keys.reduce<unknown>((whole, key) => {
      return (whole as Record<string, unknown>)[key];
    }, this.#document) as Part;
  }
}

function schemaIn({ content }: Media): Schema {
  return content?.['application/json'].schema ?? {};
}

function unionOf(types: readonly Type[]): Type {
  const [first, ...others] = types;
  if (!first) return { kind: 'unknown' };
  return others.length === 0 ? first : { kind: 'union', of: types };
}

/**
 * Whether a component deserves a name in a program. Other components only rename a text or a
 * number.
 */
function isDeclared({ type, properties, enum: values }: Schema): boolean {
  return (type === 'object' && properties !== undefined) || values !== undefined;
}
