import { STATUS_CODES } from 'node:http';
import answers from './example-answers.json' with { type: 'json' };
import { OPERATOR_DESCRIPTION } from './openapi.ts';
import { ANY_STATUS, joinCommonErrors, joinLikeErrors } from './openapi-common-errors.ts';
import { isObject, JSON_TYPE, type Json, type JsonObject, objectOf } from './openapi-json.ts';
import { WEBHOOKS } from './openapi-webhooks.ts';

/**
 * Splits the OpenAPI document of all routes into those of callers and of operators, and names
 * repeated parts: schemas, responses, headers, examples and parameters become components.
 */

/** A document of all routes, as @fastify/swagger makes it. */
export interface OpenApiDocument extends JsonObject {
  info: JsonObject;
  components: JsonObject & { schemas: Schemas };
  paths: Record<string, Record<string, JsonObject>>;
}

type Schemas = Record<string, JsonObject>;

const OPERATOR_INFO = { title: 'Cardprice API for operators', description: OPERATOR_DESCRIPTION };

/** The paths of operators' calls begin with this. */
const OPERATOR_PATHS = '/operator/';

/** Objects with at least this many fields get a name. */
const FIELDS_OF_NAMED = 4;

/** Longer examples of answers, in bytes, are only in the reference. */
const MAX_EXAMPLE = 300;

/** Which half of the routes a document describes. */
export type Audience = 'callers' | 'operators';

/** Facts about the service that the document describes. */
export interface Described {
  /** Its address, without a path. */
  readonly origin: string;
  readonly audience: Audience;
  /**
   * Whether operations list the parameters that all of them take, as the clients of this project
   * need.
   */
  readonly isForClients?: true;
}

/** Returns the routes of one audience by subject, in full, for the reference. */
export function halfOf(all: OpenApiDocument, audience: Audience): OpenApiDocument {
  const isOperators = audience === 'operators';
  const paths = Object.entries(all.paths).filter(([path]) => {
    return path.startsWith(OPERATOR_PATHS) === isOperators;
  });
  const used = new Set<string>();
  collectSchemas(Object.fromEntries(paths) as JsonObject, all.components.schemas, used);
  const schemas = Object.entries(all.components.schemas).filter(([name]) => used.has(name));
  const subjects = paths.map(([path]) => subjectOf(path));
  return {
    ...all,
    info: { ...all.info, ...(isOperators && OPERATOR_INFO) },
    tags: [...SUBJECTS, OTHER].filter((subject) => subjects.includes(subject)).map(tagOf),
    components: { ...all.components, schemas: Object.fromEntries(schemas) },
    paths: Object.fromEntries(paths.map(([path, methods]) => [path, operationsAt(path, methods)])),
  };
}

/** Returns the document of one audience for programs that read or generate code from it. */
export function documentOf(
  all: OpenApiDocument,
  { origin, audience, isForClients }: Described,
): OpenApiDocument {
  const half = structuredClone(halfOf(all, audience));
  if (audience === 'callers') removeFieldExamples(half);
  const schemas = new NamedSchemas(half.components.schemas);
  const operations = Object.values(half.paths).flatMap((methods) => Object.values(methods));
  for (const operation of operations) {
    schemas.nameIn(operation, subjectIn(String(operation.operationId)));
  }
  tidyParameters(operations);
  if (audience === 'callers' && !isForClients) removeCommonParameters(operations);
  joinCommonErrors(operations);
  joinLikeErrors(operations);
  const parameters = share('parameters', operations.flatMap(parametersIn));
  const responses = share('responses', operations.flatMap(responsesIn));
  // Then the repetitions in the remaining ones.
  const answering = [...operations, { responses }];
  const headers = share('headers', answering.flatMap(headersIn));
  const examples = share('examples', answering.flatMap(examplesIn));
  const answers = answering.flatMap(answersIn);
  removeLongExamples(answers);
  return {
    ...half,
    info: {
      ...half.info,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this service', url: origin },
    },
    servers: [{ url: origin, description: 'This service.' }],
    components: {
      ...half.components,
      schemas: withFields(schemas.all, answers),
      headers,
      examples,
      responses,
      parameters,
    },
    ...(audience === 'callers' && { webhooks: WEBHOOKS }),
  };
}

/** Removes the examples of fields of answers, which the answers of callers' operations repeat. */
function removeFieldExamples({ components, paths }: OpenApiDocument): void {
  removeExamples(components.schemas);
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const { schema = null } of answersIn(operation)) removeExamples(schema);
  }
}

function removeExamples(part: Json): void {
  if (part === null || typeof part !== 'object') return;
  // A field may be called `examples`, but it is then an object.
  if (isObject(part) && Array.isArray(part.examples)) delete part.examples;
  for (const inner of Object.values(part)) removeExamples(inner);
}

function removeLongExamples(answers: readonly JsonObject[]): void {
  for (const answer of answers) {
    if (sizeOf(answer.example ?? null) > MAX_EXAMPLE) delete answer.example;
  }
}

/**
 * Removes `required: false` from parameters, because it is the default. Moves the form of a list
 * next to its schema, as OpenAPI requires.
 */
function tidyParameters(operations: readonly JsonObject[]): void {
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if (!isObject(parameter)) continue;
    if (parameter.required === false) delete parameter.required;
    const { style, explode, ...schema } = objectOf(parameter.schema);
    if (style !== undefined && explode !== undefined) {
      Object.assign(parameter, { schema, style, explode });
    }
  }
}

/** Removes the parameters of all operations, because the description of the document lists them. */
function removeCommonParameters(operations: readonly JsonObject[]): void {
  const common = operations.map(parameterTexts).reduce((all, own) => all.intersection(own));
  for (const operation of operations) {
    const own = [...parameterTexts(operation).difference(common)];
    if (own.length === 0) delete operation.parameters;
    else operation.parameters = own.map((text) => JSON.parse(text));
  }
}

function parameterTexts({ parameters }: JsonObject): Set<string> {
  return new Set((Array.isArray(parameters) ? parameters : []).map((one) => JSON.stringify(one)));
}

/** The subjects of calls, with the first parts of their paths. */
const SUBJECTS: readonly Subject[] = [
  ['Search', 'Find cards by words, lines and ids.', ['search', 'autocomplete', 'resolve']],
  ['Cards', 'Prices of cards, their history and their origin.', ['cards']],
  ['Products', 'Prices of sealed products.', ['products']],
  [
    'Catalogue',
    'Games, sets and rarities, and what is priced.',
    ['games', 'sets', 'rarities', 'coverage'],
  ],
  [
    'Changes',
    'What changed, prices that moved, and files of all prices.',
    ['changes', 'manifest', 'movers', 'marketplace-changes', 'bulk'],
  ],
  ['Accounts', 'Accounts and their limits.', ['account', 'accounts']],
  ['Keys', 'API keys of accounts.', ['keys']],
  ['Plans', 'What accounts may use.', ['plans']],
  ['Alerts', 'Alerts on prices, and what they fired.', ['alerts']],
  ['Webhooks', 'Where events are sent.', ['webhooks']],
  ['Usage', 'Requests of accounts, and billing.', ['usage', 'usage.csv', 'billing']],
  ['Quarantine', 'Prices that wait for a decision.', ['quarantine']],
  [
    'Service',
    'State of the service, its sources and the audit log.',
    ['health', 'sources', 'sync', 'audit'],
  ],
];

type Subject = readonly [name: string, description: string, parts: readonly string[]];

/** The subject of calls without another subject. */
const OTHER: Subject = ['Other', 'Everything else.', []];

/** Returns the subject of a path. */
function subjectOf(path: string): Subject {
  const part = path.split('/v1/')[1]?.split('/')[0] ?? '';
  return SUBJECTS.find(([, , parts]) => parts.includes(part)) ?? OTHER;
}

/** Returns the operations of a path with their subject, and with an example of their answer. */
function operationsAt(
  path: string,
  methods: Record<string, JsonObject>,
): Record<string, JsonObject> {
  const [tag] = subjectOf(path);
  const operations = Object.entries(methods).map(([method, operation]) => {
    const own: JsonObject = { ...operation, tags: [tag] };
    return [method, withTable(withAnswer(own))] as const;
  });
  return Object.fromEntries(operations);
}

/** Answers of the starter catalogue, by ids of operations, written by scripts/examples.ts. */
const ANSWERS: Readonly<Record<string, Json>> = answers;

function withAnswer(operation: JsonObject): JsonObject {
  const example = ANSWERS[String(operation.operationId)];
  if (!example) return operation;
  return withContent(operation, (content) => {
    return { [JSON_TYPE]: { ...objectOf(content[JSON_TYPE]), example } };
  });
}

/** Adds the table with which an operation with a choice of formats can answer. */
function withTable(operation: JsonObject): JsonObject {
  if (!parametersIn(operation).some(({ name }) => name === 'format')) return operation;
  return withContent(operation, () => ({ 'text/csv': { schema: { type: 'string' } } }));
}

/** Adds further forms of an operation's answer. */
function withContent(
  operation: JsonObject,
  formsOf: (content: JsonObject) => JsonObject,
): JsonObject {
  const responses = objectOf(operation.responses);
  const ok = objectOf(responses['200']);
  const content = objectOf(ok.content);
  const forms = { ...content, ...formsOf(content) };
  return { ...operation, responses: { ...responses, 200: { ...ok, content: forms } } };
}

function tagOf([name, description]: Subject): JsonObject {
  return { name, description };
}

const SCHEMA_REF = '#/components/schemas/';

/** Adds the names of the schemas that a part of a document refers to, directly or not. */
function collectSchemas(part: Json, schemas: Schemas, names: Set<string>): void {
  if (part === null || typeof part !== 'object') return;
  for (const [key, value] of Object.entries(part)) {
    if (key !== '$ref') collectSchemas(value, schemas, names);
    else addSchema(String(value).replace(SCHEMA_REF, ''), schemas, names);
  }
}

function addSchema(name: string, schemas: Schemas, names: Set<string>): void {
  const schema = schemas[name];
  if (!schema || names.has(name)) return;
  names.add(name);
  collectSchemas(schema, schemas, names);
}

/** Names the objects inside schemas: each becomes a component, and equal ones share one. */
class NamedSchemas {
  readonly all: Schemas = {};
  /** The names of the objects so far, by their text without a description. */
  readonly #names = new Map<string, string>();

  constructor(given: Schemas) {
    for (const [name, schema] of Object.entries(given)) this.#names.set(shapeOf(schema), name);
    Object.assign(this.all, given);
    // The fullest schemas first, so their objects get the plain names.
    const fullest = Object.entries(given).toSorted(([, a], [, b]) => sizeOf(b) - sizeOf(a));
    for (const [name, { title: _, ...schema }] of fullest) {
      this.all[name] = { ...schema, ...this.#fieldsOf(schema, name) };
    }
  }

  /** Names the objects in the bodies of an operation. */
  nameIn(operation: JsonObject, parent: string): void {
    const parts = [operation.requestBody, ...Object.values(objectOf(operation.responses))];
    for (const part of parts.map(objectOf)) {
      const media = objectOf(objectOf(part.content)[JSON_TYPE]);
      if (!isObject(media.schema)) continue;
      const { description, ...schema } = media.schema;
      if (part === operation.requestBody && typeof schema.title === 'string') {
        media.schema = this.#referTo(media.schema, parent, parent);
        delete part.description;
        continue;
      }
      const own =
        description === undefined || description === part.description ? {} : { description };
      media.schema = { ...own, ...schema, ...this.#fieldsOf(media.schema, parent) };
    }
  }

  /** Returns the parent of a schema's fields or items, with references to named ones. */
  #fieldsOf(schema: JsonObject, parent: string): JsonObject {
    const { properties, items, description } = schema;
    if (isObject(items)) {
      // Items without a description have the list's. As a component they repeat it.
      const described = { ...(description !== undefined && { description }), ...items };
      const { description: own, ...item } = this.#referTo(described, singular(parent), parent);
      return {
        items: own === undefined || own === description ? item : { description: own, ...item },
      };
    }
    if (!isObject(properties)) return {};
    const fields = Object.entries(properties).map(([name, field]) => {
      // `data` of an answer holds the subject of the operation.
      const own = name === 'data' ? parent : pascal(name);
      return [name, isObject(field) ? this.#referTo(field, own, parent) : field];
    });
    return { properties: Object.fromEntries(fields) };
  }

  /**
   * Returns a reference to a component for a schema that deserves a name; other schemas are
   * returned with their fields.
   */
  #referTo(schema: JsonObject, name: string, parent: string): JsonObject {
    const { description, properties, type, title } = schema;
    const isNullable = Array.isArray(type) && type.includes('null') && type.includes('object');
    const object = isNullable ? { ...schema, type: 'object' } : schema;
    const isNamed = this.#names.has(shapeOf(object));
    // Small schemas with a title occur in many places. Titles with spaces are for messages.
    const isTitled = typeof title === 'string' && !title.includes(' ');
    const isLarge = Object.keys(objectOf(properties)).length >= FIELDS_OF_NAMED;
    const isNamedObject = object.type === 'object' && (isNamed || isLarge);
    if (!isTitled && !isNamedObject) {
      return { ...schema, ...this.#fieldsOf(schema, name) };
    }
    const component = this.#nameOf(object, isTitled ? title : name, parent);
    const reference = { $ref: SCHEMA_REF + component };
    const own = description === undefined ? {} : { description };
    if (isNullable) return { ...own, oneOf: [reference, { type: 'null' }] };
    const isRepeated = this.all[component]?.description === description;
    return isRepeated ? reference : { ...own, ...reference };
  }

  #nameOf(schema: JsonObject, name: string, parent: string): string {
    const shape = shapeOf(schema);
    const known = this.#names.get(shape);
    if (known !== undefined) return known;
    const free = unused(name in this.all ? parent + name : name, this.all);
    this.#names.set(shape, free);
    const { title: _, ...untitled } = schema;
    this.all[free] = { ...untitled, ...this.#fieldsOf(schema, free) };
    return free;
  }
}

/**
 * Returns the text of a schema apart from its description, in any order of its members. Objects are
 * alike by their fields; other schemas have few members, so their titles distinguish them.
 */
function shapeOf({ description: _, $id: _id, title, ...shape }: JsonObject): string {
  const members = shape.properties ? shape : { ...shape, title: title ?? null };
  return JSON.stringify(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function sizeOf(part: Json): number {
  return JSON.stringify(part).length;
}

/** The place of a part in an operation, and its possible name as a component. */
interface Place {
  readonly holder: JsonObject;
  readonly key: string;
  readonly name: string;
  /** The prefix of its name if another component already has that name. */
  readonly parent?: string;
}

/**
 * Replaces repeated parts with references if this makes the document shorter; returns the parts by
 * their names, which are not in `taken`.
 */
function share(kind: string, places: readonly Place[], taken: JsonObject = {}): JsonObject {
  const components: JsonObject = {};
  const alike = Map.groupBy(places, ({ holder, key }) => JSON.stringify(holder[key]));
  for (const [text, same] of alike) {
    const [first, second] = same;
    if (!first || !second) continue;
    const { name: plain, parent = '' } = first;
    const others = { ...taken, ...components };
    const name = unused(plain in others ? parent + plain : plain, others);
    const reference = { $ref: `#/components/${kind}/${name}` };
    const shared = sizeOf(reference) * same.length + sizeOf(name) + text.length;
    if (shared >= text.length * same.length) continue;
    components[name] = JSON.parse(text);
    for (const { holder, key } of same) holder[key] = reference;
  }
  return components;
}

/** Returns schemas in which every repeated field has a name. */
function withFields(schemas: Schemas, answers: readonly JsonObject[]): Schemas {
  const places = [
    ...Object.entries(schemas).flatMap(([name, schema]) => fieldsIn(schema, name)),
    ...answers.flatMap(({ schema }) => fieldsIn(objectOf(schema), 'Answer')),
  ];
  const fields = share('schemas', places, schemas);
  return { ...schemas, ...(fields as Schemas) };
}

/** Returns the fields of a schema without a name. A field with fields is replaced by them. */
function fieldsIn({ items, properties }: JsonObject, parent: string): Place[] {
  if (isObject(items)) return fieldsIn(items, parent);
  const holder = objectOf(properties);
  return Object.entries(holder).flatMap(([key, part]) => {
    const field = objectOf(part);
    const isReference = '$ref' in field && Object.keys(field).length === 1;
    // A choice with a name would become a type in the clients.
    if (isReference || 'enum' in field) return [];
    const inner = fieldsIn(field, pascal(key));
    return inner.length > 0 ? inner : [{ holder, key, name: nameOfField(key, field), parent }];
  });
}

/** Names a field. A field that may be null is named after the component that it refers to. */
function nameOfField(key: string, { oneOf }: JsonObject): string {
  const { $ref } = objectOf(Array.isArray(oneOf) ? oneOf[0] : undefined);
  return typeof $ref === 'string' ? `${$ref.replace(SCHEMA_REF, '')}OrNull` : pascal(key);
}

function responsesIn(operation: JsonObject): Place[] {
  const holder = objectOf(operation.responses);
  return Object.keys(holder).map((key) => ({ holder, key, name: nameOfResponse(key) }));
}

function headersIn(operation: JsonObject): Place[] {
  return Object.values(objectOf(operation.responses)).flatMap((response) => {
    const holder = objectOf(objectOf(response).headers);
    return Object.keys(holder).map((key) => ({ holder, key, name: nameOfHeader(key) }));
  });
}

function examplesIn(operation: JsonObject): Place[] {
  return answersIn(operation).flatMap(({ examples }) => {
    const holder = objectOf(examples);
    return Object.keys(holder).map((key) => ({ holder, key, name: key }));
  });
}

/** Returns the JSON answers that only this operation has. */
function answersIn({ responses }: JsonObject): JsonObject[] {
  return Object.values(objectOf(responses)).map((response) => {
    return objectOf(objectOf(objectOf(response).content)[JSON_TYPE]);
  });
}

function parametersIn({ parameters }: JsonObject): Place[] {
  // The keys of a list are its indexes.
  const holder = (Array.isArray(parameters) ? parameters : []) as unknown as JsonObject;
  return Object.entries(holder).map(([key, parameter]) => {
    return { holder, key, name: nameOfHeader(String(objectOf(parameter).name)) };
  });
}

/** Names a header: `Remaining` for `X-RateLimit-Remaining`. Many parts refer to each. */
function nameOfHeader(header: string): string {
  return header.replace(/^(?:X-(?:RateLimit-)?|If-Publication-)/, '');
}

/** Names a response by its status: `NotModified`, `Error429`. Every operation refers to many. */
function nameOfResponse(status: string): string {
  if (status === ANY_STATUS) return 'Error';
  if (status >= '400') return `Error${status}`;
  return (STATUS_CODES[status] ?? status).replaceAll(/\W/g, '');
}

function unused(name: string, taken: JsonObject): string {
  let free = name;
  for (let number = 2; free in taken; number += 1) free = `${name}${number}`;
  return free;
}

/** Returns the subject of an operation: `Accounts` for `listAccounts`. */
function subjectIn(operationId: string): string {
  return operationId.replace(/^[a-z]+/, '');
}

function pascal(name: string): string {
  return name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Names the items of a list: `Printing` for `Printings`. */
function singular(list: string): string {
  return list.endsWith('s') ? list.slice(0, -1) : `${list}Item`;
}
