import { CompiledQuery, type Transaction } from 'kysely';
import type { Opened, Statement } from '../engine/engine.ts';
import { openPostgres } from '../engine/postgres.ts';
import { isOfThisDatabase, type PublicationName } from './publications.ts';
import type { Database } from './schema.ts';

/** How long a statement may take there, or wait for a connection, in milliseconds. */
const STATEMENT_MS = 1000;

/** After a failure the replica is left alone for so long, in milliseconds. */
const PAUSE_MS = 5000;

/** A way to read something, from whichever server. */
export type Reader<Parameters extends unknown[], Result> = (
  ...parameters: Parameters
) => Promise<Result>;

/** Makes a reader of a server. */
export type ReaderOf<Parameters extends unknown[], Result> = (
  opened: Opened<Database>,
) => Reader<Parameters, Result>;

export interface ReplicaOptions {
  /** The publication that is served: answers come from no server that never had it. */
  readonly publication: () => PublicationName;
  /** Is told why the replica cannot be read, at most once in some seconds. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * A replica of the database's server, which spares that one reads. It may be behind, slow or away:
 * then the database itself is read.
 */
export class Replica {
  readonly #server: Opened<Database>;
  readonly #options: ReplicaOptions;
  /** Until when it is left alone, as `performance.now()` counts. */
  #pausedUntil = 0;

  constructor(url: string, options: ReplicaOptions) {
    this.#server = openPostgres(url);
    this.#server.engine.limitStatements(STATEMENT_MS);
    this.#options = options;
  }

  /** Returns a reader of the replica, which reads like `own` where the replica does not do. */
  reader<Parameters extends unknown[], Result>(
    readerOf: ReaderOf<Parameters, Result>,
    own: Reader<Parameters, Result>,
  ): Reader<Parameters, Result> {
    return async (...parameters) => {
      const read = await this.#read((opened) => readerOf(opened)(...parameters));
      return read ? read.result : own(...parameters);
    };
  }

  close(): Promise<void> {
    return this.#server.db.destroy();
  }

  /** Undefined when the replica does not have the publication, or cannot be read. */
  async #read<Result>(
    read: (opened: Opened<Database>) => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    if (performance.now() < this.#pausedUntil) return undefined;
    try {
      return await this.#atOneMoment(async (opened) => {
        const has = await isOfThisDatabase(opened.db, this.#options.publication());
        return has ? { result: await read(opened) } : undefined;
      });
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#options.onFailure(error);
      return undefined;
    }
  }

  /** All that `work` reads is of one moment, and of one replica where there are several. */
  #atOneMoment<Result>(work: (opened: Opened<Database>) => Promise<Result>): Promise<Result> {
    const { engine, db } = this.#server;
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((transaction) => {
        return work({ db: transaction, engine: { ...engine, prepare: preparing(transaction) } });
      });
  }
}

/** Statements that run in a transaction. */
function preparing(transaction: Transaction<Database>) {
  return <Row>(text: string): Statement<Row> => {
    return async (parameters) => {
      return (await transaction.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows;
    };
  };
}
