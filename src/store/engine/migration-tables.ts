import {
  DEFAULT_MIGRATION_LOCK_TABLE,
  DEFAULT_MIGRATION_TABLE,
  type MigratorProps,
} from 'kysely/migration';

/** Where the migrations that have run are kept: a PostgreSQL server has both in one database. */
export const MIGRATION_TABLES = {
  catalogue: {
    migrationTableName: DEFAULT_MIGRATION_TABLE,
    migrationLockTableName: DEFAULT_MIGRATION_LOCK_TABLE,
  },
  accounts: {
    migrationTableName: 'kysely_account_migration',
    migrationLockTableName: 'kysely_account_migration_lock',
  },
} as const satisfies Record<string, Partial<MigratorProps>>;

export type MigrationTables = (typeof MIGRATION_TABLES)[keyof typeof MIGRATION_TABLES];
