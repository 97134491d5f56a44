/**
 * Ends a cluster when its standard input ends, which happens however the process on the other side
 * dies: `node guardian.ts FOLDER [--remove]`. `--remove` also removes the folder.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { endAll } from './processes.ts';

const [folder = '', remove] = process.argv.slice(2);
process.stdin.resume();
await once(process.stdin, 'close');
await endAll(join(folder, 'run'));
if (remove) rmSync(folder, { recursive: true, force: true });
