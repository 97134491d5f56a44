import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** Reads and writes a database column that contains JSON or null. */
export interface JsonColumn<Value> {
  /** Returns the value of a stored text. Throws if the text does not match the schema. */
  read(stored: string): Value;
  read(stored: string | null): Value | null;
  write(value: Frozen<Value>): string;
  write(value: Frozen<Value> | null): string | null;
}

/** A value that is read-only at every depth. */
type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : { readonly [Name in keyof Value]: Frozen<Value[Name]> };

/**
 * Defines a JSON column. Its reader checks every stored value against the schema.
 *
 * @param name The name of the column for error messages: `accounts.limits`.
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
