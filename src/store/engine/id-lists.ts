import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * The condition that a column has one of these row ids, as one parameter: statements for any number
 * of ids then have the same text, so databases prepare one. The ids are the names of an object,
 * because `json_each` of PostgreSQL does not read arrays.
 */
export function isOneOf(column: string, ids: readonly number[]): RawBuilder<SqlBool> {
  const names = `{${ids.map((id) => `"${id}":0`).join(',')}}`;
  return sql<SqlBool>`${sql.ref(column)} in (select cast(key as bigint) from json_each(${names}))`;
}
