import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { isPostgres } from '../domain/location.ts';

/**
 * Returns the path of a file or folder of our own, and of this database alone: beside a SQLite file;
 * for a server in the folder for downloads, or in that for temporary files.
 */
export function besideDatabase(
  { downloads, database }: Config,
  kind: 'downloads' | 'snapshot' | 'pictures' | 'sync',
): string {
  const isServer = isPostgres(database);
  if (!isServer && (kind !== 'downloads' || !downloads)) return `${resolve(database)}-${kind}`;
  const location = isServer ? database : resolve(database);
  const name = createHash('sha256').update(location).digest('hex').slice(0, 16);
  return join(downloads || tmpdir(), `cardprice-${kind}-${name}`);
}
