import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainPrinting } from '../../src/domain/explain.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { FetchedObservation } from '../../src/domain/observation.ts';
import { NO_PRICES } from '../../src/domain/price.ts';

const NOW = Date.parse('2026-01-28T20:05:12Z');

function observed(source: string, market: number | null, daysAgo = 0): FetchedObservation {
  return {
    ...{ source, marketplace: source, currency: 'USD', conditions: {}, graded: {} },
    prices: { ...NO_PRICES, market: market as Cents | null },
    observedAt: NOW - daysAgo * 86_400_000,
    fetchedAt: NOW,
    externalId: '1',
  };
}

function market(...observations: readonly FetchedObservation[]) {
  return explainPrinting(observations, [], { estimates: false })[0];
}

describe('an explanation', () => {
  it('says by how much a price is too old, and how old it may be', () => {
    const explained = market(
      observed('tcgcsv', 100, 10),
      observed('scryfall', 90),
      observed('lorcast', null),
    );
    assert.equal(explained?.value, 90);
    assert.deepEqual(
      explained?.leftOut.map(({ explanation }) => explanation),
      ['Older: 10 days before the newest, and tcgcsv counts for 7.', 'lorcast knows no price.'],
    );
  });

  it('of no price names the sources', () => {
    const explained = market(observed('tcgcsv', null));
    assert.deepEqual([explained?.value, explained?.observation], [null, null]);
    assert.equal(explained?.explanation, 'Nobody has a price that can be served.');
    assert.deepEqual(
      explained?.leftOut.map(({ reason }) => reason),
      ['no-price'],
    );
  });

  it('of a printing without observations is empty', () => {
    assert.deepEqual(explainPrinting([], [], { estimates: true }), []);
  });
});
