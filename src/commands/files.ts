import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { isPostgres } from '../domain/location.ts';
import { packageFile } from '../lib/package-file.ts';

/** The folder of the built pages. */
export const PAGES_FOLDER = packageFile('web/dist/');

/** The folder of the starter catalogue. */
export const STARTER_FOLDER = packageFile('data/starter/');

/** Returns the default folder for backups of a SQLite file. */
export function backupFolder(database: string): string {
  return join(dirname(resolve(database)), 'backups');
}

/**
 * Returns the path of a working file or folder that belongs only to this database. With SQLite it
 * is next to the database file. With PostgreSQL it is in the folder for downloads, if that is set,
 * or in the folder for temporary files.
 */
export function workingPath(
  { downloads, database }: Config,
  kind: 'downloads' | 'snapshot' | 'pictures' | 'sync',
): string {
  const isServer = isPostgres(database);
  if (!isServer && (kind !== 'downloads' || !downloads)) return `${resolve(database)}-${kind}`;
  const location = isServer ? database : resolve(database);
  const name = createHash('sha256').update(location).digest('hex').slice(0, 16);
  return join(downloads || tmpdir(), `cardprice-${kind}-${name}`);
}
