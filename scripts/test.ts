/**
 * Runs the tests: `npm test` runs the checks and then everything that needs neither a browser nor
 * the real data, without the tests of faults and of a cluster; `npm test -- FILE…` runs these files,
 * folders or patterns alone. The exit code is 1 when a test fails.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';

/** Everything but what needs the real data, a browser or long, the slowest folders first. */
const ALL = [
  ...['test/commands/**', 'test/sync/**', 'test', 'test/!(real|browser|faults|cluster)/**'],
  'test/cluster/checker/**',
];

/**
 * How many files share a process. A process takes 0.6 s to load the program, which is longer than
 * most files take to run.
 */
const FILES_PER_PROCESS = 8;

const TIMEOUT_MS = 120_000;

const named = process.argv.slice(2).flatMap(testFiles);
if (process.argv.length === 2) check();
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compile');
const folder = mkdtempSync(join(tmpdir(), 'cardprice-tests-'));
process.once('exit', () => rmSync(folder, { recursive: true }));
const options = {
  files: process.argv.length > 2 ? named : groups(),
  concurrency: 2,
  timeout: TIMEOUT_MS,
  // Not in the types yet, which is why the options have a name.
  globalSetupPath: resolve('test/support/global-setup.ts'),
};
const stream = run(options);
stream.on('test:fail', () => {
  process.exitCode = 1;
});
stream.compose(new spec()).pipe(process.stdout);

/** The test files of an argument: a file, a folder or a pattern. */
function testFiles(argument: string): string[] {
  const isFolder = statSync(argument, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const files = globSync(isFolder ? join(argument, '**/*.test.ts') : argument);
  if (files.length === 0) {
    console.error(`There is no test file ${argument}.`);
    process.exit(1);
  }
  return files.map((file) => resolve(file));
}

/** Ends the run when the linter, the compiler or knip object to something. */
function check(): void {
  const { status } = spawnSync('npm', ['run', '-s', 'check'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Modules that each import some test files. */
function groups(): string[] {
  const files = [...new Set(ALL.flatMap((pattern) => globSync(`${pattern}/*.test.ts`).sort()))];
  const count = Math.ceil(files.length / FILES_PER_PROCESS);
  return Array.from({ length: count }, (_, group) => {
    const own = files.slice(group * FILES_PER_PROCESS, (group + 1) * FILES_PER_PROCESS);
    const path = join(folder, `group-${group + 1}.test.ts`);
    const imports = own.map((file) => `import '${pathToFileURL(resolve(file)).href}';\n`);
    writeFileSync(path, imports.join(''));
    return path;
  });
}
