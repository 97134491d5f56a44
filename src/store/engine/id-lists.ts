import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Formats values as the names of one object, because `json_each` of PostgreSQL reads no arrays. */
export function jsonSet(values: Iterable<string | number>): string {
  const members: Record<string, 1> = {};
  for (const value of values) members[value] = 1;
  return JSON.stringify(members);
}

/**
 * The condition that a column has one of these row ids, as one parameter. Statements for any number
 * of ids then have the same text, so databases prepare only one.
 */
export function isOneOf(column: string, ids: readonly number[]): RawBuilder<SqlBool> {
  const set = jsonSet(ids);
  return sql<SqlBool>`${sql.ref(column)} in (select cast(key as bigint) from json_each(${set}))`;
}
