import { closeSync, fchmodSync, fstatSync, openSync } from 'node:fs';

/** What a mode allows to everybody else. */
const OTHERS = 0o007;

/**
 * Makes a missing file that only its owner may read, whatever the umask, and takes an existing one
 * from everybody but owner and group. SQLite gives the files beside it the same mode.
 */
export function keepPrivate(file: string): void {
  const descriptor = openSync(file, 'a', 0o600);
  try {
    const { mode } = fstatSync(descriptor);
    if (mode & OTHERS) fchmodSync(descriptor, mode & ~OTHERS & 0o777);
  } finally {
    closeSync(descriptor);
  }
}
