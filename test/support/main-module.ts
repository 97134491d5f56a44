import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);
const BUILT = fileURLToPath(new URL('.cache/program/main.js', ROOT));

/** The parts of the built program. */
const PARTS = ['src/**/*.ts', 'package-lock.json', 'scripts/bundle.config.ts'];

/**
 * The module that starts the program in tests. A start of the built program takes a third of the
 * processor time of a start from source.
 */
export const MAIN = process.env.TEST_MAIN ?? fileURLToPath(new URL('src/main.ts', ROOT));

/** Builds the program, unless it is newer than its parts. Returns its module for `TEST_MAIN`. */
export function buildMain(): string {
  const parts = globSync(PARTS, { cwd: ROOT }).map((part) => fileURLToPath(new URL(part, ROOT)));
  const builtAt = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (parts.every((part) => statSync(part).mtimeMs < builtAt)) return BUILT;
  const command =
    'vite build --config scripts/bundle.config.ts --logLevel warn --outDir .cache/program';
  const { status } = spawnSync('npx', command.split(' '), { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('The program could not be built.');
  return BUILT;
}
