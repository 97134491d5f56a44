import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BULK_FORMATS, type BulkList } from '../../domain/bulk.ts';
import { MS_PER_DAY } from '../../domain/day.ts';
import type { WrittenFile } from './tables.ts';

/**
 * The folder of bulk files: a folder for each publication, and one for the history, whose files
 * publications share. Only one process writes there.
 */

/** What the name of a folder begins with while files are written into it. */
export const PARTIAL = '.partial-';

const PUBLICATION = /^\d+-[0-9a-f]{16}$/;
const HISTORY = 'history';

/** Removes what a killed process left. */
export async function removePartial(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(PARTIAL)) await rm(join(folder, name), { recursive: true });
  }
}

interface Written {
  readonly written: readonly WrittenFile[];
  readonly revision: number;
}

/**
 * Moves what was written to where it stays, and returns it with the names there. A name never
 * stands for other bytes: that of a file of the history is its digest, that of the folder of the
 * others has a digest of them. So a reader may have a file open that is written again.
 */
export async function moveInto(
  folder: string,
  partial: string,
  { written, revision }: Written,
): Promise<WrittenFile[]> {
  const history = written.filter(({ type }) => type === HISTORY);
  const others = written.filter(({ type }) => type !== HISTORY);
  const moved: WrittenFile[] = [];
  for (const file of history) {
    const name = `${file.sha256.slice(0, 16)}.${BULK_FORMATS[file.format]}`;
    const url = `${dirname(file.url)}/${name}`;
    await mkdir(join(folder, dirname(url)), { recursive: true });
    await rename(join(partial, file.url), join(folder, url));
    moved.push({ ...file, url });
  }
  await rm(join(partial, HISTORY), { recursive: true, force: true });
  const named = `${revision}-${digestOf(others)}`;
  if (!existsSync(join(folder, named))) await rename(partial, join(folder, named));
  return [...others.map((file) => ({ ...file, url: `${named}/${file.url}` })), ...moved];
}

function digestOf(files: readonly WrittenFile[]): string {
  const hash = createHash('sha256');
  for (const { url, sha256 } of files) hash.update(`${sha256} ${url}\n`);
  return hash.digest('hex').slice(0, 16);
}

/**
 * Removes the files that were replaced some days ago. The modification time of a folder of a
 * publication, or of a file of the history, is when another one replaced it, because readers of the
 * list may still fetch it then.
 */
export async function removeReplaced(
  folder: string,
  { before, now }: { readonly before: BulkList | undefined; readonly now: BulkList },
  keepDays: number,
): Promise<void> {
  const current = partsIn(now);
  const replaced = partsIn(before);
  for (const part of await partsOf(folder)) {
    if (current.has(part)) continue;
    const path = join(folder, part);
    if (replaced.has(part)) await utimes(path, new Date(), new Date());
    const age = Date.now() - (await stat(path)).mtimeMs;
    if (age >= keepDays * MS_PER_DAY) await removePart(folder, part);
  }
}

/** Returns the folders of publications and the files of the history. */
async function partsOf(folder: string): Promise<string[]> {
  const publications = (await readdir(folder)).filter((name) => PUBLICATION.test(name));
  if (!existsSync(join(folder, HISTORY))) return publications;
  const found = await readdir(join(folder, HISTORY), { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  const history = files.map(({ parentPath, name }) => {
    return join(parentPath, name).slice(join(folder, '/').length);
  });
  return [...publications, ...history];
}

/** Removes a part, and the folder of a month that has no other file. */
async function removePart(folder: string, part: string): Promise<void> {
  await rm(join(folder, part), { recursive: true });
  if (PUBLICATION.test(part)) return;
  const month = join(folder, dirname(part));
  if ((await readdir(month)).length === 0) await rmdir(month);
}

function partsIn(list: BulkList | undefined): Set<string> {
  return new Set(
    list?.data.map(({ type, url }) => (type === HISTORY ? url : url.slice(0, url.indexOf('/')))),
  );
}
