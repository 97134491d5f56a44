import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NativePrices, Printing, ServedPrices } from '../../src/domain/card.ts';
import type { Currency } from '../../src/domain/currencies.ts';
import { type Day, startOfDay } from '../../src/domain/day.ts';
import { LocalPrices, nativeMarket } from '../../src/domain/local-prices.ts';
import type { Cents } from '../../src/domain/money.ts';
import { NO_PRICES } from '../../src/domain/price.ts';
import type { Rates } from '../../src/domain/rates.ts';

const TODAY = 20_000 as Day;
/** A euro is two dollars. */
const RATES: Rates = [{ currency: 'EUR', day: TODAY, dollarsPerUnit: 2 }];

interface Draft {
  readonly market?: number;
  /** How many days ago the figures were observed. */
  readonly ago?: number;
  readonly conditions?: ServedPrices['conditions'];
  readonly graded?: ServedPrices['graded'];
  readonly source?: string;
}

function prices({ market, ago = 0, conditions, graded, source = 'tcgcsv' }: Draft): ServedPrices {
  const at = startOfDay((TODAY - ago) as Day);
  return {
    ...NO_PRICES,
    market: (market ?? null) as Cents | null,
    conditions: conditions ?? {},
    graded: graded ?? {},
    sources: [source],
    figuresAt: market === undefined ? null : at,
    conditionsAt: conditions ? at : null,
    gradedAt: graded ? at : null,
  };
}

function euros(draft: Draft, isServed = false): NativePrices {
  return { currency: 'EUR', isServed, prices: prices({ source: 'cardmarket', ...draft }) };
}

function printing(dollars: Draft, native?: NativePrices): Printing {
  return {
    rowId: 1,
    name: 'Normal',
    prices: prices(dollars),
    ...(native && { native: [native] }),
  };
}

function local(currency: Currency | 'native', rates: Rates = RATES): LocalPrices {
  return new LocalPrices(currency, rates, TODAY);
}

describe('prices in the currency of a caller', () => {
  it('are converted if they are known in dollars only', () => {
    const dollars = printing({
      market: 1000,
      conditions: { damaged: 300 as Cents },
      graded: { psa_10: 5001 as Cents },
    });
    const { prices, money } = local('EUR').printing(dollars);
    assert.deepEqual([prices.market, prices.low], [500, null]);
    assert.deepEqual([prices.conditions, prices.graded], [{ damaged: 150 }, { psa_10: 2501 }]);
    assert.equal(money?.conversion?.rate, 0.5);
  });

  it('are missing, with a reason, if there is no rate', () => {
    const { prices, money } = local('EUR', []).printing(printing({ market: 1000 }));
    assert.equal(prices.market, null);
    assert.match(money?.reason ?? '', /^No exchange rate from US dollars to EUR is known for /);
  });

  it('are those that sources report in it, until they are more than 30 days older', () => {
    for (const [age, market] of [
      [0, 480],
      [30, 480],
      [31, 500],
    ] as const) {
      const both = printing({ market: 1000 }, euros({ market: 480, ago: age }));
      assert.equal(local('EUR').printing(both).prices.market, market, `${age} days`);
      assert.equal(nativeMarket(both, 'EUR'), market === 480 ? 480 : undefined);
    }
    const newer = printing({ market: 1000, ago: 100 }, euros({ market: 480 }));
    assert.equal(local('EUR').printing(newer).prices.market, 480);
    const only = printing({}, euros({ market: 480, ago: 90 }));
    assert.equal(local('EUR').printing(only).prices.market, 480);
  });

  it('are converted part by part where sources report only some parts in it', () => {
    const dollars = { market: 1000, conditions: { damaged: 300 as Cents } };
    for (const [native, expected, converted] of [
      [euros({ market: 480 }), [480, { damaged: 150 }], ['conditions']],
      [euros({ conditions: { damaged: 140 as Cents } }), [500, { damaged: 140 }], ['figures']],
      [euros({ market: 480, conditions: { damaged: 140 as Cents } }), [480, { damaged: 140 }], []],
    ] as const) {
      const { prices, money } = local('EUR').printing(printing(dollars, native));
      assert.deepEqual([prices.market, prices.conditions], expected);
      assert.deepEqual(money?.convertedParts, converted);
      assert.equal(money?.conversion !== undefined, converted.length > 0);
      assert.equal(money?.reason, undefined);
    }
  });

  it('have the grades of one currency', () => {
    const dollars = { market: 1000, graded: { psa_10: 9000 as Cents } };
    const native = euros({ market: 480, graded: { psa_9: 1000 as Cents } });
    const { prices } = local('EUR').printing(printing(dollars, native));
    assert.deepEqual(prices.graded, { psa_9: 1000 });
    const figures = local('EUR').printing(printing(dollars, euros({ market: 480 }))).prices;
    assert.deepEqual(figures.graded, { psa_10: 4500 });
  });

  it('imply the rate at which dollars were made of them, on the day of these', () => {
    const fromDollars = (dollars: Draft, native: NativePrices) => {
      return local('EUR').printing(printing(dollars, native)).money?.fromDollars;
    };
    const day = (TODAY - 3) as Day;
    assert.deepEqual(fromDollars({ market: 1000, ago: 3 }, euros({ market: 400 }, true)), {
      from: 'USD',
      to: 'EUR',
      rate: 0.4,
      day,
    });
    assert.equal(fromDollars({ market: 1000 }, euros({ market: 400 })), undefined);
    assert.equal(fromDollars({}, euros({ market: 400 }, true)), undefined);
  });

  it('are compared as they are shown', () => {
    const shown = (currency: Currency | 'native', rates?: Rates) => {
      const own = local(currency, rates);
      return [own.shownOf(1000 as Cents, undefined), own.shownOf(1000 as Cents, 480 as Cents)];
    };
    assert.deepEqual(shown('EUR'), [500, 480]);
    assert.deepEqual(shown('EUR', []), [null, 480]);
    assert.deepEqual(shown('USD'), [1000, 1000]);
    assert.deepEqual(shown('native'), [1000, 1000]);
    assert.equal(local('EUR').shownOf(null, undefined), null);
    assert.equal(local('EUR').inDollars(100 as Cents), 200);
    assert.equal(local('USD').inDollars(100 as Cents), 100);
    assert.equal(local('EUR', []).inDollars(100 as Cents), undefined);
  });
});

describe('prices in the currency of their source', () => {
  it('are euros if the dollars were made of them, or if there are no dollars', () => {
    const currencyOf = (one: Printing) => local('native').currencyOf(one);
    assert.equal(currencyOf(printing({ market: 1000 })), 'USD');
    assert.equal(currencyOf(printing({ market: 1000 }, euros({ market: 480 }))), 'USD');
    assert.equal(currencyOf(printing({ market: 1000 }, euros({ market: 480 }, true))), 'EUR');
    assert.equal(currencyOf(printing({}, euros({ market: 480 }))), 'EUR');
    const copies = euros({ conditions: { damaged: 1 as Cents } });
    assert.equal(currencyOf(printing({}, copies)), 'USD');
  });

  it('name the rate by which dollars were made of euros', () => {
    const made = local('USD').printing(printing({ market: 960 }, euros({ market: 480 }, true)));
    assert.equal(made.prices.market, 960);
    assert.deepEqual(made.money?.convertedParts, ['figures']);
    assert.equal(made.money?.conversion?.rate, 2);
    const { money } = local('USD').printing(printing({ market: 960 }));
    assert.deepEqual([money?.conversion, money?.convertedParts], [undefined, undefined]);
  });
});
