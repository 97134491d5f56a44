import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays, type Day, parseDay } from '../../../src/domain/day.ts';
import { Replay, usd } from '../../support/replay.ts';

const FIRST = parseDay('2026-01-01') as Day;
/** Cards that hardly move. A set of many tells that the exchanged ones are not all of it. */
const OTHERS = [3, 3.1, 3.2, 3.3, 4.5, 5.1, 7.2, 9.9, 12.5, 19.9];

interface Series {
  readonly source?: string;
  readonly printing?: string;
  /** The market price of each day. */
  readonly days: readonly number[];
}

/** Returns, for each day, the rules by which these prices of cards are in quarantine. */
function rulesByDay(...cards: readonly Series[]): string[] {
  const replay = new Replay();
  const count = Math.max(...cards.map(({ days }) => days.length));
  const still = OTHERS.map((price): Series => ({ days: Array(count).fill(price) }));
  return Array.from({ length: count }, (_, day) => {
    const reports = [...cards, ...still].flatMap(({ source = 'tcgcsv', printing, days }, at) => {
      const market = usd(days[day] ?? 0);
      const card = source === 'tcgcsv' ? at : 0;
      return [{ source, card, printing: printing ?? 'Foil', prices: { market } }];
    });
    const sources = Map.groupBy(reports, ({ source }) => source);
    const found = [...sources.values()].flatMap((own) => replay.day(addDays(FIRST, day), own));
    return found.map(({ resolved, rule }) => `${resolved.card} ${rule}`).join(', ');
  });
}

const BOTH = '0 exchanged-prices, 1 exchanged-prices';

describe('two cards of a set that take each other’s prices', () => {
  it('are quarantined, though neither moved far enough to be a jump', () => {
    assert.deepEqual(rulesByDay({ days: [10, 15] }, { days: [15, 10] }), ['', BOTH]);
  });

  it('are quarantined if both prices moved a little that day', () => {
    assert.deepEqual(rulesByDay({ days: [10, 15.4] }, { days: [15, 10.2] }), ['', BOTH]);
  });

  it('stay there while they keep each other’s place', () => {
    assert.deepEqual(
      rulesByDay({ days: [10, 15, 16, 16.5, 15] }, { days: [15, 10, 9.8, 9.5, 10] }),
      ['', BOTH, BOTH, BOTH, BOTH],
    );
  });

  it('are released once they are back', () => {
    assert.deepEqual(rulesByDay({ days: [10, 15, 10] }, { days: [15, 10, 15.2] }), ['', BOTH, '']);
  });

  it('are released once one of them goes its own way', () => {
    assert.deepEqual(rulesByDay({ days: [10, 15, 15] }, { days: [15, 10, 12.5] }), ['', BOTH, '']);
  });

  it('are accepted once another source reports the new price of one', () => {
    const scryfall = { source: 'scryfall', days: [10, 15, 15] };
    assert.deepEqual(rulesByDay({ days: [10, 15, 15] }, { days: [15, 10, 10] }, scryfall), [
      '',
      BOTH,
      '',
    ]);
  });
});

describe('two cards of a set are accepted', () => {
  it('if they only meet in the middle', () => {
    assert.deepEqual(rulesByDay({ days: [10, 12.5] }, { days: [15, 12.5] }), ['', '']);
  });

  it('if one took the price of the other, which went elsewhere', () => {
    assert.deepEqual(rulesByDay({ days: [10, 15] }, { days: [15, 14] }), ['', '']);
  });

  it('if their prices were nearly the same before', () => {
    assert.deepEqual(rulesByDay({ days: [10, 11] }, { days: [11, 10] }), ['', '']);
  });

  it('if they are a foil and a card without foil', () => {
    assert.deepEqual(rulesByDay({ days: [10, 15], printing: 'Normal' }, { days: [15, 10] }), [
      '',
      '',
    ]);
  });
});
