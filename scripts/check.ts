/**
 * Checks style, types, layers, unused code and the generated files of the clients, as many tools at a
 * time as the machine has cores. Prints the output of the tools that object to something, and then
 * ends with 1.
 */
import { exec } from 'node:child_process';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';

/** The slowest first. One thread per program, because threads of the compiler share no work. */
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

/** The compiler, a Go program, takes half the time if it collects garbage less often. */
const env = { ...process.env, GOGC: '400' };

const limit = pLimit(availableParallelism());
const passed = await Promise.all(TOOLS.map((tool) => limit(check, tool)));
if (passed.includes(false)) process.exitCode = 1;

/** Returns whether a tool has nothing to object to. */
function check(tool: string): Promise<boolean> {
  return new Promise((resolve) => {
    exec(tool, { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error) console.error(`${tool}\n${stdout}${stderr}`);
      resolve(error === null);
    });
  });
}
