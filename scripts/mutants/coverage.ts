import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Test files run at a time. Many of them wait. */
const AT_ONCE = 3;

/** How long a process may take to end when its test has ended. */
const SETTLE_MS = 1000;

/** Mistakes are planted only in these files. */
const SOURCE = /^(src|web\/src)\/.*\.tsx?$/;

/** The ranges of a source file that ran, as offsets: start, end, start, end and so on. */
type Ranges = readonly number[];

/** The code that a test file runs. */
export interface TestCoverage {
  /** The duration of the test file, with coverage. */
  readonly seconds: number;
  /** For each source file, a position in its list of {@link Coverage.ranges}. */
  readonly files: Readonly<Record<string, number>>;
}

/** The code that each test file runs, in its own processes and those that it starts. */
export interface Coverage {
  /** The different ranges of each source file. Many tests run the same code of a file. */
  readonly ranges: Readonly<Record<string, readonly Ranges[]>>;
  readonly tests: Readonly<Record<string, TestCoverage>>;
}

/** Test files that run most of the code around a mistake are likely to see what it changes. */
const AROUND = 500;

/** A test file that runs a line, and how many characters it runs around the line. */
export interface Running {
  readonly test: string;
  readonly around: number;
}

/** Returns the test files that run the code at an offset of a source file. */
export function testsOf({ ranges, tests }: Coverage, file: string, offset: number): Running[] {
  const around = ranges[file]?.map((ran) => {
    return (
      charactersRun(ran, offset, offset + 1) && charactersRun(ran, offset - AROUND, offset + AROUND)
    );
  });
  return Object.entries(tests).flatMap(([test, { files }]) => {
    const characters = around?.[files[file] ?? -1] ?? 0;
    return characters > 0 ? [{ test, around: characters }] : [];
  });
}

function charactersRun(ranges: Ranges, from: number, to: number): number {
  let characters = 0;
  for (let at = 0; at < ranges.length; at += 2) {
    const start = Math.max(from, Number(ranges[at]));
    characters += Math.max(0, Math.min(to, Number(ranges[at + 1])) - start);
  }
  return characters;
}

/** Runs test files, a few at a time, and records the code that each one runs. */
export class Measuring {
  readonly #tests: Record<string, TestCoverage>;
  /** For each source file, the positions of its ranges by their text. */
  readonly #known: Map<string, Map<string, number>>;

  /** Continues an earlier measurement. */
  constructor({ ranges, tests }: Coverage = { ranges: {}, tests: {} }) {
    this.#tests = { ...tests };
    this.#known = new Map(
      Object.entries(ranges).map(([file, all]) => [
        file,
        new Map(all.map((one, at) => [JSON.stringify(one), at])),
      ]),
    );
  }

  /** Returns the measurements so far. */
  coverage(): Coverage {
    const ranges = [...this.#known].map(([file, texts]) => [file, [...texts.keys()].map(parse)]);
    return { ranges: Object.fromEntries(ranges), tests: this.#tests };
  }

  /** Runs the test files that were not measured yet. Calls `onMeasured` after each. */
  async measure(tests: readonly string[], onMeasured: (count: number) => void): Promise<void> {
    const waiting = tests.filter((test) => this.#tests[test] === undefined);
    const work = async () => {
      for (let test = waiting.shift(); test; test = waiting.shift()) {
        this.#tests[test] = await this.#run(test);
        onMeasured(Object.keys(this.#tests).length);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  async #run(test: string): Promise<TestCoverage> {
    const folder = join('coverage', test);
    mkdirSync(folder, { recursive: true });
    const startedAt = performance.now();
    const child = spawn(process.execPath, ['--test-timeout=120000', '--test-force-exit', test], {
      env: { ...process.env, NODE_V8_COVERAGE: folder },
      stdio: 'ignore',
    });
    await once(child, 'exit');
    const seconds = (performance.now() - startedAt) / 1000;
    await settled(folder);
    const files = [...readRan(folder)].map(([file, ran]) => [file, this.#position(file, ran)]);
    rmSync(folder, { recursive: true });
    return { seconds, files: Object.fromEntries(files) };
  }

  #position(file: string, ran: Uint8Array): number {
    const texts = this.#known.get(file) ?? new Map<string, number>();
    this.#known.set(file, texts);
    const text = JSON.stringify(rangesOf(ran));
    const position = texts.get(text) ?? texts.size;
    texts.set(text, position);
    return position;
  }
}

const parse = (text: string): Ranges => JSON.parse(text);

/** Waits until the processes that a test leaves behind have ended, and have written their files. */
async function settled(folder: string): Promise<void> {
  let before = -1;
  for (let now = readdirSync(folder).length; now !== before; now = readdirSync(folder).length) {
    before = now;
    await sleep(SETTLE_MS);
  }
}

/** A part of V8's output: https://chromedevtools.github.io/devtools-protocol/v8/Profiler/ */
interface Written {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly WrittenRange[] }[];
  }[];
}

interface WrittenRange {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Returns, for each source file, which of its characters ran in any process of a test (1). */
function readRan(folder: string): Map<string, Uint8Array> {
  const ran = new Map<string, Uint8Array>();
  for (const name of readdirSync(folder)) {
    for (const { url, functions } of readResult(join(folder, name))) {
      const file = url.startsWith('file:') ? sourceFile(fileURLToPath(url)) : undefined;
      if (!file) continue;
      const ranges = functions.flatMap((one) => one.ranges);
      const now = ranHere(ranges);
      const before = ran.get(file);
      ran.set(file, before ? now.map((value, at) => value | Number(before[at] ?? 0)) : now);
    }
  }
  return ran;
}

/** Returns nothing for a process that was killed while it wrote. */
function readResult(path: string): Written['result'] {
  const text = readFileSync(path, 'utf8');
  return text.endsWith('}') ? (JSON.parse(text) as Written).result : [];
}

function sourceFile(path: string): string | undefined {
  const file = relative('.', path);
  return SOURCE.test(file) && existsSync(file) ? file : undefined;
}

/** The counts of an inner range replace those of the range around it. */
function ranHere(ranges: readonly WrittenRange[]): Uint8Array {
  const length = Math.max(0, ...ranges.map(({ endOffset }) => endOffset));
  const ran = new Uint8Array(length);
  const outerFirst = ranges.toSorted(
    (a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset,
  );
  for (const { startOffset, endOffset, count } of outerFirst) {
    ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  return ran;
}

function rangesOf(ran: Uint8Array): number[] {
  const ranges: number[] = [];
  for (let at = 0; at <= ran.length; at++) {
    const isEdge = Number(ran[at] ?? 0) !== Number(ran[at - 1] ?? 0);
    if (isEdge) ranges.push(at);
  }
  return ranges;
}
