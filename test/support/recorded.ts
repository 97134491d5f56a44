import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

/** The environment variable that replaces recorded answers: `RECORD=1 npm test -- test/search`. */
const RECORD = 'RECORD';

/**
 * Compares answers with those in `test/fixtures/recorded/<name>.txt`, so a review shows every
 * answer that a change of a ranking or a judgement has changed. Each answer starts with the query,
 * unindented.
 */
export function assertRecorded(name: string, answers: readonly string[]): void {
  const file = new URL(`../fixtures/recorded/${name}.txt`, import.meta.url);
  if (process.env[RECORD]) writeFileSync(file, answers.join(''));
  const recorded = readFileSync(file, 'utf8').split(/(?<=\n)(?! )/);
  const changed = answers.filter((answer, i) => answer !== recorded[i]);
  const before = recorded.filter((answer, i) => answer !== answers[i]);
  assert.equal(
    changed.slice(0, 5).join(''),
    before.slice(0, 5).join(''),
    `${changed.length} of ${recorded.length} recorded answers differ (${RECORD}=1 replaces them)`,
  );
}
