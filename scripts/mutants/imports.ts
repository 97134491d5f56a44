import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** How many test files run before the rest of the folder does. */
const NEAREST = 6;

/** Tests that import this file start the program, which takes seconds. */
const STARTS_PROGRAM = 'test/support/main-module.ts';

const PROGRAM = 'src/main.ts';

/**
 * Returns the test files that should catch a mistake in a source file: first those that import it
 * most directly, then the rest of the folder that mirrors it.
 */
export function testsFor(file: string, tests: ReadonlyMap<string, Distances>): Stages {
  const users = usersOf(file);
  const near = [...tests]
    .flatMap(([test, distances]) => {
      const distance = distances.get(file);
      if (distance === undefined) return [];
      const detour = distances.has(STARTS_PROGRAM) ? 2 : 0;
      const isNamed = users.has(basename(test, '.test.ts'));
      const saved = likeness(test, file) + (isNamed ? 4 : 0);
      return [{ test, distance: distance + detour - saved }];
    })
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAREST)
    .map(({ test }) => test);
  const [, ...folders] = dirname(file).split('/');
  const folder = `test/${folders[0] ?? ''}/`;
  const rest = [...tests.keys()].filter((test) => test.startsWith(folder) && !near.includes(test));
  return { near, rest };
}

export interface Stages {
  readonly near: readonly string[];
  readonly rest: readonly string[];
}

/** How many imports lead from a test file to each file that it reaches. */
type Distances = ReadonlyMap<string, number>;

/** Reads the imports of the test files that `npm test` runs. */
export function readTests(): Map<string, Distances> {
  const files = globSync([
    'test/*.test.ts',
    'test/!(real|browser|duckdb|faults|cluster|slow)/**/*.test.ts',
  ]);
  return new Map(files.sort().map((file) => [file, distances(file)]));
}

/** The files that each file imports, of all that were read. */
const IMPORTS = new Map<string, string[]>();

/** Returns the names of the files that import a file. */
function usersOf(file: string): Set<string> {
  const users = [...IMPORTS].filter(([, imports]) => imports.includes(file));
  return new Set(users.map(([user]) => basename(user, extname(user))));
}

function distances(from: string): Distances {
  const found = new Map([[from, 0]]);
  // A Map visits entries added during iteration, so this loop is a breadth-first search.
  for (const [file, distance] of found) {
    for (const next of importsOf(file)) {
      if (!found.has(next)) found.set(next, distance + 1);
    }
  }
  return found;
}

function importsOf(file: string): string[] {
  let imports = IMPORTS.get(file);
  if (!imports) {
    const source = readFileSync(file, 'utf8');
    const { module } = parseSync(file, source);
    const exported = module.staticExports.flatMap(({ entries }) => entries);
    const requests = [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...exported.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
      ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => {
        return source.slice(start + 1, end - 1);
      }),
    ];
    imports = requests
      .filter((path) => /^\.[^']*\.tsx?$/.test(path))
      .map((path) => join(dirname(file), path));
    if (file === STARTS_PROGRAM) imports.push(PROGRAM);
    IMPORTS.set(file, imports);
  }
  return imports;
}

const TEXTS = new Map<string, string>();

function textOf(file: string): string {
  const text = TEXTS.get(file) ?? readFileSync(file, 'utf8');
  TEXTS.set(file, text);
  return text;
}

/** How much the path and text of a test file have to do with a source file, in imports saved. */
function likeness(test: string, file: string): number {
  const path = file.replace(/^(web\/)?src\//, '').replace(/\.tsx?$/, '');
  const tested = test.replace(/^test\/(web\/)?/, '').replace(/\.test\.ts$/, '');
  if (tested === path) return 6;
  const words = tested.split(/\W/);
  const [folder, subject = ''] = path.split('/');
  const own = [subject, ...basename(path).split('-')];
  // Tests of a command or a rule give its name as an argument.
  const named = textOf(test).split(new RegExp(`'(${subject}|${basename(path)})'`)).length - 1;
  return (
    (tested.split('/')[0] === folder ? 2 : 0) +
    (dirname(tested) === dirname(path) ? 1 : 0) +
    (own.some((word) => words.includes(word)) ? 2 : 0) +
    (basename(tested) === basename(path) ? 3 : 0) +
    Math.min(named, 8) / 4
  );
}
