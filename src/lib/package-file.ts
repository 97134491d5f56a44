import { existsSync } from 'node:fs';

/** The paths from a module up to the folder of `package.json`. */
const UPWARDS = ['./', '../', '../../', '../../../'];

/**
 * Returns a file or folder of the package, such as `data/starter/`. The build joins modules into
 * fewer files, so a module must not look for files relative to itself.
 */
export function packageFile(path: string): URL {
  const roots = UPWARDS.map((upwards) => new URL(upwards, import.meta.url));
  const root = roots.find((folder) => existsSync(new URL('package.json', folder)));
  if (!root) throw new Error('The folder of package.json was not found.');
  return new URL(path, root);
}
