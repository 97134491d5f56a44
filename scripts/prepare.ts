/**
 * Runs in `npm ci` after the packages are installed: removes unused parts of them, and builds the
 * pages. npm shows the output of this script, but not of the packages' scripts.
 */
import { execSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';

const { platform, arch } = process;

/** Parts of packages, in `node_modules/`. Nothing is compiled here, so no sources are needed. */
const UNUSED = [
  'node/node_modules/*/{include,share}',
  'better-sqlite3/{deps,src}',
  `better-sqlite3/prebuilds/!(${platform}*-${arch}).node`,
];

console.log('The packages are there. Building the pages, which takes a few seconds.');
for (const path of globSync(UNUSED, { cwd: 'node_modules' })) {
  rmSync(`node_modules/${path}`, { recursive: true });
}
execSync('npm run -s build:web', { stdio: 'inherit' });
console.log('Done. `npm start` starts the service, `npm test` runs the tests.');
