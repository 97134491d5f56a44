import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of `src` whose code determines the index of given cards. */
const FOLDERS = ['domain', 'lib', 'search'].map((name) => join(import.meta.dirname, '..', name));

/**
 * Names the program that builds an index. Two programs with the same name build the same index from
 * the same cards. The version alone is not enough, because a checkout changes without a new
 * version.
 */
export function nameProgram(): string {
  const name = createHash('sha256').update(`${process.version} ${process.arch}`);
  for (const file of codeFiles()) name.update(readFileSync(file)).update('\0');
  return name.digest('hex').slice(0, 40);
}

function codeFiles(): string[] {
  // The package has all code in a few files, without these folders.
  const isPackage = !FOLDERS.every((folder) => existsSync(folder));
  return (isPackage ? [import.meta.dirname] : FOLDERS).flatMap(filesIn);
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}
