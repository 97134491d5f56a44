import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, type Day, parseDay } from '../../../src/domain/day.ts';
import { DEFAULT_LIMITS } from '../../../src/ingest/validation/index.ts';
import { judgeBatch } from '../../../src/ingest/validation/judge.ts';
import { Replay, usd } from '../../support/replay.ts';
import { moment, type Reported, resolved } from '../../support/resolved.ts';

const CONTEXT = { limits: DEFAULT_LIMITS, now: moment('2026-01-28T21:00:00Z') };
const FIRST = parseDay('2026-01-01') as Day;

/** Returns which rule quarantines the first of these observations, which are judged together. */
function heldFirst(...reported: readonly Reported[]): string | null {
  const batch = reported.map(resolved);
  const [first] = batch;
  return (first && judgeBatch(batch, CONTEXT).get(first)?.rule) ?? null;
}

/** Other cards of the set, each at ten dollars times a factor. */
function others(...factors: readonly number[]): Reported[] {
  return factors.map((factor, at) => ({ card: at + 2, was: 10, is: 10 * factor }));
}

const STILL = others(1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
/** A set in its week of release. */
const FALLING = others(0.62, 0.66, 0.7, 0.74, 0.78, 0.83, 0.88, 0.93, 0.97, 1.02);
const LIVELY = others(0.8, 1, 1.2, 1.15, 0.87, 1.13, 0.85, 1, 1.18, 0.84);

describe('a price jump', () => {
  it('is measured from where the set has gone', () => {
    const fall = { was: 10, is: 4.2 };
    assert.equal(heldFirst(fall, ...STILL), 'price-jump');
    assert.equal(heldFirst(fall, ...FALLING), null);
  });

  it('is not excused by a set that went the other way', () => {
    const risen = others(1.04, 1.05, 1.07, 1.04, 1.06, 1.04, 1.05, 1.07, 1.06, 1.05);
    assert.equal(heldFirst({ was: 10, is: 4.4 }, ...risen), 'price-jump');
  });

  it('is a larger one in a set whose prices move far apart', () => {
    const rise = { was: 10, is: 28 };
    assert.equal(heldFirst(rise, ...STILL), 'price-jump');
    assert.equal(heldFirst(rise, ...LIVELY), null);
  });

  it('of ten times is one in any set', () => {
    assert.equal(heldFirst({ was: 10, is: 101 }, ...LIVELY), 'price-jump');
    assert.equal(heldFirst({ was: 10, is: 0.7 }, ...FALLING), 'price-jump');
  });

  it('is measured from the price alone in a set of few prices', () => {
    assert.equal(
      heldFirst({ was: 10, is: 4.2 }, ...others(0.75, 0.8, 0.88, 0.95, 1, 1.02)),
      'price-jump',
    );
  });
});

describe('a new printing of an old card', () => {
  /** Cards of the set; some of them have a Foil. */
  const cards = (count: number, foils: number) => {
    return Array.from({ length: count }, (_, at): Reported => {
      const listed = at < foils ? ['Normal', 'Foil'] : ['Normal'];
      return { card: at + 2, printing: 'Normal', known: listed, listed, was: 3, is: 3 };
    });
  };
  const added = { printing: 'Foil', known: ['Normal'], listed: ['Normal'], is: 5 };

  it('is quarantined where hardly any card of the set has it', () => {
    assert.equal(heldFirst(added, ...cards(11, 0)), 'unknown-printing');
    assert.equal(heldFirst(added, ...cards(11, 2)), 'unknown-printing');
  });

  it('is accepted where a quarter of the cards have it', () => {
    assert.equal(heldFirst(added, ...cards(11, 3)), null);
  });

  it('is accepted when another source has it, and on a card that is new itself', () => {
    assert.equal(heldFirst({ ...added, others: { scryfall: 5 } }, ...cards(11, 0)), null);
    assert.equal(heldFirst({ ...added, known: [], listed: [] }, ...cards(11, 0)), null);
  });
});

describe('two printings of a card', () => {
  /** Validates both market prices in dollars day after day; returns the rules, `-` for none. */
  const rulesByDay = (...days: readonly (readonly [normal: number, foil: number])[]) => {
    const replay = new Replay();
    return days.map((prices, day) => {
      const found = replay.day(
        addDays(FIRST, day),
        prices.map((dollars, at) => ({
          source: 'tcgcsv',
          card: 1,
          printing: at === 0 ? 'Normal' : 'Foil',
          prices: { market: usd(dollars) },
        })),
      );
      return prices
        .map((_, at) => {
          const printing = at === 0 ? 'Normal' : 'Foil';
          return found.find(({ resolved: one }) => one.printing === printing)?.rule ?? '-';
        })
        .join(' ');
    });
  };
  const SWAPPED = 'swapped-printings swapped-printings';

  it('stay quarantined while they are swapped, even if they also move', () => {
    assert.deepEqual(
      rulesByDay([10, 14], [14, 10], [13.6, 10.4], [14.4, 10.1], [13.1, 10.9], [14, 10]),
      ['- -', SWAPPED, SWAPPED, SWAPPED, SWAPPED, SWAPPED],
    );
  });

  it('are accepted once they are back', () => {
    assert.deepEqual(rulesByDay([10, 14], [14, 10], [10.2, 13.8], [10.3, 14]), [
      ...['- -', SWAPPED],
      ...['- -', '- -'],
    ]);
  });

  it('are not swapped when only one of them moved', () => {
    assert.deepEqual(rulesByDay([10, 14], [13.9, 14.5]), ['- -', '- -']);
  });

  it('stay quarantined as copied for as long as one has the price of the other', () => {
    assert.deepEqual(rulesByDay([2, 5.5], [5.5, 5.5], [5.6, 5.6], [5.4, 5.4], [2.1, 5.4]), [
      ...['- -', 'copied-price -', 'copied-price -', 'copied-price -'],
      '- -',
    ]);
  });
});
