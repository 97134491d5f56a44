import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { EVERYDAY } from '../test-folders.ts';

/** Tests that import this file start the program, which takes seconds. */
const STARTS_PROGRAM = 'test/support/main-module.ts';

const PROGRAM = 'src/main.ts';

/** The number of test files that count as near a source file. */
const NEAREST = 6;

/** Returns the test files that import a source file most directly. */
export function nearTests(file: string, tests: ReadonlyMap<string, Distances>): string[] {
  const importing = [...tests].filter(([, distances]) => distances.has(file));
  const found = importing.map(([test]) => test);
  return nearestFirst(found, file, tests).slice(0, NEAREST);
}

/** Sorts test files: first those that import a source file most directly or have its name. */
export function nearestFirst(
  found: readonly string[],
  file: string,
  tests: ReadonlyMap<string, Distances>,
): string[] {
  const users = usersOf(file);
  const ranked = found.map((test) => {
    const distances = tests.get(test);
    // A test may run a file without importing it, in a program that it starts.
    const distance = distances?.get(file) ?? 10;
    const detour = distances?.has(STARTS_PROGRAM) ? 2 : 0;
    const isNamed = users.has(basename(test, '.test.ts'));
    const saved = likeness(test, file) + (isNamed ? 4 : 0);
    return { test, distance: distance + detour - saved };
  });
  return ranked.sort((a, b) => a.distance - b.distance).map(({ test }) => test);
}

/** The number of imports from a test file to each file that it reaches. */
type Distances = ReadonlyMap<string, number>;

/** Reads the imports of the test files that `npm test` runs. */
export function readTests(): Map<string, Distances> {
  const files = globSync(['test/*.test.ts', `${EVERYDAY}/*.test.ts`]);
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

/** How closely the path and text of a test file relate to a source file, in saved imports. */
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
