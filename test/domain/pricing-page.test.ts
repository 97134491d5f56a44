import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Cents } from '../../src/domain/money.ts';
import { CONDITION_FACTORS } from '../../src/domain/price.ts';
import { VALIDATION_RULES, WITNESS_FACTOR } from '../../src/domain/quarantined.ts';
import { PRICE_SOURCES } from '../../src/domain/sources.ts';
import { AGE_LIMITS } from '../../src/domain/staleness.ts';
import type { ResolvedObservation } from '../../src/ingest/observation.ts';
import { daysToBelieve } from '../../src/ingest/validation/belief.ts';
import { type FeedShift, judgeRatios } from '../../src/ingest/validation/feed-survey.ts';
import { DEFAULT_LIMITS } from '../../src/ingest/validation/index.ts';
import { judgeBatch } from '../../src/ingest/validation/judge.ts';
import { boundsOf } from '../../src/ingest/validation/levels.ts';
import { LEAST_JUMP, SAME_LEVEL } from '../../src/ingest/validation/limits.ts';
import { findRepeats } from '../../src/ingest/validation/past.ts';
import { factorOver } from '../../src/ingest/validation/rules/price-moves.ts';
import { judgeSet } from '../../src/ingest/validation/set-level.ts';
import { moment, type Reported, resolved } from '../support/resolved.ts';

const PAGE = readFileSync('docs/pricing.md', 'utf8');
const CONTEXT = { limits: DEFAULT_LIMITS, now: moment('2026-01-28T21:00:00Z') };

/** The rows of the table under a heading of docs/pricing.md. */
function rowsUnder(heading: string): string[] {
  const [, after = ''] = PAGE.split(`\n${heading}\n`);
  const [section = ''] = after.split(/\n#{2,3} /);
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
}

/** The cells of the rows of that table. */
function cellsUnder(heading: string): string[][] {
  return rowsUnder(heading).map((row) => {
    return row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  });
}

/** Returns why each observation goes into quarantine; undefined where it is accepted. */
function rulesOf(batch: readonly ResolvedObservation[]): (string | undefined)[] {
  const found = judgeBatch(batch, CONTEXT);
  return batch.map((one) => found.get(one)?.rule);
}

function ruleOf(reported: Reported): string | undefined {
  return rulesOf([resolved(reported)])[0];
}

/** Returns the first of growing numbers, from `from` on in steps of 0.01, that is not fine. */
function firstAbove(from: number, isFine: (times: number) => boolean): number {
  for (let hundredths = from * 100; hundredths < 200_000; hundredths += 1) {
    if (!isFine(hundredths / 100)) return hundredths / 100;
  }
  return Number.NaN;
}

/** Returns how many times another amount something may be at most. */
function most(from: number, isFine: (times: number) => boolean): string {
  return times(firstAbove(from, isFine) - 0.01);
}

function times(factor: number): string {
  return `${Number(factor.toFixed(2))} times`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** How far the median of a set may move in a day: of prices that move alike, or on their own. */
function boundOfSet(median: number, share: number): number {
  return judgeSet({ compared: 100, median, spread: 0, share }, 1)?.bound ?? Number.NaN;
}

function boundOfSpread(): number {
  const level = { compared: 100, median: 0, spread: 3, share: 0 };
  return judgeSet(level, 1)?.bound ?? Number.NaN;
}

function boundOfFeed(ratios: readonly number[]): number {
  return (judgeRatios(ratios, 0) as FeedShift).bound;
}

/** How many prices of a set must repeat the day before for it to be a repeated one. */
function repeatedFrom(): number {
  const repeat = (_: unknown, card: number) => resolved({ card, was: 10, is: 10 });
  const sizes = Array.from({ length: 100 }, (_, size) => size);
  return sizes.find((size) => findRepeats(Array.from({ length: size }, repeat)).size > 0) ?? 0;
}

/** On how many days jumps below three times and beyond must have been reported. */
function daysOf(isListed: boolean): string {
  return [2.99, 3].map((factor) => daysToBelieve(factor, isListed)).join(', or ');
}

/** By how many times a price may leave a price of its last 30 days. */
function mostOfMonth(lowest: number): string {
  const all = 100 as Cents;
  const level = { weekAgo: { market: all }, lowest: lowest as Cents, highest: all };
  const is = 500 as Cents;
  const [, ofMonth] = boundsOf(level, DEFAULT_LIMITS.jumpFactor, { is, was: all });
  return times(ofMonth?.limit ?? 0);
}

/** How many rows of a set, each moved by a different factor, are too many. */
function scatteredFrom(size: number): number {
  const rows = (count: number) => {
    return Array.from({ length: size }, (_, card) => {
      const moved = 1.2 + card / 50;
      return resolved({ card, was: 10, is: card < count ? 10 * moved : 10 });
    });
  };
  const counts = Array.from({ length: size }, (_, count) => count + 1);
  return counts.find((count) => rulesOf(rows(count)).includes('partial-shift')) ?? 0;
}

/** The same for rows that all moved by one factor. */
function alikeFrom(size: number): number {
  const rows = (count: number) => {
    return Array.from({ length: size }, (_, card) => {
      return resolved({ card, was: 10, is: card < count ? 11.2 : 10 });
    });
  };
  const counts = Array.from({ length: size }, (_, count) => count + 1);
  return counts.find((count) => rulesOf(rows(count)).includes('partial-shift')) ?? 0;
}

/** How many rows of a set, each with the price of the row before it, are shifted rows. */
function shiftedFrom(): number {
  const rows = (count: number) => {
    return Array.from({ length: count + 1 }, (_, card) => {
      const was = 10 + (card * 7) / 100;
      return resolved({ card, was, is: card === 0 ? 10 : was - 0.07 });
    });
  };
  const counts = Array.from({ length: 50 }, (_, count) => count + 1);
  return counts.find((count) => rulesOf(rows(count)).includes('set-shift')) ?? 0;
}

const PRICECHARTING = { source: 'pricecharting', marketplace: 'pricecharting' };
const PSA_10 = { ...PRICECHARTING, is: { psa_10: 10 } };

/** The limits, as the code has them, by their names on the page. */
const LIMITS: Readonly<Record<string, string>> = {
  'a jump in a day': times(DEFAULT_LIMITS.jumpFactor),
  'never believed without a witness': times(WITNESS_FACTOR),
  'the smallest jump below that': `${LEAST_JUMP} cents`,
  'a jump in 217 days': `${factorOver(217, 'market', DEFAULT_LIMITS).toFixed(1)} times`,
  'a jump of `high` in a day': times(factorOver(1, 'high', DEFAULT_LIMITS)),
  'days before a jump is believed, from three times on': daysOf(false),
  'the same, if its listings moved on other days': daysOf(true),
  'from its price a week ago': times(DEFAULT_LIMITS.jumpFactor),
  'from its lowest or highest price in 30 days': mostOfMonth(100),
  'prices of a set that move by 15 %': `${scatteredFrom(100)} %`,
  'prices of a set that move by one factor': `${alikeFrom(200) / 2} %`,
  'two printings that can be swapped': times(
    firstAbove(1, (more) => {
      const [one, other] = [10, 10 * more];
      const swapped = [
        { printing: 'Normal', was: one, is: other },
        { printing: 'Foil', was: other, is: one },
      ].map(resolved);
      return !rulesOf(swapped).includes('swapped-printings');
    }),
  ),
  'about the same price': times(SAME_LEVEL),
  'a set in a day, all prices by one factor': percent(boundOfSet(1, 1) - 1),
  'a set in a day, each price on its own, up': percent(boundOfSet(1, 0) - 1),
  'the same, down': percent(1 - 1 / boundOfSet(-1, 0)),
  'how far the prices of a set move apart in a day': times(boundOfSpread()),
  'shifted rows': `${shiftedFrom()} prices`,
  'a feed, all prices by one factor': percent(boundOfFeed(Array(200).fill(2)) - 1),
  'half of a feed’s prices, in any direction': times(
    boundOfFeed(
      Array(100)
        .fill([9, 1 / 9])
        .flat(),
    ),
  ),
  'a repeated set': `${repeatedFrom()} prices`,
  '`low` over market': most(1, (low) => !ruleOf({ is: { market: 1, low } })),
  '`mid` over market': most(1, (mid) => !ruleOf({ is: { market: 1, mid } })),
  '`high` over market': most(390, (high) => !ruleOf({ is: { market: 1, high } })),
  'market under its `low`': most(1, (low) => {
    return !ruleOf({ was: { market: 1.2, low }, is: { market: 1, low } });
  }),
  'a first market price over its `mid`': most(1, (market) => !ruleOf({ is: { market, mid: 1 } })),
  'raw card of another marketplace over PSA 10': most(1, (raw) => {
    return !ruleOf({ ...PSA_10, others: { tcgcsv: raw * 10 } });
  }),
  'worn copy over near mint': most(1, (damaged) => {
    return !ruleOf({ source: 'justtcg', is: { near_mint: 1, damaged } });
  }),
  'a first price, same marketplace': times(
    firstAbove(1, (market) => !ruleOf({ source: 'scryfall', is: market, others: { tcgcsv: 1 } })),
  ),
  'a first price, another marketplace': times(
    firstAbove(1, (market) => !ruleOf({ ...PRICECHARTING, is: market, others: { tcgcsv: 1 } })),
  ),
  'prices of a set gone at once': percent(DEFAULT_LIMITS.lossShare),
};

/** The examples of the page that are prices of printings, with all that their rule compares. */
const EXAMPLES: Readonly<Record<string, readonly Reported[]>> = {
  'absurd-date': [{ on: '1970-01-21', is: 1057.95 }],
  'wrong-currency': [{ source: 'cardmarket', marketplace: 'cardmarket', is: 0.4 }],
  'conflicting-prices': [{ is: 5.15 }, { is: 2.77 }],
  'unknown-printing': [{ source: 'scryfall', printing: 'Foil', stated: ['Normal'], is: 42.99 }],
  'swapped-printings': [
    { printing: 'Normal', was: 3.67, is: 3.19 },
    { printing: 'Foil', was: 3.19, is: 3.67 },
  ],
  'exchanged-prices': [
    { card: 1, was: 10, is: 15 },
    { card: 2, was: 15, is: 10 },
  ],
  'copied-price': [
    { printing: 'Normal', was: 19.98, is: 225.05 },
    { printing: 'Reverse Holofoil', was: 225.05, is: 225.05 },
  ],
  'set-shift': Array.from({ length: 10 }, (_, card) => ({ card, was: 10, is: 13 })),
  'partial-shift': Array.from({ length: 50 }, (_, card) => {
    return { card, was: 10, is: card < 20 ? 12 : 10 };
  }),
  'outside-listings': [{ is: { market: 9.97, mid: 0.82 } }],
  'stray-listing': [{ is: { market: 2.36, low: 204301.3 } }],
  'grade-order': [
    {
      ...PRICECHARTING,
      was: { market: 25, psa_10: 361.84 },
      is: { market: 25, psa_10: 16.01 },
    },
  ],
  'condition-order': [{ source: 'justtcg', is: { near_mint: 120.01, damaged: 453.86 } }],
  'price-jump': [{ was: 0.25, is: 55.09 }],
  'source-outlier': [{ ...PRICECHARTING, is: 46.86, others: { tcgcsv: 0.15 } }],
};

it('docs/glossary.md has every validation rule', () => {
  const glossary = readFileSync('docs/glossary.md', 'utf8');
  const missing = Object.keys(VALIDATION_RULES).filter((rule) => {
    return !glossary.includes(`| rule \`${rule}\` |`);
  });
  assert.deepEqual(missing, []);
});

describe('docs/pricing.md', () => {
  it('has the sources in the order in which they are believed', () => {
    const rows = PRICE_SOURCES.map((source, index) => {
      const { name, freshDays, holdDays, gives } = source;
      const days = `${freshDays} days | ${holdDays} days`;
      return `| ${index + 1} | \`${name}\` | ${days} | ${gives.join(', ')} |`;
    });
    assert.deepEqual(rowsUnder('## Which price is served'), rows);
  });

  it('has the factors of estimates', () => {
    const rows = Object.entries(CONDITION_FACTORS).map(([condition, factor]) => {
      return `| \`${condition}\` | ${Math.round(factor * 100)} % |`;
    });
    assert.deepEqual(rowsUnder('## Estimates'), rows);
  });

  it('has the days after which prices are stale, or no longer served with newer figures', () => {
    const stated = [...PAGE.matchAll(/more than \*\*(\d+) days\*\*/g)].map(([, days]) =>
      Number(days),
    );
    const { figures, conditions, graded } = AGE_LIMITS;
    assert.deepEqual(stated, [figures, conditions, graded]);
  });

  it('explains every validation rule, with an example', () => {
    const rows = cellsUnder('### The rules');
    const explained = rows.map(([rule = '']) => rule.replaceAll('`', ''));
    assert.deepEqual(explained.toSorted(), Object.keys(VALIDATION_RULES).toSorted());
    assert.ok(rows.every((cells) => cells.length === 4 && cells.every((cell) => cell !== '')));
  });

  for (const [rule, example] of Object.entries(EXAMPLES)) {
    it(`has an example of ${rule} that goes into quarantine for it`, () => {
      assert.ok(rulesOf(example.map(resolved)).includes(rule));
      const [, , , told = ''] =
        cellsUnder('### The rules').find(([cell]) => cell === `\`${rule}\``) ?? [];
      const named = (told.match(/[$€][\d,]+\.\d\d/g) ?? []).map((price) =>
        price.replace(/[$€,]/g, ''),
      );
      const reported = JSON.stringify(example);
      const other = named.filter((price) => !reported.includes(`:${Number(price)}`));
      assert.deepEqual(other, []);
    });
  }

  it('has the limits that the rules judge by', () => {
    const rows = cellsUnder('### The limits').map(([limit, value]) => [limit, value]);
    const named = Object.fromEntries(rows) as Record<string, string>;
    for (const [limit, value] of Object.entries(LIMITS)) assert.equal(named[limit], value, limit);
  });
});
