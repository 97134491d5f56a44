import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Day, parseDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { type Cents, centsFromDollars } from '../../domain/money.ts';

/** What the raw shapes of sources are made of. */

/** A record that is not what its source is known to publish; the message says why. */
export class BadRecord extends Error {}

/** A field that may be null or left out. */
export const Nullish = <Schema extends TSchema>(schema: Schema) => {
  return Type.Optional(Type.Union([schema, Type.Null()]));
};

/** A name, a code, a number: text that is there, of a length that such a thing has. */
export const Label = Type.String({ minLength: 1, maxLength: 500 });

/** An amount in dollars or euros, as sources write it: a number or its text. */
export const Amount = Type.Union([Type.Number(), Type.String({ maxLength: 40 })]);

/**
 * Makes the reader of a shape. Fields that the shape does not name are left alone.
 *
 * The reader throws BadRecord, naming the field, for what does not have the shape.
 */
export function compileParser<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Static<Schema> {
  const checker = Compile(schema);
  return (value) => {
    if (checker.Check(value)) return value as Static<Schema>;
    const [fault] = checker.Errors(value);
    const where = fault?.instancePath.slice(1).replaceAll('/', '.') ?? '';
    throw new BadRecord(`${where} ${fault?.message ?? 'is wrong'}`.trim());
  };
}

/**
 * Makes the reader of what a source answers when it is asked for what there is.
 *
 * The reader throws OperatorError, naming the field, for what does not have the shape.
 */
export function compileAnswerParser<Schema extends TSchema>(
  source: string,
  schema: Schema,
): (value: unknown) => Static<Schema> {
  const read = compileParser(schema);
  return (value) => {
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      throw new OperatorError(`${source} does not answer as it used to: ${error.message}.`);
    }
  };
}

/**
 * The whole cents of an amount such as `4.08`; null where the source gives none. Nothing and zero
 * mean that nothing is known.
 *
 * @throws BadRecord for what cannot be a price.
 */
export function parseCents(value: string | number | null | undefined): Cents | null {
  if (value === null || value === undefined || value === '') return null;
  const isAmount = typeof value === 'number' || /^\d+(\.\d+)?$/.test(value);
  const whole = isAmount ? centsFromDollars(Number(value)) : undefined;
  if (whole === undefined) {
    throw new BadRecord(`"${String(value).slice(0, 40)}" cannot be a price`);
  }
  return whole === 0 ? null : whole;
}

/** The day of `2026-01-28` or `2026/01/28`, whatever follows it; undefined for anything else. */
export function parseDayPrefix(text: string): Day | undefined {
  return parseDay(text.slice(0, 10).replaceAll('/', '-'));
}
