import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of `src` whose code decides what an index of the same cards is. */
const FOLDERS = ['domain', 'lib', 'search'].map((name) => join(import.meta.dirname, '..', name));

/**
 * Names the program that makes an index: two programs of the same name make the same one of the same
 * cards. Versions alone would not do, because a checkout changes without another version.
 */
export function nameProgram(): string {
  const name = createHash('sha256').update(`${process.version} ${process.arch}`);
  for (const file of codeFiles()) name.update(readFileSync(file)).update('\0');
  return name.digest('hex').slice(0, 40);
}

function codeFiles(): string[] {
  // The package has all code in a few files, and no folders.
  const isPackage = !FOLDERS.every((folder) => existsSync(folder));
  return (isPackage ? [import.meta.dirname] : FOLDERS).flatMap(filesIn);
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}
