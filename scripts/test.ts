/**
 * Runs the tests: `npm test` runs the checks and then the tests that a change usually needs. `npm
 * test -- FILE…` runs only these files, folders or patterns. `npm run test:quick` runs the tests of
 * files that differ from main, on SQLite. `npm run test:postgres` runs the tests on PostgreSQL that
 * `npm test` runs only on SQLite. The exit code is 1 if a test fails.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EVERYDAY, ON_BOTH_ENGINES } from './test-folders.ts';

/** All tests without a separate script, the slowest folders first. */
const ALL = [...['test/commands/**', 'test/sync/**', 'test', EVERYDAY], 'test/cluster/checker/**'];

/**
 * Test files per process. A process takes 0.7 s to load the program, which is longer than most
 * files take to run.
 */
const FILES_PER_PROCESS = 20;

const TIMEOUT_MS = Number(process.env.TEST_TIMEOUT_MS ?? 120_000);

/** A test that runs longer than this is named on stderr. */
const SLOW_MS = Number(process.env.TEST_SLOW_MS ?? 15_000);

const mode = ['--quick', '--postgres'].find((flag) => flag === process.argv[2]);
const named = process.argv.slice(mode ? 3 : 2);
const folder = mkdtempSync(join(tmpdir(), 'cardprice-tests-'));
process.once('exit', () => rmSync(folder, { recursive: true }));
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compile');
process.env.TEST_RUNNING_FOLDER = folder;
if (mode) process.env.TEST_ENGINES = mode === '--quick' ? 'SQLite' : 'PostgreSQL';
// A single file should not wait for a build.
if (named.length > 0) process.env.TEST_MAIN ??= resolve('src/main.ts');
if (named.length === 0 && !mode) check();

const files = await filesToRun();
if (files.length === 0) {
  console.log('Nothing differs from main that tests import.');
  process.exit();
}
const options = {
  files,
  concurrency: 2,
  timeout: TIMEOUT_MS,
  // Tests create much garbage, most of which does not outlive a large young generation.
  execArgv: [
    '--max-semi-space-size=64',
    '--import',
    pathToFileURL(resolve('test/support/name-running.ts')).href,
  ],
  // Not in the types yet. For this reason the options are a variable.
  globalSetupPath: resolve('test/support/global-setup.ts'),
};
const stream = run(options);
stream.on('test:fail', () => {
  process.exitCode = 1;
});
stream.compose(new spec()).pipe(process.stdout);
setInterval(nameSlowTests, 1000).unref();

async function filesToRun(): Promise<string[]> {
  if (mode === '--quick') return changedTests();
  if (named.length > 0) return named.flatMap(testFiles);
  const all = [...new Set(ALL.flatMap((pattern) => globSync(`${pattern}/*.test.ts`).sort()))];
  const onBoth = all.filter((file) => ON_BOTH_ENGINES.test(file));
  const others = all.filter((file) => !onBoth.includes(file));
  if (mode === '--postgres') return groups('postgres', others.filter(hasEngines));
  return [...groups('sqlite', others, 'SQLite'), ...groups('both', onBoth)];
}

/** Whether a test file has tests for each engine. */
function hasEngines(file: string): boolean {
  return /\b(forEachEngine|ENGINES)\b/.test(readFileSync(file, 'utf8'));
}

/** The test files of an argument: a file, a folder or a pattern. */
function testFiles(argument: string): string[] {
  const isFolder = statSync(argument, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const found = globSync(isFolder ? join(argument, '**/*.test.ts') : argument);
  if (found.length === 0) {
    console.error(`There is no test file ${argument}.`);
    process.exit(1);
  }
  return found.map((file) => resolve(file));
}

/** The changed test files, and for each other changed file the tests that are nearest to it. */
async function changedTests(): Promise<string[]> {
  const { nearTests, readTests } = await import('./mutants/imports.ts');
  const tests = readTests();
  const since = git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD';
  const changed = [
    ...git('diff', '--name-only', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ].filter((file) => existsSync(file));
  const found = changed.flatMap((file) => (tests.has(file) ? [file] : nearTests(file, tests)));
  return [...new Set(found)].map((file) => resolve(file));
}

function git(...parameters: readonly string[]): string[] {
  const { stdout } = spawnSync('git', parameters, { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '');
}

/** Ends the run if the linter, the compiler or knip reports a problem. */
function check(): void {
  const { status } = spawnSync('npm', ['run', '-s', 'check'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Writes modules that each import some test files, and returns their paths. */
function groups(name: string, all: readonly string[], engine?: string): string[] {
  const count = Math.ceil(all.length / FILES_PER_PROCESS);
  // A separate module, because imports are evaluated before any other statement.
  const setting = join(folder, `${name}.ts`);
  writeFileSync(setting, engine ? `process.env.TEST_ENGINES = '${engine}';\n` : '');
  return Array.from({ length: count }, (_, group) => {
    const own = all.slice(group * FILES_PER_PROCESS, (group + 1) * FILES_PER_PROCESS);
    const path = join(folder, `${name}-${group + 1}.test.ts`);
    const urls = [setting, ...own].map((file) => pathToFileURL(resolve(file)).href);
    writeFileSync(path, urls.map((url) => `import '${url}';\n`).join(''));
    return path;
  });
}

/**
 * Names tests that run for long, once each. Ends processes that a test blocks beyond its timeout,
 * and processes that stay alive after their tests.
 */
function nameSlowTests(): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const path = join(folder, file);
    const { at, names, isNamed } = readRunning(path);
    const age = Date.now() - at;
    if (age > SLOW_MS && names.length > 0 && !isNamed) {
      const slow = names.map(locate);
      console.error(`Running for ${Math.round(age / 1000)} s: ${slow.join('; ')}`);
      writeFileSync(path, JSON.stringify({ at, names, isNamed: true }));
    }
    // The timeout of a test cannot fire while the test blocks its process.
    if (age > TIMEOUT_MS + SLOW_MS) end(Number.parseInt(file, 10), names, path);
  }
}

/**
 * Returns `FILE: SUITE > TEST` with the file of a test instead of the module of its group. The file
 * is the one that contains the name of the test, the first half of a composed name, or the name of
 * its suite.
 */
function locate(name: string): string {
  const [path = '', ...rest] = name.split(': ');
  if (!path.startsWith(folder)) return relative(process.cwd(), name);
  const title = rest.join(': ');
  const urls = [...readFileSync(path, 'utf8').matchAll(/'(file:.*\.test\.ts)'/g)];
  const all = urls.map(([, url = '']) => relative(process.cwd(), fileURLToPath(url)));
  const suites = title.split(' > ').reverse();
  const parts = suites.flatMap((part) => [part, part.slice(0, part.length / 2)]);
  const found = parts.map((part) =>
    all.filter((file) => readFileSync(file, 'utf8').includes(part)),
  );
  const own = found.find(({ length }) => length > 0) ?? [];
  return `${own.join(' or ')}: ${title}`;
}

/** Ends a test process, which then counts as failed. */
function end(pid: number, names: readonly string[], path: string): void {
  if (names.length === 0) console.error(`Process ${pid} runs no test and does not end.`);
  rmSync(path);
  process.kill(pid, 'SIGKILL');
}

function readRunning(path: string): { at: number; names: string[]; isNamed?: boolean } {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The process is still writing it, or has ended.
    return { at: Date.now(), names: [] };
  }
}
