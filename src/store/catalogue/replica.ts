import { CompiledQuery, type Transaction } from 'kysely';
import type { Opened, Statement } from '../engine/engine.ts';
import { openPostgres } from '../engine/postgres.ts';
import { isOfThisDatabase, type PublicationName } from './publications.ts';
import type { Database } from './schema.ts';

/** How long a statement on the replica may take or wait for a connection, in milliseconds. */
const STATEMENT_MS = 1000;

/** How long the replica is not used after a failure, in milliseconds. */
const PAUSE_MS = 5000;

/** Reads something from a server. */
export type Reader<Parameters extends unknown[], Result> = (
  ...parameters: Parameters
) => Promise<Result>;

/** Creates a reader for a server. */
export type ReaderOf<Parameters extends unknown[], Result> = (
  opened: Opened<Database>,
) => Reader<Parameters, Result>;

export interface ReplicaOptions {
  /** The publication being served. A replica that does not have it is not used. */
  readonly publication: () => PublicationName;
  /** Called with the reason when the replica cannot be read, at most once per pause. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * A replica that takes reads off the main database server. If the replica is behind, slow or
 * unreachable, reads go to the main server.
 */
export class Replica {
  readonly #server: Opened<Database>;
  readonly #options: ReplicaOptions;
  /** When the pause after a failure ends, on the clock of `performance.now()`. */
  #pausedUntil = 0;

  constructor(url: string, options: ReplicaOptions) {
    this.#server = openPostgres(url);
    this.#server.engine.limitStatements(STATEMENT_MS);
    this.#options = options;
  }

  /** Returns a reader that uses the replica, and falls back to `own`. */
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

  /** Returns undefined if the replica does not have the publication or cannot be read. */
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

  /** Lets `work` read one snapshot, from a single replica if there are several. */
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
