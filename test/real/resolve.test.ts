/** Tests the resolver on lines of real cards, which are not part of the repository. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Catalogue } from '../../bench/resolve/catalogue.ts';
import { makeKnownLines, readScryfallIds } from '../../bench/resolve/forms.ts';
import { buildResolver, judge, watchDelays } from '../../bench/resolve/judge.ts';
import type { Line } from '../../bench/resolve/line.ts';
import { makeUnanswerable } from '../../bench/resolve/unanswerable.ts';
import { Draw } from '../../bench/search/draw.ts';
import { readTree } from '../../bench/search/tree.ts';
import { paced } from '../support/pace.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const SEED = 1;
const BATCH = 500;

const catalogue = new Catalogue(readTree(DATA));
const scryfallIds = readScryfallIds(DATA);
const resolver = buildResolver(catalogue.cards, scryfallIds);
const known = makeKnownLines(catalogue, scryfallIds, SEED);
const unanswerable = makeUnanswerable(catalogue, SEED);

function written({ item }: Line): string {
  return item.text ?? JSON.stringify(item);
}

describe('2,000 lines of real cards in eleven forms', async () => {
  const answers = await resolver.resolve(known.map(({ item }) => item));
  const verdicts = known.map((line, i) => {
    const answer = answers[i];
    assert.ok(answer, `line ${i} has an answer`);
    return { line, verdict: judge(line, answer) };
  });

  it('are matched to the right card and printing in 97% of all cases', () => {
    const right = verdicts.filter(({ verdict }) => verdict === 'right' || verdict === 'told');
    const missed = verdicts.filter((each) => !right.includes(each));
    const lines = missed.map(({ line, verdict }) => `${verdict}: ${written(line)}`).join('\n');
    assert.ok(right.length >= 0.97 * known.length, `${right.length} of ${known.length}\n${lines}`);
  });

  it('are matched to a wrong one in at most one of a thousand cases', () => {
    const wrong = verdicts.filter(({ verdict }) => verdict === 'wrong').map(({ line }) => line);
    assert.ok(wrong.length <= 0.001 * known.length, wrong.map(written).join('\n'));
  });
});

describe('500 lines that mean no card, or several', async () => {
  const answers = await resolver.resolve(unanswerable.map(({ item }) => item));

  it('are never matched', () => {
    const matched = unanswerable.filter((_, i) => answers[i]?.status === 'matched');
    assert.deepEqual(matched.map(written), []);
  });
});

describe('500 lines that mean cards, at once', async () => {
  const LIMIT_MS = 40;
  const DELAY_MS = 10;
  const draw = new Draw(SEED, 'batches');
  let leastDelay = Number.POSITIVE_INFINITY;
  const ms = await paced(
    async () => {
      const items = Array.from({ length: BATCH }, () => draw.pick(known).item);
      const { timerDelay } = await watchDelays(() => resolver.resolve(items));
      leastDelay = Math.min(leastDelay, timerDelay);
    },
    { runs: 100, until: (fastest) => fastest < LIMIT_MS && leastDelay < DELAY_MS },
  );

  it(`take less than ${LIMIT_MS} ms`, () => assert.ok(ms < LIMIT_MS, `${ms} ms`));

  it(`do not delay other work by more than ${DELAY_MS} ms`, () => {
    assert.ok(leastDelay < DELAY_MS, `${leastDelay} ms`);
  });
});
