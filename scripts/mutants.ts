/**
 * Plants small mistakes in a copy of the checkout, one at a time, and reports which of them the tests
 * catch: `npm run mutants -- src/accounts --count 40 --seed 1`. The same seed plants the same mistakes.
 */
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from 'node:test';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '../test/support/global-setup.ts';
import { readTests, testsFor } from './mutants/imports.ts';
import { type Mutant, mutantsOf } from './mutants/sites.ts';

const COPIED = ['bin', 'data', 'deploy', 'docs', 'scripts', 'src', 'test', 'web', 'package.json'];

/** Tests that run longer than this hang. A mistake that hangs them does not count as caught. */
const LIMIT_MS = 120_000;
const TEST_LIMIT_MS = 30_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
});

type Outcome = 'caught' | 'survived' | 'hung';

const mutants = draw(all(positionals.length > 0 ? positionals : ['src']), Number(values.count));
const tests = readTests();
const copy = makeCopy();
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
await globalSetup();
process.chdir(copy);
const outcomes: (Mutant & { outcome: Outcome })[] = [];
for (const mutant of mutants) {
  const outcome = await outcomeOf(mutant);
  outcomes.push({ ...mutant, outcome });
  const { file, line, before, after } = mutant;
  const change = `${oneLine(before)} → ${oneLine(after)}`;
  console.log(
    `${outcome.padEnd(8)} ${outcomes.length}/${mutants.length} ${file}:${line} ${change}`,
  );
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

function makeCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-mutants-'));
  for (const name of COPIED) cpSync(name, join(folder, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function outcomeOf({ file, start, end, after }: Mutant): Promise<Outcome> {
  const source = readFileSync(file, 'utf8');
  writeFileSync(file, source.slice(0, start) + after + source.slice(end));
  try {
    const { near, rest } = testsFor(file, tests);
    const outcome = await runTests(near);
    return outcome === 'survived' ? await runTests(rest) : outcome;
  } finally {
    writeFileSync(file, source);
  }
}

/** Runs test files until the first one fails. */
async function runTests(files: readonly string[]): Promise<Outcome> {
  if (files.length === 0) return 'survived';
  const ended = new AbortController();
  let outcome: Outcome = 'survived';
  const end = (reason: Outcome) => {
    if (outcome === 'survived') outcome = reason;
    ended.abort();
  };
  const timer = setTimeout(() => end('hung'), LIMIT_MS);
  const options = { files: [...files], cwd: copy, concurrency: 2, timeout: TEST_LIMIT_MS };
  const stream = run({ ...options, signal: ended.signal });
  stream.on('test:fail', ({ details }) => {
    end(/timed out/.test(String(details.error)) ? 'hung' : 'caught');
  });
  stream.resume();
  await new Promise((finish) => stream.once('close', finish).once('end', finish));
  clearTimeout(timer);
  return outcome;
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
  if (values.json) writeFileSync(values.json, JSON.stringify(outcomes, null, 1));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 60);
}
