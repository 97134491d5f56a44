import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Store } from '../../../src/store/connect.ts';
import { listQuarantined } from '../../../src/store/quarantine/quarantine.ts';
import { forEachEngine } from '../../support/engines.ts';
import { type Board, type Date as DateText, Market } from '../../support/market.ts';
import type { Amounts } from '../../support/resolved.ts';

const CARDS = 7;

/** How a printing changes on a day: by how much it moves, and its mistake. */
interface Step {
  readonly factor: number;
  readonly mistake: 'none' | 'stray low' | 'no low' | 'absurd' | 'delisted' | 'ten times';
}

const step: fc.Arbitrary<Step> = fc.record({
  factor: fc.constantFrom(1, 1, 1, 1, 1.02, 0.97, 1.3, 2.6, 0.3),
  mistake: fc.constantFrom(
    ...(['none', 'none', 'none', 'none', 'none', 'stray low', 'no low'] as const),
    ...(['absurd', 'delisted', 'ten times'] as const),
  ),
});

/** Some days of a set whose cards have two printings each. */
const days: fc.Arbitrary<Board[]> = fc
  .array(fc.array(step, { minLength: CARDS * 2, maxLength: CARDS * 2 }), {
    minLength: 3,
    maxLength: 7,
  })
  .map(boards);

function boards(steps: readonly (readonly Step[])[]): Board[] {
  const prices = Array.from({ length: CARDS * 2 }, (_, index) => 4 + index * 3);
  return steps.map((ofDay) => {
    return Object.fromEntries(
      ofDay.map(({ factor, mistake }, index) => {
        const price = Math.max(0.05, (prices[index] ?? 1) * factor);
        prices[index] = price;
        const name = `${(index >> 1) + 1} ${index % 2 === 0 ? 'Normal' : 'Foil'}`;
        return [name, amountsOf(price, mistake)];
      }),
    );
  });
}

function amountsOf(price: number, mistake: Step['mistake']): Amounts | null {
  const [market, low] = [price, price * 0.8];
  switch (mistake) {
    case 'delisted':
      return null;
    case 'absurd':
      return { market: 0, low };
    case 'no low':
      return { market };
    case 'stray low':
      return { market, low: market * 40 };
    case 'ten times':
      return { market: market * 10, low };
    default:
      return { market, low };
  }
}

function january(day: number): DateText {
  return `2026-01-${String(day + 1).padStart(2, '0')}`;
}

/** All that imports leave, by names, without row ids and the moments of imports. */
async function stateOf(store: Store) {
  const market = new Market(store);
  const state: unknown[] = [];
  for (let card = 1; card <= CARDS; card += 1) {
    for (const printing of ['Normal', 'Foil']) {
      const {
        id: _,
        card_id: __,
        revision: ___,
        ...row
      } = await market.printing(`${card}`, printing);
      state.push([card, printing, row, await market.days(`${card}`, printing)]);
    }
  }
  return { state, quarantine: await quarantineOf(store) };
}

/**
 * What is in quarantine, by card and printing. The limits in the sentences follow how the set has
 * moved, which stands still when its day is imported again.
 */
async function quarantineOf(store: Store): Promise<string[]> {
  const rows = await listQuarantined(store.db, {});
  const texts = rows.map(({ cardName, printing, rule, observation, decision }) => {
    const isDelisting = rule === 'mass-delisting';
    return JSON.stringify([cardName, printing, rule, isDelisting || observation, decision]);
  });
  return texts.sort();
}

/** Every printing has a price before the days. */
const FIRST: Board =
  boards([Array.from({ length: CARDS * 2 }, () => ({ factor: 1, mistake: 'none' }))])[0] ?? {};

forEachEngine((label, open) => {
  // Validation does not depend on the engine, and these tests take many imports.
  if (label !== 'SQLite') return;

  test('a day that is imported again changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(days, async (all) => {
        const store = await open();
        const market = new Market(store);
        await market.lists(january(0), FIRST);
        for (const [index, board] of all.entries()) {
          await market.lists(january(index + 1), board);
          const before = await stateOf(store);
          await market.lists(january(index + 1), board);
          assert.deepEqual(await stateOf(store), before, january(index + 1));
        }
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  test('a feed is judged alike in batches of any size', async () => {
    await fc.assert(
      fc.asyncProperty(days, fc.integer({ min: 1, max: CARDS - 1 }), async (all, perBatch) => {
        const stores = [await open(), await open()] as const;
        const [whole, split] = stores.map((store) => new Market(store));
        for (const market of [whole, split]) {
          await market?.lists(january(0), withoutPrices(FIRST));
          const size = market === whole ? CARDS : perBatch;
          await market?.feeds(january(0), FIRST, { source: 'justtcg' }, size);
          for (const [index, board] of all.entries()) {
            await market?.feeds(january(index + 1), board, { source: 'justtcg' }, size);
          }
        }
        assert.deepEqual(await stateOf(stores[1]), await stateOf(stores[0]));
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  test('days without a jump are the same one by one and in one archive', async () => {
    // No price is twice another one.
    const dollars = fc.integer({ min: 8000, max: 15_000 }).map((cents) => cents / 100);
    await fc.assert(
      fc.asyncProperty(fc.array(dollars, { minLength: 2, maxLength: 12 }), async (prices) => {
        const [daily, atOnce] = [new Market(await open()), new Market(await open())];
        for (const market of [daily, atOnce]) await market.lists(january(0), { '1 Foil': 100 });
        for (const [index, dollars] of prices.entries()) {
          await daily.lists(january(index + 1), { '1 Foil': dollars });
        }
        const past = Object.fromEntries(
          prices.map((dollars, index) => [january(index + 1), dollars]),
        );
        await atOnce.remembers('2026-01-30', ['1', 'Foil'], past);
        assert.deepEqual(await atOnce.served(), await daily.served());
        assert.deepEqual(await atOnce.history('1', 'Foil'), await daily.history('1', 'Foil'));
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });
});

function withoutPrices(board: Board): Board {
  return Object.fromEntries(Object.keys(board).map((name) => [name, null]));
}
