/**
 * Checks style, types, layers, unused code and the generated files of the clients, with as many
 * tools at a time as the machine has cores. Prints the output of tools that report problems, and
 * then exits with 1.
 */
import { exec } from 'node:child_process';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';

/** The slowest first. Each uses one thread, because threads of the compiler share no work. */
const TOOLS = [
  'tsc --singleThreaded',
  'biome ci .',
  'node scripts/clients.ts --check',
  'tsc --singleThreaded -p test/browser',
  'knip',
  'tsc --singleThreaded -p web',
  'tsc --singleThreaded --noEmit -p clients/typescript',
  'depcruise src web/src --config .dependency-cruiser.mjs',
];

/** The compiler, a Go program, takes half the time with less frequent garbage collection. */
const env = { ...process.env, GOGC: '400' };

const limit = pLimit(availableParallelism());
const passed = await Promise.all(TOOLS.map((tool) => limit(check, tool)));
if (passed.includes(false)) process.exitCode = 1;

/** Returns whether a tool reports no problems. */
function check(tool: string): Promise<boolean> {
  return new Promise((resolve) => {
    exec(tool, { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error) console.error(`${tool}\n${stdout}${stderr}`);
      resolve(error === null);
    });
  });
}
