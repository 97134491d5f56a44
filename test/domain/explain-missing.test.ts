import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainPrinting } from '../../src/domain/explain.ts';
import { explainMissing, withQuarantined } from '../../src/domain/explain-missing.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { FetchedObservation } from '../../src/domain/observation.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import { type QuarantinedPrice, quarantinedAmounts } from '../../src/domain/quarantined.ts';

const NOW = Date.parse('2026-01-28T20:05:12Z');
const DAY = 86_400_000;

function observed(
  source: string,
  prices: Readonly<Record<string, number>>,
  fields: Partial<FetchedObservation> = {},
): FetchedObservation {
  return {
    source,
    marketplace: source,
    currency: 'USD',
    conditions: {},
    graded: {},
    prices: { ...NO_PRICES, ...prices },
    observedAt: NOW,
    fetchedAt: NOW,
    externalId: '1',
    ...fields,
  };
}

function entry(fields: Partial<QuarantinedPrice> = {}): QuarantinedPrice {
  const amounts = { prices: { ...NO_PRICES, market: 9900 as Cents }, conditions: {}, graded: {} };
  return {
    id: 17,
    source: 'tcgcsv',
    marketplace: 'tcgcsv',
    externalId: '1',
    printing: 'Foil',
    rule: 'price-jump',
    detail: 'It went from $10.00 to $99.00.',
    currency: 'USD',
    days: 2,
    amounts: quarantinedAmounts(amounts, { market: 1000 as Cents }),
    delisted: [],
    observedAt: NOW,
    quarantinedAt: NOW - DAY,
    decision: null,
    ...fields,
  };
}

function missing(
  observations: readonly FetchedObservation[],
  quarantined: readonly QuarantinedPrice[] = [],
) {
  const numbers = explainPrinting(observations, [], { estimates: false });
  const all = explainMissing(numbers, quarantined);
  return Object.fromEntries(all.map(({ name, ...rest }) => [name, rest]));
}

describe('a number that is null', () => {
  it('is listed for every figure, condition and grade that is not served', () => {
    const market = observed('tcgcsv', { market: 100 });
    const names = Object.keys(missing([market]));
    assert.equal(names.length, 12);
    assert.ok(!names.includes('market'));
    assert.equal(missing([market])['graded.psa_10']?.explanation, 'No source reports it.');
    assert.equal(Object.keys(missing([])).length, 13);
  });

  it('says which entry of the quarantine has it, with the numbers and what can be done', () => {
    const { reason, explanation, quarantined } = missing([], [entry()]).market ?? assert.fail();
    assert.equal(reason, 'quarantined');
    assert.equal(
      explanation,
      'tcgcsv reports $99.00 of 2026-01-28, quarantined since 2026-01-27, reported on 2 days by ' +
        'price-jump: It went from $10.00 to $99.00. ' +
        'The operator can approve it or reject it (entry 17).',
    );
    assert.deepEqual(quarantined[0]?.amount, {
      name: 'market',
      value: 9900,
      was: 1000,
      ratio: 9.9,
    });
  });

  it('offers no approval of impossible prices, and no decision twice', () => {
    const absurd = missing([], [entry({ rule: 'absurd-price', decision: 'rejected' })]);
    assert.match(absurd.market?.explanation ?? '', /can undo its rejection \(entry 17\)/);
  });

  it('says which merge rule leaves the price of another source out, with the days', () => {
    const old = observed('pricecharting', { low: 90 }, { observedAt: NOW - 20 * DAY });
    const { low } = missing([observed('tcgcsv', { market: 100 }), old]);
    assert.equal(low?.reason, 'freshness');
    assert.equal(
      low?.explanation,
      'tcgcsv (tcgcsv) is served and does not report it. pricecharting (pricecharting) has $0.90, ' +
        'but in another observation. Older: 20 days before the newest; the limit for ' +
        'pricecharting is 14 days.',
    );
    const euros = observed('cardmarket', { market: 90 }, { currency: 'EUR' });
    const { market } = missing([euros]);
    assert.equal(market?.reason, 'no-rate');
    assert.match(market?.explanation ?? '', /^cardmarket \(cardmarket\) has €0\.90\. In EUR, /);
  });

  it('is not explained by a past day, or by a delisting of a number that no source reports', () => {
    const { market, mid } = missing(
      [],
      [entry({ days: 0 }), entry({ amounts: [], delisted: [1] })],
    );
    assert.deepEqual([market?.reason, mid?.reason], ['not-reported', 'not-reported']);
  });
});

describe('a number that is served while a newer one is quarantined', () => {
  const served = (quarantined: QuarantinedPrice, source = 'tcgcsv') => {
    const observation = observed(source, { market: 1000 }, { observedAt: NOW - 2 * DAY });
    const numbers = explainPrinting([observation], [], { estimates: false });
    return withQuarantined(numbers, [quarantined])[0] ?? assert.fail();
  };

  it('says that it is the last accepted one, and why', () => {
    assert.match(
      served(entry()).explanation,
      /^The only available price\. It is the last accepted one, of 2026-01-26: tcgcsv reports \$99\.00 of 2026-01-28, /,
    );
  });

  it('lists what another source has in quarantine, and stays what it is', () => {
    const { explanation, quarantined } = served(entry(), 'scryfall');
    assert.equal(explanation, 'The only available price.');
    assert.equal(quarantined.length, 1);
    const sameMarketplace = served(entry({ marketplace: 'scryfall' }), 'scryfall');
    assert.equal(sameMarketplace.explanation, 'The only available price.');
  });

  it('says that its source no longer lists it', () => {
    const delisted = entry({
      amounts: [],
      delisted: [1],
      marketplace: null,
      rule: 'mass-delisting',
    });
    assert.match(served(delisted).explanation, /tcgcsv reports no price of 2026-01-28/);
    assert.deepEqual(served(delisted, 'scryfall').quarantined, []);
  });

  it('has only the amounts that an entry is about', () => {
    const amounts = { prices: { ...NO_PRICES, market: 1, low: 2 }, conditions: {}, graded: {} };
    const cents = amounts as Parameters<typeof quarantinedAmounts>[0];
    assert.deepEqual(quarantinedAmounts(cents, {}, ['low']), [
      { name: 'low', value: 2, was: null, ratio: null },
    ]);
    const other = entry({ amounts: quarantinedAmounts(cents, {}, ['low']) });
    assert.deepEqual(served(other).quarantined, []);
  });
});
