import assert from 'node:assert/strict';
import { ERRORS } from '../../src/domain/errors.ts';

/** The parts of an OpenAPI document that the tests look at. */

export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly $ref?: string;
  readonly [keyword: string]: unknown;
}
export interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<
    Record<string, { readonly value: { error: { code: string; status: number } } }>
  >;
}
export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { description: string; schema: Schema }>>;
  readonly content?: Readonly<Record<string, Media>>;
}
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly example?: unknown;
  readonly schema: Schema;
}
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}
export interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export const JSON_TYPE = 'application/json';

/** The parts of a document that operations refer to, by kind and name. */
type Components = Readonly<Record<string, Readonly<Record<string, object>>>>;

const SHARED = /^#\/components\/(headers|responses|parameters|examples)\/(.+)$/;

/**
 * Parses a document, and puts the headers, responses and parameters that it names in their places.
 * Operations have a response for each status that their `default` response stands for.
 */
export function parseDocument(text: string): Document {
  const parsed = JSON.parse(text);
  const document = inPlace(parsed, parsed.components) as Document;
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, operation]) => {
      const { default: common, ...own } = operation.responses;
      const responses = { ...(common && byStatus(common)), ...own };
      return [method, { ...operation, responses }];
    });
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Returns the response of each status in the examples of a common one, with its headers. */
function byStatus({ description, headers = {}, content }: Response): Record<string, Response> {
  const { schema, examples = {} } = content?.[JSON_TYPE] ?? assert.fail(description);
  const codes = Map.groupBy(Object.entries(examples), ([code]) => statusOf(code));
  const responses = [...codes].map(([status, same]) => {
    assert.match(description, new RegExp(`\\b${status}: `));
    const own = Object.entries(headers).filter(([, header]) => isOf(status, header.description));
    const media = { schema, examples: Object.fromEntries(same) };
    return [
      status,
      { description, headers: Object.fromEntries(own), content: { [JSON_TYPE]: media } },
    ];
  });
  return Object.fromEntries(responses);
}

function statusOf(code: string): number {
  return Object.entries(ERRORS).find(([known]) => known === code)?.[1].status ?? assert.fail(code);
}

/** Whether a header is that of a status: of all, unless it says `At 405: …`. */
function isOf(status: number, description: string): boolean {
  const [, statuses] = /^At ([^:]*): /.exec(description) ?? [];
  return statuses?.includes(String(status)) ?? true;
}

function inPlace(part: unknown, components: Components): unknown {
  if (Array.isArray(part)) return part.map((item) => inPlace(item, components));
  if (typeof part !== 'object' || part === null) return part;
  const [, kind = '', name = ''] = SHARED.exec('$ref' in part ? String(part.$ref) : '') ?? [];
  if (kind !== '') return inPlace(components[kind]?.[name] ?? assert.fail(name), components);
  const members = Object.entries(part).map(([key, value]) => [key, inPlace(value, components)]);
  return Object.fromEntries(members);
}

/** A schema with every reference replaced by what it refers to, and no field beyond its own. */
export function resolve(document: Document, schema: Schema): Schema {
  if (schema.$ref) {
    const found = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
    assert.ok(found, schema.$ref);
    return resolve(document, found);
  }
  const { properties, items, oneOf } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    return [name, resolve(document, field)] as const;
  });
  return {
    ...schema,
    ...(oneOf && { oneOf: oneOf.map((one) => resolve(document, one)) }),
    ...(items && { items: resolve(document, items) }),
    ...(properties && { properties: Object.fromEntries(fields), additionalProperties: false }),
  };
}

/** Every operation of `/v1`, with the path and the method under which it is. */
export function operationsOf(document: Document) {
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/v1/'));
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}
