import { after, getTestContext } from 'node:test';

type Work = () => unknown;

/** What the end of each test has to do, in the order in which it was asked for. */
const pending = new WeakMap<object, Work[]>();

/** Stands for the file, outside of all tests. */
const FILE = {};

/**
 * Does `work` when the calling test ends, however it ends, and the last asked for first: what uses
 * a database is stopped before the database is removed. Unlike with hooks of `node:test`, all of it
 * is done even when a part fails; then the test fails with the first error.
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
 * Lets all that {@link cleanUp} is asked for from now on end before what later hooks of `node:test`
 * end. Does nothing outside of tests.
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
