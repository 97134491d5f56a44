import { existsSync, renameSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { formatStamp } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { damageOf, isDamage, keepPrivate, OpenFile } from './sqlite-file.ts';

/** The schema name of the attached file. */
const SCHEMA = 'attached';

/** The name endings of the files that SQLite keeps next to a database. */
const COMPANIONS = ['-wal', '-shm'];

/** A table: its column definitions and the columns of its primary key, as SQL lists. */
export interface AttachedTable {
  readonly columns: string;
  readonly key: string;
}

/** A second file of a SQLite database. If it is lost, its tables start again empty. */
export interface Attachment {
  readonly file: string;
  readonly tables: Readonly<Record<string, AttachedTable>>;
  /** By name of the index: its table and columns. */
  readonly indexes: Readonly<Record<string, string>>;
  /** The warnings to log when a damaged file is replaced, and when the file was swapped. */
  readonly onDamage: string;
  readonly onReplaced: string;
}

/** Returns the statements that create the missing tables and indexes of an attachment. */
export function attachmentStatements(
  { tables, indexes }: Pick<Attachment, 'tables' | 'indexes'>,
  { schema = '', ending = '' } = {},
): string[] {
  return [
    ...Object.entries(tables).map(([name, { columns, key }]) => {
      const definition = `${columns}, primary key (${key})`;
      return `create table if not exists ${schema}${name} (${definition}) ${ending}`;
    }),
    ...Object.entries(indexes).map(([name, columns]) => {
      return `create index if not exists ${schema}${name} on ${columns}`;
    }),
  ];
}

/**
 * A file attached to a connection. A SQLite file allows one writer at a time, so if requests wrote
 * to the main file, they would wait for every import (docs/adr/0025). A new file replaces a damaged
 * or missing attached file.
 */
export class AttachedFile {
  readonly #connection: Sqlite.Database;
  readonly #attachment: Attachment;
  #opened: OpenFile | undefined;

  /** Attaches the file and creates missing tables. */
  constructor(connection: Sqlite.Database, attachment: Attachment) {
    this.#connection = connection;
    this.#attachment = attachment;
    try {
      this.#attach();
    } catch (error) {
      if (!this.recover(error)) throw error;
    }
  }

  /**
   * If damage to the file caused an error, sets the file aside and starts a new one. Returns
   * whether it did, and the statement can run again. Does nothing inside a transaction.
   */
  recover(error: unknown): boolean {
    if (!isDamage(error) || this.#connection.inTransaction) return false;
    this.#detach();
    // Another process may already have replaced the file.
    const damage = damageOf(this.#attachment.file);
    if (damage !== undefined) this.#setAside(damage);
    this.#attach();
    return true;
  }

  /** Attaches the file now at the path if ours was removed or replaced. */
  follow(): void {
    if (!this.#opened?.isMoved() || this.#connection.inTransaction) return;
    this.#detach();
    this.#attach();
    const { file, onReplaced } = this.#attachment;
    process.emitWarning(`${file} was removed or replaced while it was open. ${onReplaced}`);
  }

  #attach(): void {
    const connection = this.#connection;
    const { file } = this.#attachment;
    keepPrivate(file);
    connection.prepare(`attach database ? as ${SCHEMA}`).run(file);
    this.#opened = new OpenFile(file);
    connection.pragma(`${SCHEMA}.journal_mode = WAL`);
    connection.pragma(`${SCHEMA}.synchronous = NORMAL`);
    // Overwrites deleted rows, so no address remains after its account is deleted.
    connection.pragma(`${SCHEMA}.secure_delete = on`);
    const ending = { schema: `${SCHEMA}.`, ending: 'without rowid' };
    for (const statement of attachmentStatements(this.#attachment, ending)) {
      connection.exec(statement);
    }
    if (this.#lackedColumns().length > 0) this.#addColumns();
  }

  /** Adds columns introduced after the file was created. Concurrent processes take turns. */
  #addColumns(): void {
    const add = () => {
      for (const column of this.#lackedColumns()) this.#connection.exec(column);
    };
    this.#connection.transaction(add).immediate();
  }

  /** Returns the statements that add missing columns. */
  #lackedColumns(): string[] {
    return Object.entries(this.#attachment.tables).flatMap(([table, { columns }]) => {
      const info = this.#connection.pragma(`${SCHEMA}.table_info(${table})`);
      const there = new Set((info as { name: string }[]).map(({ name }) => name));
      return columns
        .split(/,\s*/)
        .filter((column) => !there.has(column.replace(/ .*/, '')))
        .map((column) => `alter table ${SCHEMA}.${table} add column ${column}`);
    });
  }

  #detach(): void {
    const databases = this.#connection.pragma('database_list') as { name: string }[];
    if (databases.some(({ name }) => name === SCHEMA)) {
      this.#connection.exec(`detach database ${SCHEMA}`);
    }
  }

  #setAside(damage: string): void {
    const { file, onDamage } = this.#attachment;
    const aside = `${file}.damaged-${formatStamp(Date.now())}`;
    renameSync(file, aside);
    for (const ending of COMPANIONS) {
      if (existsSync(file + ending)) renameSync(file + ending, aside + ending);
    }
    process.emitWarning(`${file} was damaged (${damage}) and is now ${aside}. ${onDamage}`);
  }
}

/** Checks before each statement that the files of a connection are still at their paths. */
export class OpenFiles {
  readonly #main: OpenFile;
  readonly #attached: AttachedFile | undefined;

  constructor(main: string, attached?: AttachedFile) {
    this.#main = new OpenFile(main);
    this.#attached = attached;
  }

  /**
   * Attaches the new file if the attached file was replaced. This check costs next to nothing.
   *
   * @throws OperatorError (SQLITE_READONLY_DBMOVED) if the main file was removed or replaced.
   */
  check(): void {
    if (this.#main.isMoved()) throw movedAway(this.#main.path);
    this.#attached?.follow();
  }

  /** Tries to repair the cause of an error. Returns whether the statement can run again. */
  recover(error: unknown): boolean {
    return this.#attached?.recover(error) ?? false;
  }
}

function movedAway(path: string): Error {
  const message =
    `${path} was removed or replaced while it was open. Put it back, or restore a backup ` +
    '(cardprice restore), and restart the service';
  return Object.assign(new OperatorError(message), { code: 'SQLITE_READONLY_DBMOVED' });
}
