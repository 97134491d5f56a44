import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { DeepReadonly } from './readonly.ts';

/** Reads and writes a database column that contains JSON or null. */
export interface JsonColumn<Value> {
  /** @throws Error with the name of the column if the text is not JSON of its schema. */
  read(stored: string): Value;
  read(stored: string | null): Value | null;
  write(value: DeepReadonly<Value>): string;
  write(value: DeepReadonly<Value> | null): string | null;
}

/**
 * Returns the reader and writer of a column. The reader checks every stored value. The schema lists
 * the members that callers rely on; other members are kept.
 *
 * @param name Table and column, for error messages: `accounts.limits`.
 */
export function jsonColumn<Value>(name: string, schema: TSchema): JsonColumn<Value> {
  // Compiled at the first read: most processes read only a few of the columns.
  let checker: ReturnType<typeof Compile> | undefined;

  function read(stored: string): Value;
  function read(stored: string | null): Value | null;
  function read(stored: string | null): Value | null {
    if (stored === null) return null;
    const value = parse(stored);
    checker ??= Compile(schema);
    if (checker.Check(value)) return value as Value;
    throw new Error(`The column ${name} holds damaged JSON: ${stored.slice(0, 80)}`);
  }

  function write(value: DeepReadonly<Value>): string;
  function write(value: DeepReadonly<Value> | null): string | null;
  function write(value: DeepReadonly<Value> | null): string | null {
    return value === null ? null : JSON.stringify(value);
  }

  return { read, write };
}

/** Returns undefined for text that is not JSON. No JSON text parses to undefined. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
