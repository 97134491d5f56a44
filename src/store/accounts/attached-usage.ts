import { existsSync, renameSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { formatStamp } from '../../domain/day.ts';
import { OpenFile } from '../engine/open-file.ts';
import { keepPrivate } from '../engine/private-file.ts';
import { damageOf, isDamage } from '../engine/sqlite-file.ts';
import {
  type LaterColumn,
  laterColumns,
  laterValues,
  usageTableStatements,
} from './usage-tables.ts';

/** The files that SQLite has beside a database. */
const BESIDE = ['-wal', '-shm'];

/**
 * The file of the tables that requests write to, attached to a connection. One SQLite file has one
 * writer at a time: in the main file, every request would wait for an import that is writing
 * (docs/adr/0025). It has nothing that cannot be done without, so one that is damaged or gone gives
 * way to a new one.
 */
export class AttachedUsage {
  readonly #connection: Sqlite.Database;
  readonly #file: string;
  #opened: OpenFile | undefined;

  /** Attaches the usage file of a database, and creates what is missing of it. */
  constructor(connection: Sqlite.Database, database: string) {
    this.#connection = connection;
    this.#file = `${database}-usage`;
    try {
      this.#attach();
    } catch (error) {
      if (!this.mend(error)) throw error;
    }
  }

  /**
   * Sets the file aside and begins a new one if an error was because of damage to it; returns
   * whether it did, so that what failed may be tried again. Inside of a transaction it cannot.
   */
  mend(error: unknown): boolean {
    if (!isDamage(error) || this.#connection.inTransaction) return false;
    this.#detach();
    // Another process may have begun a new one already.
    const damage = damageOf(this.#file);
    if (damage !== undefined) this.#setAside(damage);
    this.#attach();
    return true;
  }

  /** Goes over to the file of that name when ours was removed or replaced, outside of transactions. */
  follow(): void {
    if (!this.#opened?.isMoved() || this.#connection.inTransaction) return;
    this.#detach();
    this.#attach();
    process.emitWarning(
      `${this.#file} was removed or replaced while it was open. What is there now is used: quotas, ` +
        'counts of requests and sessions are those of that file.',
    );
  }

  #attach(): void {
    const connection = this.#connection;
    keepPrivate(this.#file);
    connection.prepare('attach database ? as usage_file').run(this.#file);
    this.#opened = new OpenFile(this.#file);
    connection.pragma('usage_file.journal_mode = WAL');
    connection.pragma('usage_file.synchronous = NORMAL');
    // What is deleted is overwritten: an address does not outlive its account.
    connection.pragma('usage_file.secure_delete = on');
    for (const statement of usageTableStatements('usage_file.', 'without rowid')) {
      connection.exec(statement);
    }
    if (this.#lackedColumns().length > 0) this.#addColumns();
  }

  /** Of several processes that start at once, one adds them, and the others wait for it. */
  #addColumns(): void {
    const connection = this.#connection;
    connection
      .transaction(() => {
        for (const { table, name, definition } of this.#lackedColumns()) {
          connection.exec(`alter table usage_file.${table} add column ${name} ${definition}`);
        }
        for (const statement of laterValues('usage_file.')) connection.exec(statement);
      })
      .immediate();
  }

  #lackedColumns(): LaterColumn[] {
    return laterColumns().filter(({ table, name }) => {
      const columns = this.#connection.pragma(`usage_file.table_info(${table})`);
      return (columns as { name: string }[]).every((column) => column.name !== name);
    });
  }

  #detach(): void {
    const attached = this.#connection.pragma('database_list') as { name: string }[];
    if (attached.some(({ name }) => name === 'usage_file')) {
      this.#connection.exec('detach database usage_file');
    }
  }

  #setAside(damage: string): void {
    const aside = `${this.#file}.damaged-${formatStamp(Date.now())}`;
    renameSync(this.#file, aside);
    for (const ending of BESIDE) {
      if (existsSync(this.#file + ending)) renameSync(this.#file + ending, aside + ending);
    }
    process.emitWarning(
      `${this.#file} was damaged (${damage}) and is now ${aside}. A new one has begun: the quota ` +
        'of the day starts again, counts of requests are lost, and everybody has to sign in again.',
    );
  }
}
