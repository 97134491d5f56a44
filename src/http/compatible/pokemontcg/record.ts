import { numberSortKey } from '../../../domain/collector-number.ts';

/** Fields of cards and sets by their path, such as `attacks.name` or `set.releaseDate`. */

/** A value of a field. */
export type Scalar = string | number;

/** Returns the values of a field: of all members of lists on the way, and of all of its parts. */
export function valuesAt(record: unknown, path: readonly string[]): Scalar[] {
  if (Array.isArray(record)) return record.flatMap((member) => valuesAt(member, path));
  const [name, ...rest] = path;
  if (!isRecord(record)) {
    const isValue = typeof record === 'string' || typeof record === 'number';
    return isValue && name === undefined ? [record] : [];
  }
  if (name === undefined) return Object.values(record).flatMap((part) => valuesAt(part, rest));
  return Object.hasOwn(record, name) ? valuesAt(record[name], rest) : [];
}

/** Returns a copy of a record with only some fields, in the order of the record. */
export function pick(record: unknown, paths: readonly (readonly string[])[]): unknown {
  if (Array.isArray(record)) return record.map((member) => pick(member, paths));
  if (!isRecord(record)) return record;
  const picked = Object.entries(record).flatMap(([name, value]) => {
    const wanted = paths.filter(([first]) => first === name).map((path) => path.slice(1));
    if (wanted.length === 0) return [];
    const isWhole = wanted.some(({ length }) => length === 0);
    return [[name, isWhole ? value : pick(value, wanted)] as const];
  });
  return Object.fromEntries(picked);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns what a record is ordered by in a field: its first value, with texts made comparable. */
export function sortKey(record: object, path: readonly string[]): Scalar | undefined {
  const [value] = valuesAt(record, path);
  return typeof value === 'string' ? numberSortKey(value) : value;
}

/** Compares two keys in a direction; records without a value come last in both. */
export function compareKeys(a: Scalar | undefined, b: Scalar | undefined, sign: 1 | -1): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b ? -sign : sign;
}
