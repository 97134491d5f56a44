import type { Kysely } from 'kysely';
import type { KnownFile, KnownFiles } from '../sources/contract/source-file.ts';
import { readSourceFiles, upsertSourceFiles } from '../store/catalogue/imports.ts';
import type { Database } from '../store/catalogue/schema.ts';
import type { Store } from '../store/connect.ts';

/** The files of sources that imports remember, so that the next one can tell what changed. */

/** Looks up the files of a source that earlier imports have remembered. */
export async function knownFiles(store: Store, source: string): Promise<KnownFiles> {
  const rows = await readSourceFiles(store.db, source);
  return (path) => {
    const row = rows.get(path);
    return row && { path, digest: row.digest, etag: row.etag, observedAt: row.observed_at };
  };
}

/** Remembers files of a source, inside of `transaction`. */
export function rememberFiles(
  store: Store,
  transaction: Kysely<Database>,
  source: string,
  files: readonly KnownFile[],
): Promise<void> {
  const rows = files.map(({ path, digest, etag, observedAt }) => {
    return { source, path, digest, etag, observed_at: observedAt };
  });
  return upsertSourceFiles(store, transaction, rows);
}
