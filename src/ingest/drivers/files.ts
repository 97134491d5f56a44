import type { KnownFiles } from '../../sources/contract/source-file.ts';
import type { Store } from '../../store/connect.ts';
import { readSourceFiles } from '../../store/imports.ts';

/** What earlier imports remembered of a source's files. */
export async function knownFiles(store: Store, source: string): Promise<KnownFiles> {
  const rows = await readSourceFiles(store.db, source);
  return (path) => {
    const row = rows.get(path);
    return row && { path, digest: row.digest, etag: row.etag, observedAt: row.observed_at };
  };
}
