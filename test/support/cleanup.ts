import { after, getTestContext } from 'node:test';

type Work = () => unknown;

/** The work to do when each test ends, in order of registration. */
const pending = new WeakMap<object, Work[]>();

/** The key for work registered outside of tests, which is done at the end of the file. */
const FILE = {};

/**
 * Does `work` when the calling test ends, whether it passes or fails. Work registered last is done
 * first, so users of a database stop before the database is removed. Unlike hooks of `node:test`,
 * all work is done even if a part fails. The test then fails with the first error.
 */
export function cleanUp(work: Work): void {
  const test = getTestContext() ?? FILE;
  const works = pending.get(test);
  if (works) {
    works.push(work);
    return;
  }
  const first = [work];
  pending.set(test, first);
  after(() => {
    pending.delete(test);
    return doAll(first);
  });
}

/**
 * Makes work registered later with {@link cleanUp} run before `node:test` hooks registered later.
 * Does nothing outside of tests.
 */
export function cleanUpFirst(): void {
  if (getTestContext()) cleanUp(() => {});
}

async function doAll(works: Work[]): Promise<void> {
  const errors: unknown[] = [];
  for (let work = works.pop(); work; work = works.pop()) {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
