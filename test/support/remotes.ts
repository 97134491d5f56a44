import assert from 'node:assert/strict';
import type { Remote } from '../../src/sources/contract/remote.ts';

/** What of a source's pages is kept, which answers these paths and no others. */
export function crawlPages(
  { content }: Remote,
  answers: Readonly<Record<string, unknown>>,
): unknown[] {
  if (content.kind !== 'pages') assert.fail('the source has no pages');
  const kept: unknown[] = [];
  const walk = content.crawl((item) => kept.push(item));
  for (let step = walk.next(); !step.done; step = walk.next(answers[step.value])) {
    assert.ok(Object.hasOwn(answers, step.value), `${step.value} is asked for`);
  }
  return kept;
}
