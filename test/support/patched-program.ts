import assert from 'node:assert/strict';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from './cli.ts';

/** A change to a source file: a text that occurs once, and its replacement. */
export interface Patch {
  readonly file: string;
  readonly text: string;
  readonly instead: string;
}

/** Copies this program, changes the copy, and returns the path of its main file. */
export function patchedProgram(patches: readonly Patch[]): string {
  const folder = temporaryFolder();
  cpSync('src', join(folder, 'src'), { recursive: true });
  for (const name of ['node_modules', 'package.json', 'data', 'web']) {
    symlinkSync(resolve(name), join(folder, name));
  }
  for (const { file, text, instead } of patches) {
    const path = join(folder, file);
    const source = readFileSync(path, 'utf8');
    assert.equal(source.split(text).length, 2, `${file} has this text once: ${text}`);
    writeFileSync(
      path,
      source.replace(text, () => instead),
    );
  }
  return join(folder, 'src/main.ts');
}
