import type { Logger } from 'pino';
import type { Catalog } from '../catalog/catalog.ts';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../domain/errors.ts';
import { isPostgres } from '../domain/location.ts';
import { type Reader, type ReaderOf, Replica } from '../store/catalogue/replica.ts';
import type { Store } from '../store/connect.ts';

/** Wraps a reader so that it reads from the replica, if there is one. */
export function replicated<Parameters extends unknown[], Result>(
  replica: Replica | undefined,
  store: Store,
  readerOf: ReaderOf<Parameters, Result>,
): Reader<Parameters, Result> {
  const own = readerOf(store);
  return replica ? replica.reader(readerOf, own) : own;
}

/**
 * Opens the replica named in the settings, if there is one.
 *
 * @throws OperatorError if the database is not a PostgreSQL server.
 */
export function openReplica(
  {
    config: { database, databaseReplica },
    logger,
  }: { readonly config: Config; readonly logger: Logger },
  catalog: Catalog,
): Replica | undefined {
  if (databaseReplica === '') return undefined;
  if (!isPostgres(database)) {
    throw new OperatorError('CARDPRICE_DATABASE_REPLICA is for PostgreSQL only: unset it.');
  }
  return new Replica(databaseReplica, {
    publication: () => catalog.publication,
    onFailure: (err) => logger.warn({ reason: reasonOf(err) }, 'the replica is not read'),
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
