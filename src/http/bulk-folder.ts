import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BULK_LIST, type BulkList } from '../domain/bulk.ts';

/** Returns the list of a folder of bulk files; undefined if it has none. */
export async function readBulkList(folder: string): Promise<BulkList | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, BULK_LIST), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
