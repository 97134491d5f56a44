import type Sqlite from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { tellStatement } from '../../lib/channels.ts';
import type { OpenFiles } from './attached-file.ts';
import type { LockWaits } from './locks.ts';
import type { Schema } from './migrator.ts';

/**
 * Statements that a connection keeps to run them again, and their longest text. Each takes memory
 * that garbage collection is not aware of, so thousands of statements could take 200 MB.
 */
const KEPT_STATEMENTS = 50;
const LONGEST_KEPT = 1024;

/** Returns a connection that prepares short statements once: that takes longer than most runs. */
export function keepingStatements(connection: Sqlite.Database): SqliteDatabase {
  const kept = new LRUCache<string, Sqlite.Statement>({ max: KEPT_STATEMENTS });
  return {
    close: () => connection.close(),
    prepare(text) {
      const known = kept.get(text);
      if (known && !known.busy) return known;
      const statement = connection.prepare(text);
      if (text.length <= LONGEST_KEPT) kept.set(text, statement);
      return statement;
    },
  };
}

/** A connection, with its checks of files and its waits for locks. */
export interface WatchedConnection {
  readonly connection: Sqlite.Database;
  readonly files: OpenFiles;
  readonly locks: LockWaits;
}

/**
 * Waits for locks of other processes without blocking this one, and takes the write lock when a
 * transaction starts. If a transaction read first and took the lock later, it would fail at once,
 * regardless of the timeout, whenever another process had written in between.
 */
export class WaitingDriver extends SqliteDriver {
  readonly #watched: WatchedConnection;
  /** A write that changes nothing, to a table that exists before the first transaction. */
  readonly #writeNothing: CompiledQuery;

  constructor(watched: WatchedConnection, { migrationLockTableName }: Schema['records']) {
    super({ database: keepingStatements(watched.connection) });
    this.#watched = watched;
    this.#writeNothing = CompiledQuery.raw(
      `delete from main.${migrationLockTableName} where false`,
    );
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const inner = await super.acquireConnection();
    return new WaitingConnection(inner, this.#watched);
  }

  /** Works like `begin immediate`, but does not lock the usage file. */
  override beginTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#watched.locks.whenUnlocked(async () => {
      await connection.executeQuery(CompiledQuery.raw('begin'));
      try {
        await connection.executeQuery(this.#writeNothing);
      } catch (error) {
        await this.rollbackTransaction(connection);
        throw error;
      }
    });
  }

  /** Skips the rollback if SQLite already did it, as on a full disk: a second one fails. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#watched.connection.inTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * Retries a statement while another process holds a lock that it needs. Does not retry inside a
 * transaction, because statements of other callers would join that transaction during the wait.
 */
class WaitingConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection;
  readonly #watched: WatchedConnection;

  constructor(inner: DatabaseConnection, watched: WatchedConnection) {
    this.#inner = inner;
    this.#watched = watched;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return tellStatement(query.sql, () => this.#execute<Row>(query));
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const execute = () => this.#inner.executeQuery<Row>(query);
    const { connection, files, locks } = this.#watched;
    if (connection.inTransaction) return execute();
    files.check();
    try {
      return await locks.whenUnlocked(execute);
    } catch (error) {
      if (!files.recover(error)) throw error;
      return execute();
    }
  }

  streamQuery<Row>(
    query: CompiledQuery,
    chunkSize?: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    return this.#inner.streamQuery(query, chunkSize ?? 1);
  }
}

/**
 * Runs all pending migrations in one transaction, so a killed process leaves the database
 * unchanged. SQLite supports this, but Kysely's adapter claims that it does not.
 */
export class TransactionalMigrations extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
