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

/** The prefix of a folder's name while files are written into it. */
export const PARTIAL = '.partial-';

const PUBLICATION = /^\d+-[0-9a-f]{16}$/;
const HISTORY = 'history';

/** Removes the remains of a killed process. */
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
 * Moves written files to their final place, and returns the place with their names. A name never
 * refers to different bytes: for a history file it is the digest, and for the folder of the other
 * files it contains a digest of them. So a file may be written again while a reader has it open.
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
 * Removes files that were replaced some days ago. The modification time of a publication's folder,
 * or of a history file, is the moment when it was replaced, because readers of the list may still
 * fetch it after that.
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

/** Removes a part, and the folder of its month if that is then empty. */
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
