import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { SourceFile } from '../contract/source-file.ts';
import { readRaw } from '../io/bytes.ts';
import type { LocalFile } from '../io/files.ts';
import { withReadErrors } from '../io/read-errors.ts';

/** Digests by which the store recognises files that it has imported. */

/**
 * Describes a file for the store. The digest covers the bytes of the file and of further files
 * that it depends on, and the version of the adapter: a new version imports the file again.
 *
 * @throws OperatorError when a file cannot be read.
 */
export async function describeSourceFile(
  version: number,
  file: LocalFile,
  ...further: readonly LocalFile[]
): Promise<SourceFile> {
  const hash = createHash('sha256').update(`v${version}\n`);
  for (const { path } of [file, ...further]) {
    await withReadErrors(path, async () => {
      for await (const chunk of readRaw(path)) hash.update(chunk);
    });
  }
  return { path: file.name, digest: hash.digest('hex'), etag: null };
}

/**
 * Describes all files of a location, a file or a folder, as one. It is named by the location's
 * last part, so that a copy elsewhere is recognised.
 */
export async function describeLocation(
  location: string,
  version: number,
  [first, ...rest]: readonly LocalFile[],
): Promise<SourceFile | null> {
  if (!first) return null;
  return { ...(await describeSourceFile(version, first, ...rest)), path: basename(location) };
}
