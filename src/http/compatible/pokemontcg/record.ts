import { numberSortKey } from '../../../domain/collector-number.ts';
import { isRecord, type Scalar, valuesAt } from '../../../search/index.ts';

/** Fields of cards and sets by their path, such as `attacks.name` or `set.releaseDate`. */

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

/** Returns the sort key of a record for a field: its first value, with texts made comparable. */
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
