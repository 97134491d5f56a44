import assert from 'node:assert/strict';
import type { Remote } from '../../src/sources/contract/source.ts';

/** Crawls the pages of a source with these responses. Returns the items that it keeps. */
export function crawlPages(
  { content }: Remote,
  answers: Readonly<Record<string, unknown>>,
): unknown[] {
  if (content.kind !== 'pages') assert.fail('the source has no pages');
  const kept: unknown[] = [];
  const crawl = content.crawl((item) => kept.push(item));
  for (let step = crawl.next(); !step.done; step = crawl.next(answers[step.value])) {
    assert.ok(
      Object.hasOwn(answers, step.value),
      `${step.value} is requested, and has no response`,
    );
  }
  return kept;
}
