import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { KEY_PREFIX } from '../accounts/keys/api-key.ts';
import { ApiError, type ParameterProblem } from '../domain/errors.ts';
import { invalidBody } from './errors.ts';

/** Checks requests against their schemas, with messages for people. */

/** The keywords in the schemas of parameters. */
interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  /** For an array: the allowed words. */
  readonly items?: { readonly enum: readonly string[] };
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, ParameterSchema>>;
  readonly required?: readonly string[];
}

/** The most characters of a value that messages repeat. */
const SHOWN_CHARACTERS = 60;

/** Checks parameters one by one, and a body as a whole. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'body') return bodyValidator(schema);
  const validate = parameterValidator(schema);
  return httpPart === 'querystring' ? queryValidator(schema, validate) : validate;
};

/** Returns a function that checks a JSON value against a schema and describes the first fault. */
export function bodyValidator(schema: TSchema & { readonly description?: string }) {
  const checker = Compile(schema);
  return (body: unknown) => {
    if (checker.Check(body)) return { value: body };
    const [fault] = checker.Errors(body);
    const { instancePath = '', message = 'is wrong' } = fault ?? {};
    return { error: invalidBody(partOf(instancePath), `${message}.`, schema.description) };
  };
}

/** A JSON pointer in readable form: `/ids/1` is `ids[1]`. */
function partOf(instancePath: string): string {
  const [, name = 'body', ...indexes] = instancePath.split('/');
  return name + indexes.map((index) => `[${index}]`).join('');
}

function parameterValidator(schema: TSchema) {
  const { properties, required = [] } = schema as unknown as ObjectSchema;
  const entries = Object.entries(properties);
  return (sent: Record<string, unknown>) => {
    const value: Record<string, unknown> = {};
    const details: ParameterProblem[] = [];
    for (const [parameter, rules] of entries) {
      const parsed = parse(sent[parameter], rules, required.includes(parameter));
      if (parsed.problem === undefined) value[parameter] = parsed.value;
      else details.push({ parameter, message: parsed.problem });
    }
    return details.length === 0 ? { value } : { error: invalidParameters(details) };
  };
}

function invalidParameters(details: readonly ParameterProblem[]): ApiError {
  const message = details.map((detail) => `${detail.parameter}: ${detail.message}`).join(' ');
  return new ApiError('INVALID_PARAMETER', message, { details });
}

/** The query parameters that the endpoint does not have, by validated query. */
const unknownParameters = new WeakMap<object, readonly ParameterProblem[]>();

/**
 * Returns the parameters of a validated query that its endpoint does not have, if there are any.
 */
export function unknownParametersOf(query: unknown): readonly ParameterProblem[] | undefined {
  return typeof query === 'object' && query !== null ? unknownParameters.get(query) : undefined;
}

/** The most unknown parameters to name, because a long query must not cause a long answer. */
const MAX_NAMED = 10;

function queryValidator(schema: TSchema, validate: ReturnType<typeof parameterValidator>) {
  const { properties } = schema as unknown as ObjectSchema;
  const names = Object.keys(properties).sort();
  // The hooks have already read the API key.
  const known = new Set([...names, 'api_key']);
  const message = `is not a parameter of this endpoint. It has ${names.join(', ')}.`;
  return (sent: Record<string, unknown>) => {
    const result = validate(sent);
    const unknown = Object.keys(sent).filter((name) => !known.has(name));
    if (result.error || unknown.length === 0) return result;
    const problems = unknown.slice(0, MAX_NAMED).map((name) => {
      return { parameter: shown(name), message };
    });
    if (result.value.strict === 'true') return { error: invalidParameters(problems) };
    unknownParameters.set(result.value, problems);
    return result;
  };
}

interface Parsed {
  readonly value?: unknown;
  readonly problem?: string;
}

function parse(sent: unknown, rules: ParameterSchema, required: boolean): Parsed {
  if (sent === undefined) {
    if (rules.default !== undefined) return { value: rules.default };
    return required ? { problem: `is required; it must be ${allowed(rules)}.` } : {};
  }
  if (typeof sent !== 'string') return { problem: 'was sent more than once; send it once.' };
  if (rules.items) return parseWords(sent, rules.items.enum);
  const text = sent.trim();
  const value = parseAs(rules.type, text);
  if (value !== undefined && fits(value, rules)) return { value };
  return { problem: `"${shown(sent)}" is not allowed; it must be ${allowed(rules)}.` };
}

function parseWords(sent: string, known: readonly string[]): Parsed {
  const words = sent.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return { value: words };
  const problem = `"${shown(unknown)}" is not allowed; it must be some of ${known.join(', ')}, separated by commas.`;
  return { problem };
}

function parseAs(type: string | undefined, text: string): string | number | undefined {
  if (type === 'integer') return wholeNumber(text);
  return type === 'number' ? amount(text) : text;
}

/** Parses an amount of money, the only kind of number that may have decimals. */
function amount(text: string): number | undefined {
  return /^\d{1,16}(?:\.\d{1,2})?$/.test(text) ? Number(text) : undefined;
}

function wholeNumber(text: string): number | undefined {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(value) ? value : undefined;
}

function fits(value: string | number, rules: ParameterSchema): boolean {
  if (typeof value === 'number') {
    return value >= (rules.minimum ?? -Infinity) && value <= (rules.maximum ?? Infinity);
  }
  if (rules.enum) return rules.enum.includes(value);
  const { minLength = 0, maxLength = Infinity } = rules;
  // A character is one or two UTF-16 units, so only lengths near a bound need counting.
  if (value.length >= 2 * minLength && value.length <= maxLength) return true;
  const { length } = [...value];
  return length >= minLength && length <= maxLength;
}

/** The allowed values of a parameter, as the end of "it must be …". */
function allowed(rules: ParameterSchema): string {
  if (rules.enum) return `one of ${rules.enum.join(', ')}`;
  if (rules.type === 'integer') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = rules;
    return maximum === Number.MAX_SAFE_INTEGER
      ? `a whole number of ${minimum} or more`
      : `a whole number from ${minimum} to ${maximum}`;
  }
  if (rules.type === 'number') {
    return `an amount from ${rules.minimum ?? 0} to ${rules.maximum ?? Infinity}, with at most two decimals`;
  }
  return rules.maxLength === undefined
    ? 'some text'
    : `${rules.minLength ?? 0} to ${rules.maxLength} characters`;
}

/** An API key, or the start of one. */
const KEY = new RegExp(`${KEY_PREFIX}[\\w-]+`, 'g');

/**
 * Returns the start of a text from a caller, safe to show. Replaces control characters, and cuts
 * off API keys pasted in the wrong place.
 */
export function shown(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\uFFFD').replace(KEY, `${KEY_PREFIX}…`);
  return clean.length > SHOWN_CHARACTERS ? `${clean.slice(0, SHOWN_CHARACTERS)}…` : clean;
}

/** Creates the serializers of an application's responses. */
type SerializerFactory = ReturnType<typeof SerializerSelector>;

const compilerFor = SerializerSelector();

/** Receives work that blocks the process for a moment, to do before an answer needs it. */
export type PrepareWith = (work: () => void) => void;

/**
 * Returns Fastify's own serializers. Each is compiled by the work that `prepareWith` receives, or
 * for the first response that needs it. Compiling all takes a tenth of a second, which a single
 * process avoids at its start.
 */
export function lateSerializers(prepareWith: PrepareWith = () => {}): SerializerFactory {
  return (schemas, options) => {
    const compile = compilerFor(schemas, options);
    return (route) => {
      let serialize: ReturnType<typeof compile> | undefined;
      const compiled = () => {
        serialize ??= compile(route);
        return serialize;
      };
      prepareWith(compiled);
      return (body) => compiled()(body);
    };
  };
}
