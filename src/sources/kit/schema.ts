import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Day, formatDay, parseDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { type Cents, centsFromDollars } from '../../domain/money.ts';
import { decodeEntities, safeText } from '../../domain/text.ts';
import { BadRecord } from '../io/json.ts';

/** Parts of the schemas of raw records, and parsers of common fields. */

/** A field that may be null or absent. */
export const Nullish = <Schema extends TSchema>(schema: Schema) => {
  return Type.Optional(Type.Union([schema, Type.Null()]));
};

/** A name, a code or a number: text of 1 to 500 characters. */
export const Label = Type.String({ minLength: 1, maxLength: 500 });

/** An amount in dollars or euros, as a number or as text. */
export const Amount = Type.Union([Type.Number(), Type.String({ maxLength: 40 })]);

/**
 * Returns a parser for a schema. The parser returns the value itself, including fields that the
 * schema does not name. If the value does not match, the parser throws a BadRecord with the field
 * and its value.
 */
export function compileParser<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Static<Schema> {
  const checker = Compile(schema);
  return (value) => {
    if (checker.Check(value)) return value as Static<Schema>;
    const [fault] = checker.Errors(value);
    const path = fault?.instancePath.split('/').slice(1) ?? [];
    const wrong = `${path.join('.')} ${fault?.message ?? 'is wrong'}`.trim();
    throw new BadRecord(`${wrong}${foundAt(value, path)}`);
  };
}

/** Describes a scalar value that does not match. */
function foundAt(value: unknown, path: readonly string[]): string {
  const found = path.reduce<unknown>((container, name) => Object(container)[name], value);
  if (typeof found === 'object' || found === undefined) return '';
  return `, but is ${safeText(JSON.stringify(found), 40)}`;
}

/**
 * Returns a parser for responses of a source's API. It throws an OperatorError that names the
 * source and the field for a response that does not match.
 */
export function compileResponseParser<Schema extends TSchema>(
  source: string,
  schema: Schema,
): (value: unknown) => Static<Schema> {
  const parse = compileParser(schema);
  return (value) => {
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      throw new OperatorError(`${source} does not answer as it used to: ${error.message}.`);
    }
  };
}

/**
 * Converts an amount such as `4.08` into whole cents. Returns null for an absent amount and for
 * zero, which sources use for an unknown price.
 * @throws BadRecord for anything that cannot be a price.
 */
export function parseCents(value: string | number | null | undefined): Cents | null {
  if (value === null || value === undefined || value === '') return null;
  const isAmount = typeof value === 'number' || /^\d+(\.\d+)?$/.test(value);
  const cents = isAmount ? centsFromDollars(Number(value)) : undefined;
  if (cents === undefined) {
    throw new BadRecord(`"${String(value).slice(0, 40)}" cannot be a price`);
  }
  return cents === 0 ? null : cents;
}

/**
 * Parses `2026-01-28` or `2026/01/28`, with anything after it; returns undefined for other text.
 */
export function parseDayPrefix(text: string): Day | undefined {
  return parseDay(text.slice(0, 10).replaceAll('/', '-'));
}

/** Parses a release date like {@link parseDayPrefix}; returns `2026-01-28`, or null if unknown. */
export function parseDate(text: string | null | undefined): string | null {
  const day = parseDayPrefix(text ?? '');
  return day === undefined ? null : formatDay(day);
}

/** Returns the text on the card. TCGplayer writes `N/A` and `None` if there is none. */
export function printedText(text: string | null | undefined): string | null {
  const value = decodeEntities(text ?? '').trim();
  return value === '' || /^(n\/a|none)$/i.test(value) ? null : value;
}
