import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const { OLDEST_NODE } = process.env;

/**
 * The programs `node` with which an installed Cardprice is tried: that of the tests, and the oldest one
 * that it allows where `OLDEST_NODE` names it.
 */
export const NODES: readonly string[] = [process.execPath, ...(OLDEST_NODE ? [OLDEST_NODE] : [])];

/** The bytes of all files in a folder, in megabytes. */
export function megabytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}
