import { type Kysely, sql } from 'kysely';

/**
 * Lets a table of PostgreSQL number its next row after those that were copied into it with their
 * numbers. The name may have that of its schema before it.
 */
export async function continueNumbers<Tables>(db: Kysely<Tables>, table: string): Promise<void> {
  const numbered = await sql<{ column: string }>`select attname as column from pg_attribute
    where attrelid = ${table}::regclass and attidentity <> ''`.execute(db);
  for (const { column } of numbered.rows) {
    await sql`select setval(pg_get_serial_sequence(${table}, ${column}),
      coalesce(max(${sql.id(column)}), 0) + 1, false) from ${sql.table(table)}`.execute(db);
  }
}
