import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { BulkList } from '../../domain/bulk.ts';
import { MS_PER_DAY } from '../../domain/day.ts';

/** The folders of publications in the folder of bulk files. Only one process writes there. */

/** What the name of a folder begins with while files are written into it. */
export const PARTIAL = '.partial-';

const PUBLICATION = /^\d+-[0-9a-f]{16}$/;

/** Removes what a killed process left. */
export async function removePartial(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(PARTIAL)) await rm(join(folder, name), { recursive: true });
  }
}

/**
 * Removes the publications that were replaced some days ago. A folder keeps in its modification time
 * when another one replaced it, because readers of the list may still fetch its files then.
 */
export async function removeReplaced(
  folder: string,
  { before, now }: { readonly before: BulkList | undefined; readonly now: BulkList },
  keepDays: number,
): Promise<void> {
  const current = publicationsIn(now);
  const replaced = publicationsIn(before);
  for (const name of await readdir(folder)) {
    if (!PUBLICATION.test(name) || current.has(name)) continue;
    const path = join(folder, name);
    if (replaced.has(name)) await utimes(path, new Date(), new Date());
    const age = Date.now() - (await stat(path)).mtimeMs;
    if (age >= keepDays * MS_PER_DAY) await rm(path, { recursive: true });
  }
}

function publicationsIn(list: BulkList | undefined): Set<string> {
  return new Set(list?.data.map(({ url }) => url.slice(0, url.indexOf('/'))));
}
