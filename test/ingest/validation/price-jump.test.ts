import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, dayOf, startOfDay } from '../../../src/domain/day.ts';
import type { Cents } from '../../../src/domain/money.ts';
import type { PriceFigures } from '../../../src/domain/price.ts';
import type {
  PriceLevel,
  QuarantinedBefore,
  ResolvedObservation,
} from '../../../src/ingest/observation.ts';
import { isFar } from '../../../src/ingest/validation/belief.ts';
import { DEFAULT_LIMITS } from '../../../src/ingest/validation/index.ts';
import { isTooMany } from '../../../src/ingest/validation/limits.ts';
import { priceJump } from '../../../src/ingest/validation/rules/price-jump.ts';
import {
  amountsSince,
  daysOfMove,
  factorOver,
} from '../../../src/ingest/validation/rules/price-moves.ts';
import type { SetLevel } from '../../../src/ingest/validation/set-level.ts';
import { moment, resolved } from '../../support/resolved.ts';

const CONTEXT = { limits: DEFAULT_LIMITS, now: moment('2026-01-28T21:00:00Z') };

interface Circumstances {
  /** What a source of another marketplace reports, in cents. */
  readonly other?: number;
  readonly trend?: SetLevel;
  readonly level?: PriceLevel;
  /** On how many days it has been reported, this one included. */
  readonly days?: number;
  /** The lowest listing by day: its level, the day before the jump, the first day of it, now. */
  readonly lows?: readonly [level: number, before: number, first: number, now: number];
}

/** Judges a market price in cents by what it was and its circumstances. */
function jump(was: number, is: number, more: Circumstances = {}) {
  const { other, trend, level, days = 11, lows } = more;
  const one = resolved({ was: was / 100, is: is / 100 });
  const { observation } = one;
  const today = dayOf(observation.observedAt);
  const earlierDays = Array.from({ length: days - 1 }, (_, at) => {
    return { ...observation.prices, day: addDays(today, at + 1 - days) };
  });
  const before = one.before && { ...one.before, observedAt: startOfDay(addDays(today, -days)) };
  const market = other as Cents;
  const prices = { ...observation.prices, market };
  const others = other ? [{ ...observation, prices, source: 'b', marketplace: 'b' }] : [];
  const own = { ...one, before, others, level, observation: { ...observation, earlierDays } };
  return priceJump(
    {
      resolved: lows ? withLows(own, was, lows) : own,
      name: 'market',
      is: is as Cents,
      was: was as Cents,
      others: other ? [market] : [],
      trend,
    },
    CONTEXT,
  );
}

/** Adds the lowest listings to a printing that was in quarantine before today. */
function withLows(
  one: ResolvedObservation,
  was: number,
  [atLevel, before, first, now]: NonNullable<Circumstances['lows']>,
): ResolvedObservation {
  const { observation } = one;
  const withLow = <Priced extends { readonly prices: PriceFigures }>(to: Priced, low: number) => {
    return { ...to, prices: { ...to.prices, low: low as Cents } };
  };
  const held = { ...observation.prices, low: first as Cents };
  const days = { rule: 'price-jump', detail: '', days: 1, isRejected: false } as const;
  const earlierDays = [{ ...held, day: addDays(dayOf(observation.observedAt), -1) }];
  return {
    ...one,
    before: one.before && withLow(one.before, before),
    observation: withLow(observation, now),
    level: { ...flat(was), low: atLevel as Cents },
    quarantined: { ...observation, ...days, earlierDays },
  };
}

/** The level of a price that has not moved in a month, in cents. */
function flat(cents: number): PriceLevel {
  const all = cents as Cents;
  const weekAgo = { day: dayOf(moment('2026-01-21')), market: all };
  return { weekAgo, lowest: all, highest: all, low: null, mid: null };
}

const LEVEL: SetLevel = { compared: 20, median: 0, spread: 0, share: 0 };

describe('a price jump', () => {
  it('is believed after eleven days, unless another source contradicts', () => {
    assert.equal(jump(1000, 2500, { days: 10 })?.isBelieved, false);
    assert.equal(jump(1000, 2500)?.isBelieved, true);
    assert.equal(jump(1000, 5000, { days: 20 })?.isBelieved, false);
    assert.equal(jump(1000, 5000, { days: 21 })?.isBelieved, true);
    assert.equal(jump(1000, 2500, { other: 1000 })?.isBelieved, false);
    assert.equal(jump(1000, 5000, { other: 5000 }), undefined, 'which another one confirms');
  });

  it('is believed sooner if its listings moved along on other days', () => {
    const days = 3;
    // They followed it, or went before it.
    assert.equal(jump(1000, 2500, { days, lows: [800, 800, 800, 1800] })?.isBelieved, true);
    assert.equal(jump(1000, 2500, { days, lows: [800, 1800, 1800, 1800] })?.isBelieved, true);
    assert.equal(jump(1000, 4000, { days, lows: [800, 800, 800, 3000] })?.isBelieved, false);
    assert.equal(jump(1000, 4000, { days: 5, lows: [800, 800, 800, 3000] })?.isBelieved, true);
    // A mistake moves the whole row at once.
    assert.equal(jump(1000, 2500, { days, lows: [800, 800, 2000, 2000] })?.isBelieved, false);
    assert.equal(jump(1000, 2500, { days, lows: [800, 800, 800, 800] })?.isBelieved, false);
    assert.equal(jump(1000, 2500, { days, lows: [800, 800, 800, 400] })?.isBelieved, false);
  });

  it('says what speaks for it, and when it will be believed', () => {
    const detailOf = (...args: Parameters<typeof jump>) => jump(...args)?.detail ?? '';
    assert.match(
      detailOf(1000, 4000, { days: 3, lows: [800, 800, 800, 3000] }),
      /Its listings moved with it on other days; it was reported on 4 of the 5 days needed to accept it\.$/,
    );
    assert.match(
      detailOf(1000, 5000, { days: 3 }),
      /No other source reports it; it was reported on 3 of the 21 days needed to accept it\.$/,
    );
    assert.match(detailOf(1000, 10_500), /Only another marketplace or the operator/);
    assert.match(detailOf(1000, 5000, { other: 1000 }), /Every other source contradicts it\./);
  });

  it('is a price that has left its level of the last week or month in small steps', () => {
    const days = 1;
    assert.equal(jump(1400, 1900, { days, level: flat(1000) }), undefined);
    assert.match(
      jump(1400, 2000, { days, level: flat(1000) })?.detail ?? '',
      /, and its price a week ago \$10\.00: 2\.0 times/,
    );
    assert.match(
      jump(900, 490, { days, level: flat(1000) })?.detail ?? '',
      /is \$4\.90, and its price a week ago \$10\.00/,
    );
    // It left that level before, so it was believed then.
    assert.equal(jump(2100, 2200, { days, level: flat(1000) }), undefined);
    const low = { ...flat(1000), lowest: 180 as Cents };
    assert.match(
      jump(1400, 1800, { days, level: low })?.detail ?? '',
      /its lowest price of the last 30 days \$1\.80: 10\.0 times/,
    );
  });

  it('is confirmed by another source up to half as much again', () => {
    assert.equal(jump(1000, 5000, { other: 7500 }), undefined);
    assert.equal(jump(1000, 5000, { other: 7501 })?.rule, 'price-jump');
  });

  it('is compared with the trend of its set, from three per cent on', () => {
    const days = 1;
    assert.equal(jump(1000, 2150, { days })?.rule, 'price-jump');
    const rising = { ...LEVEL, median: Math.log(1.1) };
    assert.equal(jump(1000, 2150, { days, trend: rising }), undefined);
    const little = { ...LEVEL, median: Math.log(1.025) };
    assert.equal(jump(1000, 2090, { days, trend: little })?.rule, 'price-jump');
    const against = { ...LEVEL, median: Math.log(0.9) };
    assert.equal(jump(1000, 2150, { days, trend: against })?.rule, 'price-jump');
  });

  it('may be wider in a set whose prices move far apart, but never ten times', () => {
    const wide = { ...LEVEL, spread: 0.5 };
    assert.equal(jump(1000, 9900, { trend: wide }), undefined);
    assert.equal(jump(1000, 10_000, { trend: wide })?.rule, 'price-jump');
  });
});

describe('a listing that jumps', () => {
  // The market price is $10.00.
  for (const [name, was, from, to] of [
    ['low', 100, 334, 1100],
    ['low', 9000, 334, 1100],
    ['mid', 100, 700, 2000],
    ['mid', 9000, 700, 2000],
    ['high', 20, 1000, 20_000],
    ['high', 99_000, 1000, 20_000],
  ] as const) {
    it(`of ${name} from ${was} cents has come back between ${from} and ${to}`, () => {
      const isHeld = (is: number) => {
        const amounts = { market: 10, [name]: is / 100 };
        const one = resolved({ was: { market: 10, [name]: was / 100 }, is: amounts });
        const amount = { resolved: one, name, is: is as Cents, was: was as Cents };
        return priceJump({ ...amount, others: [], trend: undefined }, CONTEXT) !== undefined;
      };
      assert.deepEqual([from - 1, from, to, to + 1].map(isHeld), [true, false, false, true]);
    });
  }
});

describe('the amounts of a grade since it went into quarantine', () => {
  const since = (quarantinedOn: string, trail: readonly number[], isRejected = false) => {
    const one = resolved({ is: { psa_10: 210 } });
    const quarantined = {
      ...one.observation,
      rule: 'price-jump',
      detail: '',
      days: trail.length,
      isRejected,
      observedAt: moment(quarantinedOn),
      trails: { psa_10: trail as Cents[] },
    } satisfies QuarantinedBefore;
    const amount = { name: 'psa_10', is: 21_000 as Cents, was: undefined, others: [] };
    return amountsSince({ ...amount, resolved: { ...one, quarantined }, trend: undefined });
  };

  it('have one for each day, with the latest report of today', () => {
    const trail = [20_000, 20_500, 20_800];
    assert.deepEqual(since('2026-01-27', trail), [...trail, 21_000]);
    assert.deepEqual(since('2026-01-28', trail), [20_000, 20_500, 21_000]);
    assert.deepEqual(since('2026-01-27', trail, true), [21_000], 'an operator has rejected them');
  });

  it('begin where it last changed', () => {
    assert.deepEqual(since('2026-01-27', [20_000, 90_000, 20_800]), [20_800, 21_000]);
    assert.deepEqual(since('2026-01-27', [20_000, 90_000]), [21_000]);
  });
});

describe('the limits of moves', () => {
  const cents = (amount: number) => amount as Cents;

  for (const [a, b, far] of [
    [1000, 2000, true],
    [1000, 1999, false],
    [2, 4, true],
    [1, 2, false],
    [1, 9, true],
  ] as const) {
    it(`${a} and ${b} cents are ${far ? '' : 'not '}far apart`, () => {
      assert.equal(isFar(cents(a), cents(b), 2), far);
      assert.equal(isFar(cents(b), cents(a), 2), far);
    });
  }

  it('grow with the days, for the highest listing twice as fast, up to ten times', () => {
    assert.equal(factorOver(0, 'market', DEFAULT_LIMITS), 2);
    assert.equal(factorOver(1, 'market', DEFAULT_LIMITS), 2);
    assert.equal(factorOver(95, 'market', DEFAULT_LIMITS), 4);
    assert.equal(factorOver(1, 'high', DEFAULT_LIMITS), 4);
    assert.equal(factorOver(10_000, 'market', DEFAULT_LIMITS), 10);
  });

  it('end their days when an amount first waits, and are of one day if only it waits', () => {
    const one = resolved({ was: 10, wasOn: '2026-01-18', is: 30 });
    const waiting = (amounts?: readonly string[]): QuarantinedBefore => ({
      ...one.observation,
      rule: 'price-jump',
      detail: '',
      days: 3,
      isRejected: false,
      earlierDays: [{ ...one.observation.prices, day: dayOf(moment('2026-01-21')) }],
      ...(amounts && { amounts }),
    });
    assert.equal(daysOfMove({ ...one, before: undefined }, 'market'), 0);
    assert.equal(daysOfMove(one, 'market'), 10);
    assert.equal(daysOfMove({ ...one, quarantined: waiting() }, 'market'), 3);
    assert.equal(daysOfMove({ ...one, quarantined: waiting(['market']) }, 'market'), 1);
    assert.equal(daysOfMove({ ...one, quarantined: waiting(['low']) }, 'market'), 3);
  });

  for (const [count, of, isMany] of [
    [6, 20, false],
    [7, 20, true],
    [5, 5, true],
    [4, 4, false],
  ] as const) {
    it(`${count} of ${of} prices at once are ${isMany ? '' : 'not '}too many`, () => {
      assert.equal(isTooMany(count, of, DEFAULT_LIMITS), isMany);
    });
  }
});
