import { existsSync, renameSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { formatStamp } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { damageOf, isDamage, keepPrivate, OpenFile } from './sqlite-file.ts';

/** The name under which a connection knows its attached file. */
const SCHEMA = 'attached';

/** The endings of the files that SQLite keeps next to a database. */
const COMPANIONS = ['-wal', '-shm'];

/** A table: the definitions of its columns and the columns of its primary key, as SQL lists. */
export interface AttachedTable {
  readonly columns: string;
  readonly key: string;
}

/** A second file of a SQLite database, which may be lost: its tables come back empty. */
export interface Attachment {
  readonly file: string;
  readonly tables: Readonly<Record<string, AttachedTable>>;
  /** Table and columns of each index, by its name. */
  readonly indexes: Readonly<Record<string, string>>;
  /** What the operator reads when a damaged file was replaced, and when another one took over. */
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
 * A file attached to a connection. A SQLite file has one writer at a time: in the main file, every
 * request would wait for an import that is writing (docs/adr/0025). A damaged or missing attached
 * file gives way to a new one.
 */
export class AttachedFile {
  readonly #connection: Sqlite.Database;
  readonly #attachment: Attachment;
  #opened: OpenFile | undefined;

  /** Attaches the file, and creates the tables that it lacks. */
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
   * Sets the file aside and starts a new one if an error came from damage to it; returns whether it
   * did, so that the statement can run again. Inside a transaction it cannot.
   */
  recover(error: unknown): boolean {
    if (!isDamage(error) || this.#connection.inTransaction) return false;
    this.#detach();
    // Another process may have started a new one already.
    const damage = damageOf(this.#attachment.file);
    if (damage !== undefined) this.#setAside(damage);
    this.#attach();
    return true;
  }

  /** Attaches the file that is now at the path, when ours was removed or replaced. */
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
    // Overwrites deleted rows: an address does not outlive its account.
    connection.pragma(`${SCHEMA}.secure_delete = on`);
    const ending = { schema: `${SCHEMA}.`, ending: 'without rowid' };
    for (const statement of attachmentStatements(this.#attachment, ending)) {
      connection.exec(statement);
    }
    if (this.#lackedColumns().length > 0) this.#addColumns();
  }

  /** Adds columns that came after the file was made. Processes that start at once take turns. */
  #addColumns(): void {
    const add = () => {
      for (const column of this.#lackedColumns()) this.#connection.exec(column);
    };
    this.#connection.transaction(add).immediate();
  }

  /** The statements that add the columns that the tables of the file lack. */
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

/** The files of a connection: checks before each statement that they are still at their paths. */
export class OpenFiles {
  readonly #main: OpenFile;
  readonly #attached: AttachedFile | undefined;

  constructor(main: string, attached?: AttachedFile) {
    this.#main = new OpenFile(main);
    this.#attached = attached;
  }

  /**
   * Costs next to nothing. Follows the attached file to a new one.
   *
   * @throws OperatorError (SQLITE_READONLY_DBMOVED) when the main file was removed or replaced.
   */
  check(): void {
    if (this.#main.isMoved()) throw movedAway(this.#main.path);
    this.#attached?.follow();
  }

  /** Repairs the cause of an error; returns whether the statement can run again. */
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
