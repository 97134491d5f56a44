import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainPrinting } from '../../src/domain/explain.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { FetchedObservation } from '../../src/domain/observation.ts';
import { NO_PRICES } from '../../src/domain/price.ts';

const NOW = Date.parse('2026-01-28T20:05:12Z');

function observed(
  source: string,
  market: number | null,
  daysAgo = 0,
  marketplace = 'tcgplayer',
): FetchedObservation {
  return {
    source,
    marketplace,
    currency: 'USD',
    conditions: {},
    graded: {},
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
      [
        'Older: 10 days before the newest; the limit for tcgcsv is 7 days.',
        'lorcast has no price.',
      ],
    );
  });

  it('says that a marketplace stays, with the days that were compared', () => {
    const guide = observed('pricecharting', 300, 0, 'pricecharting');
    const explained = market(observed('tcgcsv', 100, 8), guide);
    const sentence =
      'tcgplayer stays: its price is only 8 days older than the one of pricecharting, and a ' +
      'marketplace is kept for 30 days.';
    assert.deepEqual([explained?.value, explained?.rule], [100, 'marketplace-hold']);
    assert.equal(explained?.explanation, sentence);
    assert.deepEqual(
      explained?.leftOut.map(({ reason, explanation }) => [reason, explanation]),
      [['marketplace-hold', sentence]],
    );
  });

  it('says that a marketplace stays for another source of it', () => {
    const shop = observed('justtcg', 300, 2, 'justtcg');
    const explained = market(observed('tcgcsv', 100, 9), observed('scryfall', 90, 1), shop);
    assert.equal(explained?.value, 90);
    assert.equal(
      explained?.leftOut.find(({ observation }) => observation === shop)?.explanation,
      'tcgplayer stays: another of its sources comes before justtcg, and a marketplace is kept ' +
        'for 30 days.',
    );
  });

  it('says by how much a marketplace is too old', () => {
    const guide = observed('pricecharting', 300, 0, 'pricecharting');
    const explained = market(observed('tcgcsv', 100, 31), guide);
    assert.equal(explained?.value, 300);
    assert.deepEqual(
      explained?.leftOut.map(({ explanation }) => explanation),
      ['Older: 31 days before the newest; a marketplace is kept for 30 days.'],
    );
  });

  it('says by how much conditions and grades are behind the figures', () => {
    const old = {
      ...observed('justtcg', null, 310),
      conditions: { near_mint: 88_00 as Cents },
      graded: { psa_10: 900_00 as Cents },
    };
    const explained = explainPrinting([observed('tcgcsv', 453_86), old], [], { estimates: false });
    const leftOut = explained.flatMap(({ name, value, leftOut }) => {
      return name === 'market' ? [] : leftOut.map(({ explanation }) => [name, value, explanation]);
    });
    assert.deepEqual(leftOut.slice(-2), [
      [
        'conditions.near_mint',
        null,
        'Too old: 310 days before the figures; the limit for conditions is 30 days.',
      ],
      [
        'graded.psa_10',
        null,
        'Too old: 310 days before the figures; the limit for grades is 90 days.',
      ],
    ]);
  });

  it('of an estimate still names the conditions that are too old', () => {
    const old = { ...observed('justtcg', null, 31), conditions: { near_mint: 88_00 as Cents } };
    const numbers = explainPrinting([observed('tcgcsv', 100), old], [], { estimates: true });
    const explained = numbers.filter(({ name }) => name === 'conditions.near_mint');
    assert.deepEqual(
      explained.map(({ value, rule, leftOut }) => [value, rule, leftOut[0]?.reason]),
      [[100, 'estimate', 'behind-figures']],
    );
  });

  it('of no price names the sources', () => {
    const explained = market(observed('tcgcsv', null));
    assert.deepEqual([explained?.value, explained?.observation], [null, null]);
    assert.equal(explained?.explanation, 'No source has a price that can be served.');
    assert.deepEqual(
      explained?.leftOut.map(({ reason }) => reason),
      ['no-price'],
    );
  });

  it('of a printing without observations is empty', () => {
    assert.deepEqual(explainPrinting([], [], { estimates: true }), []);
  });
});
