import type { DocId } from '../fields.ts';
import type { DocFilter } from '../filters.ts';

/** These are left out of other tests, because many conditions may be tested for every card. */
export const NEVER: DocFilter = () => false;
const ALWAYS: DocFilter = () => true;

/** Returns a test that passes if another one does not. */
export function inverse(test: DocFilter): DocFilter {
  if (test === NEVER) return ALWAYS;
  return test === ALWAYS ? NEVER : (doc) => !test(doc);
}

/** Returns a test that passes if any of several does. */
export function anyOf(all: readonly DocFilter[]): DocFilter {
  const tests = all.filter((test) => test !== NEVER);
  if (tests.includes(ALWAYS)) return ALWAYS;
  const [only = NEVER] = tests;
  if (tests.length < 2) return only;
  return (doc) => {
    for (const test of tests) if (test(doc)) return true;
    return false;
  };
}

/** Returns a test for membership in some values. */
export function isOf<Value>(wanted: ReadonlySet<Value>, read: (doc: DocId) => Value): DocFilter {
  return wanted.size === 0 ? NEVER : (doc) => wanted.has(read(doc));
}
