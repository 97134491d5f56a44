import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const { OLDEST_NODE } = process.env;

/**
 * The `node` programs to try an installed Cardprice with: the one that runs the tests, and the
 * oldest supported one if `OLDEST_NODE` gives its path.
 */
export const NODES: readonly string[] = [process.execPath, ...(OLDEST_NODE ? [OLDEST_NODE] : [])];

/** Returns the total size of all files in a folder, in megabytes. */
export function megabytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}
