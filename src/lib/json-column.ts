import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** Reads and writes a column of the database that holds JSON, or null. */
export interface JsonColumn<Value> {
  /** Returns the value of a stored text. Throws for a text that does not match the schema. */
  read(stored: string): Value;
  read(stored: string | null): Value | null;
  write(value: Frozen<Value>): string;
  write(value: Frozen<Value> | null): string | null;
}

/** A value that nobody changes, however deep. */
type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : { readonly [Name in keyof Value]: Frozen<Value[Name]> };

/**
 * Describes a JSON column once, so that nobody trusts what is stored without a check.
 *
 * @param name Names the column in the error: `accounts.limits`.
 */
export function jsonColumn<Schema extends TSchema>(
  name: string,
  schema: Schema,
): JsonColumn<Static<Schema>> {
  type Value = Static<Schema>;
  let checker: ReturnType<typeof Compile<Schema>> | undefined;

  function read(stored: string): Value;
  function read(stored: string | null): Value | null;
  function read(stored: string | null): Value | null {
    if (stored === null) return null;
    const value: unknown = JSON.parse(stored);
    checker ??= Compile(schema);
    if (checker.Check(value)) return value as Value;
    const [fault] = checker.Errors(value);
    throw new Error(`${name} holds JSON of another form: ${fault?.instancePath} ${fault?.message}`);
  }

  function write(value: Frozen<Value>): string;
  function write(value: Frozen<Value> | null): string | null;
  function write(value: Frozen<Value> | null): string | null {
    return value === null ? null : JSON.stringify(value);
  }

  return { read, write };
}
