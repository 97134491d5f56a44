/**
 * Plants small mistakes in a copy of the checkout, one at a time, and reports which ones the tests
 * catch: `npm run mutants -- src/accounts --count 40 --seed 1`. The same seed plants the same
 * mistakes. `--json FILE` records them; a stopped run continues there. `--again FILE` plants the
 * ones that the tests did not catch again. Only test files that run the changed code are run; a
 * first run of all test files determines them. `--coverage FILE` records this coverage, or reads
 * it.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts';
import { type Coverage, Measuring, testsOf } from './mutants/coverage.ts';
import { nearestFirst, nearTests, readTests } from './mutants/imports.ts';
import { type Mutant, mutantsOf } from './mutants/sites.ts';
import { ON_BOTH_ENGINES } from './test-folders.ts';

/**
 * Files that are not copied. Without any other file, tests would fail and seem to catch every
 * mistake.
 */
const NOT_COPIED = ['.git', '.cache', 'node_modules'];

/** A module that imports the test files to run. */
const GROUP = 'group.test.ts';

/** Writes the names of running tests to a folder. */
const NAME_RUNNING = new URL('../test/support/name-running.ts', import.meta.url).href;

/** A test that runs longer than this hangs. A mistake that hangs tests does not count as caught. */
const TEST_LIMIT_MS = 120_000;

/** Test files that take longer than this together are not run for a mistake. */
const MUTANT_LIMIT_SECONDS = 200;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
    again: { type: 'string' },
    coverage: { type: 'string' },
  },
});

interface Outcome {
  readonly outcome: 'caught' | 'survived' | 'hung';
  /** The file and name of the test that failed or hung. */
  readonly by?: string;
}

const mutants = values.again
  ? uncaught(values.again)
  : draw(all(positionals.length > 0 ? positionals : ['src']), Number(values.count));
const json = values.json && resolve(values.json);
const recorded = values.coverage && resolve(values.coverage);
const outcomes: (Mutant & Outcome)[] =
  json && existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : [];
const tests = readTests();
const copy = mkdtempSync(join(tmpdir(), 'cardprice-mutants-'));
const running = join(copy, 'running');
makeCopy();
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
// Tests of commands run the sources with the mistake, not the built program.
process.env.TEST_MAIN = join(copy, 'src/main.ts');
await globalSetup();
process.chdir(copy);
const coverage = await readCoverage();
for (const mutant of mutants) {
  if (outcomes.some((known) => isSame(known, mutant))) continue;
  const startedAt = performance.now();
  const { outcome, by } = await outcomeOf(mutant);
  outcomes.push({ ...mutant, outcome, ...(by && { by }) });
  if (json) writeFileSync(json, JSON.stringify(outcomes, null, 1));
  const { file, line, before, after } = mutant;
  const change = `${oneLine(before)} → ${oneLine(after)}`;
  const seconds = `${Math.round((performance.now() - startedAt) / 1000)} s`;
  console.log(
    `${outcome.padEnd(8)} ${outcomes.length}/${mutants.length} ${file}:${line} ${change} (${seconds})`,
  );
  if (outcome === 'hung') console.log(`  ${by}`);
}
await globalTeardown();
report();

/** Returns every mutant of the named files and folders. */
function all(paths: readonly string[]): Mutant[] {
  const files = paths.flatMap((path) => {
    return /\.tsx?$/.test(path) ? [path] : globSync(`${path}/**/*.{ts,tsx}`).sort();
  });
  return files.flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
}

/** Returns the mutants of an earlier run that no test caught, if the sources still contain them. */
function uncaught(file: string): Mutant[] {
  const earlier: (Mutant & Outcome)[] = JSON.parse(readFileSync(file, 'utf8'));
  const missed = earlier.filter(({ outcome }) => outcome !== 'caught');
  return all([...new Set(missed.map((mutant) => mutant.file))]).filter((mutant) =>
    missed.some((one) => isSame(one, mutant)),
  );
}

function isSame(one: Mutant, other: Mutant): boolean {
  const isThere = one.file === other.file && one.line === other.line;
  return isThere && one.before === other.before && one.after === other.after;
}

/** Draws `count` mutants at random. */
function draw(from: Mutant[], count: number): Mutant[] {
  let state = Number(values.seed);
  const random = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return from
    .map((mutant) => ({ mutant, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

function makeCopy(): void {
  const isCopied = (path: string) => !NOT_COPIED.includes(path);
  cpSync('.', copy, { recursive: true, filter: isCopied });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  // Stopped tests leave their files, and PostgreSQL may run as another user.
  chmodSync(copy, 0o755);
  process.env.TMPDIR = join(copy, 'tmp');
  mkdirSync(process.env.TMPDIR);
  process.env.TEST_RUNNING_FOLDER = running;
  process.env.NODE_COMPILE_CACHE = join(copy, 'compiled');
}

async function outcomeOf({ file, start, end, after }: Mutant): Promise<Outcome> {
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, source.slice(0, start) + after + source.slice(end));
  try {
    const stages = stagesOf(file, start);
    for (const [files, engine] of stages) {
      const outcome = await runTests(files, engine);
      if (outcome.outcome !== 'survived') return outcome;
    }
    return { outcome: 'survived' };
  } finally {
    writeFileSync(file, source);
  }
}

/**
 * Returns the test files that run the code at an offset. The nearest file often suffices, and it
 * loads less than the others. Most mistakes fail on both databases, and tests on SQLite take a
 * third of the time.
 */
function stagesOf(file: string, offset: number): [string[], 'SQLite' | 'PostgreSQL'][] {
  let seconds = 0;
  const running = testsOf(coverage, file, offset);
  const byCode = running.toSorted((a, b) => b.around - a.around).map(({ test }) => test);
  const byName = nearestFirst(byCode, file, tests);
  // A process that a test kills reports nothing of what it ran.
  const found = running.length > 0 ? [...byName.slice(0, 3), ...byCode] : nearTests(file, tests);
  const near = [...new Set(found)].filter((test) => {
    seconds += coverage.tests[test]?.seconds ?? 0;
    return seconds < MUTANT_LIMIT_SECONDS;
  });
  const onBoth = near.filter((test) => ON_BOTH_ENGINES.test(test)).slice(0, 3);
  return [
    [near.slice(0, 1), 'SQLite'],
    [near.slice(1, 6), 'SQLite'],
    [onBoth, 'PostgreSQL'],
    [near.slice(6), 'SQLite'],
  ];
}

/** Returns the code that each test file runs. A stopped run continues with its records. */
async function readCoverage(): Promise<Coverage> {
  const isKnown = recorded && existsSync(recorded);
  const measuring = new Measuring(isKnown ? JSON.parse(readFileSync(recorded, 'utf8')) : undefined);
  await measuring.measure([...tests.keys()], (count) => {
    console.error(`Test files run with coverage: ${count} of ${tests.size}`);
    if (recorded && (count % 20 === 0 || count === tests.size)) {
      writeFileSync(recorded, JSON.stringify(measuring.coverage()));
    }
  });
  return measuring.coverage();
}

/** Runs test files until the first test fails or hangs. */
async function runTests(files: readonly string[], engine: string): Promise<Outcome> {
  if (files.length === 0) return { outcome: 'survived' };
  process.env.TEST_ENGINES = engine;
  // One process for all files, because each would take 0.6 s to load the program.
  const imports = files.map((file) => `import '${pathToFileURL(join(copy, file)).href}';\n`);
  writeFileSync(GROUP, imports.join(''));
  // A stopped process leaves its file.
  rmSync(running, { recursive: true, force: true });
  mkdirSync(running);
  const ended = new AbortController();
  let outcome: Outcome = { outcome: 'survived' };
  const end = (reason: 'caught' | 'hung', by: string) => {
    if (outcome.outcome === 'survived') outcome = { outcome: reason, by };
    ended.abort();
  };
  // A test that blocks its process cannot end by itself.
  const timer = setTimeout(() => end('hung', runningTests()), 1.5 * TEST_LIMIT_MS);
  const stream = run({
    files: [resolve(GROUP)],
    cwd: copy,
    execArgv: [`--test-timeout=${TEST_LIMIT_MS}`, '--import', NAME_RUNNING],
    signal: ended.signal,
  });
  stream.on('test:complete', () => timer.refresh());
  stream.on('test:fail', ({ details, file, name }) => {
    const isTimeout = /timed out after/.test(String(details.error));
    end(isTimeout ? 'hung' : 'caught', nameOf(file, name));
  });
  stream.resume();
  await new Promise((finish) => stream.once('close', finish).once('end', finish));
  clearTimeout(timer);
  return outcome;
}

/** Returns the names of the tests that have started and not ended. */
function runningTests(): string {
  const files = globSync(join(running, '*.json'));
  const names = files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).names as string[]);
  return names.length > 0 ? names.join('; ') : 'before the first test';
}

function nameOf(file: string | undefined, name: string): string {
  return `${relative(copy, file ?? '')}: ${name}`;
}

/** Prints the share caught in each folder. */
function report(): void {
  const folders = Map.groupBy(outcomes, ({ file }) => file.split('/').slice(0, 2).join('/'));
  for (const [folder, all] of [...folders].sort()) {
    const caught = all.filter(({ outcome }) => outcome === 'caught').length;
    console.log(`${folder}: ${caught} of ${all.length} caught`);
  }
  const caught = outcomes.filter(({ outcome }) => outcome === 'caught').length;
  const hung = outcomes.filter(({ outcome }) => outcome === 'hung').length;
  console.log(`all: ${caught} of ${outcomes.length} caught, ${hung} only by a time-out`);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 60);
}
