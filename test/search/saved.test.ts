import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Card } from '../../src/domain/card.ts';
import { SAVED_INDEX, type SavedIndex, SearchIndex } from '../../src/search/index.ts';
import { indexOf, makeCard, pricesOf, query } from './search-cards.ts';

/** Words that interact: parts of one another, misspellings, codes, Japanese, signs. */
const WORDS = [
  ...['mew', 'mewtwo', 'two', 'charizard', 'Charizart', 'ex', 'EX', 'the', 'fire', 'fireball'],
  ...['D/D/D', 'X-Wing', "Farfetch'd", 'A//B', 'Fire // Ice', '&', '4/102', '74a', 'op01', '117★'],
  ...[
    'ピカチュウ',
    'ぴか',
    'チュウ',
    'ふしぎなアメ',
    '★',
    '(Holo)',
    '(Jumbo)',
    '[Top 16]',
    'é',
    '�',
  ],
];
const NUMBERS = ['4/102', '004/130', '44', 'TG12/TG30', 'OP01-025', 'SWSD039', '117★', '', null];
const CODES = ['BS', 'OP-01', 'EX', 'SWSD', ''];

const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });
const name = words.map((some) => some.join(' '));
const draft = fc.record({
  name,
  number: fc.constantFrom(...NUMBERS),
  set: fc.nat(CODES.length - 1),
  rarity: fc.constantFrom('Rare', 'Common', 'Illustration Rare'),
  price: fc.nat(3),
});
type Draft = typeof draft extends fc.Arbitrary<infer Made> ? Made : never;
const drafts = fc.array(draft, { minLength: 1, maxLength: 12 });
const rounds = fc.tuple(drafts, drafts, drafts);
const queries = fc.array(
  fc.oneof(name, fc.constantFrom('charizard', 'chrizard', 'm', '4', 'ピ', '-charizard')),
  {
    minLength: 1,
    maxLength: 6,
  },
);

/** Returns the card with a row id. `codes` holds the codes of the sets. */
function cardOf({ set, ...rest }: Draft, rowId: number, codes = CODES): Card {
  const code = codes[set] ?? '';
  return makeCard({ ...rest, rowId, set: { rowId: set + 1, id: `pokemon-set-${set}`, code } });
}

/** Cards, and a later version of them: other texts, other set codes and more cards. */
function changesOf(
  [before, changed, added]: readonly (readonly Draft[])[],
  codes = ['BS', 'OP-01', 'NEW', 'SWSD', 'S2'],
) {
  const old = (before ?? []).map((each, i) => cardOf(each, i + 1));
  const still = (before ?? []).map((each, i) => {
    const draftNow = { ...each, ...changed?.[i], set: each.set };
    return { ...cardOf(draftNow, i + 1, codes), id: old[i]?.id ?? '' };
  });
  return { old, now: [...still, ...(added ?? []).map((each, i) => cardOf(each, i + 101, codes))] };
}

function save(index: SearchIndex): SavedIndex {
  const steps = index.save();
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

function byRowId(cards: readonly Card[]): Card[] {
  const byRowId: Card[] = [];
  for (const card of cards) byRowId[card.rowId] = card;
  return byRowId;
}

/** Returns an index of these cards that was restored from saved columns. */
function restored(saved: SavedIndex, cards: readonly Card[]): SearchIndex {
  const index = new SearchIndex();
  for (const card of index.restore(saved, byRowId(cards))) index.add(card);
  index.commit();
  return index;
}

/** Returns all answers of an index to some queries. */
function answersOf(index: SearchIndex, asked: readonly string[]) {
  return asked.map((q) => ({
    found: index.search(query(q, { limit: 100, explain: true })),
    byName: index.search(query(q, { sort: 'name' })).cards,
    byNumber: index.search(query(q, { sort: 'number' })).cards,
    byPrice: index.search(query(q, { sort: 'price_desc' })).cards,
    inSet: index.search(query(q, { set: 'BS', rarity: 'rare' })).cards,
    completed: index.autocomplete({ q, limit: 10 }),
    named: index.lookup.named(q),
    numbered: index.lookup.numbered(q),
  }));
}

describe('a restored index', () => {
  it('equals the saved index, for any cards', () => {
    fc.assert(
      fc.property(drafts, queries, (made, asked) => {
        const cards = made.map((each, i) => cardOf(each, i + 1));
        const index = indexOf(cards);
        const saved = save(index);
        const other = restored(saved, cards);
        assert.deepEqual(answersOf(other, asked), answersOf(index, asked));
        assert.deepEqual(save(other), saved);
      }),
    );
  });

  it('answers like an index that saw all changes since the save', () => {
    fc.assert(
      fc.property(rounds, queries, (all, asked) => {
        const { old, now } = changesOf(all, CODES);
        const running = indexOf(old);
        for (const card of now) running.add(card);
        running.commit();
        const index = restored(save(indexOf(old)), now);
        assert.deepEqual(answersOf(index, asked), answersOf(running, asked));
      }),
    );
  });

  it('finds the same as a new index of the current cards', () => {
    fc.assert(
      fc.property(rounds, queries, (all, asked) => {
        const { old, now } = changesOf(all);
        const index = restored(save(indexOf(old)), now);
        const fresh = indexOf(now);
        const found = (one: SearchIndex) => answersOf(one, asked).map(({ byName }) => byName);
        assert.deepEqual(found(index), found(fresh));
        assert.deepEqual(save(index), save(fresh));
      }),
    );
  });

  it('counts the rarity of words only in current names', () => {
    const [mew, longer] = ['mew', 'mew mew mew'].map((text) => {
      return { name: text, number: '4/102', set: 0, rarity: 'Rare', price: 0 };
    }) as [Draft, Draft];
    const { old, now } = changesOf([[longer, mew], [mew], [mew]]);
    const index = restored(save(indexOf(old)), now);
    assert.equal(index.search(query('fire mew')).total, 3);
  });

  it('does not find numbers that its cards no longer have', () => {
    const [before, since] = ['4/102', '004/130'].map((number) => {
      return { name: 'mew', number, set: 0, rarity: 'Rare', price: 0 };
    }) as [Draft, Draft];
    const { old, now } = changesOf([[before], [since], [since]]);
    const index = restored(save(indexOf(old)), now);
    const asked = query('(Holo) 4/102');
    assert.equal(index.search(asked).total, indexOf(now).search(asked).total);
  });

  it('has current prices, not those at the time of the save', () => {
    const cards = ['Mew A', 'Mew B'].map((text, i) => {
      return makeCard({ name: text, rowId: i + 1, price: i });
    });
    const saved = save(indexOf(cards));
    const now = cards.map((card, i) => ({
      ...card,
      printings: [{ rowId: 1, name: 'Normal', prices: pricesOf(9 - i) }],
    }));
    const { cards: found } = restored(saved, now).search(query('mew'));
    assert.deepEqual(found, now);
  });
});

describe('the saved columns', () => {
  it('do not depend on how the index got its cards', () => {
    fc.assert(
      fc.property(drafts, drafts, (before, after) => {
        const index = new SearchIndex();
        const rounds = [before, after].map((all) => all.map((each, i) => cardOf(each, i + 1)));
        for (const cards of rounds) {
          for (const card of cards.toReversed()) index.add(card);
          index.commit();
        }
        const live = before.map((each, i) => cardOf(after[i] ?? each, i + 1));
        const more = rounds[1]?.slice(before.length) ?? [];
        assert.deepEqual(save(index), save(indexOf([...live, ...more])));
      }),
    );
  });

  it('are rejected before anything is restored if they do not fit together', () => {
    const cards = ['Mew ex', 'ピカチュウ (Holo)', 'Mewtwo'].map((text, i) => {
      return makeCard({ name: text, number: `${i}/9`, rowId: i + 1 });
    });
    const saved = save(indexOf(cards));
    for (const column of Object.keys(SAVED_INDEX) as (keyof SavedIndex)[]) {
      for (const other of damaged(saved[column])) {
        const index = new SearchIndex();
        const attempt = { ...saved, [column]: other };
        try {
          index.restore(attempt, byRowId(cards));
        } catch {
          assert.equal(index.search(query('m')).total, 0, column);
          for (const card of cards) index.add(card);
          index.commit();
          assert.equal(index.search(query('mew')).total, 2, column);
        }
      }
      const cut = { ...saved, [column]: saved[column].slice(1) };
      assert.throws(() => new SearchIndex().restore(cut, byRowId(cards)), RangeError, column);
    }
  });

  it('are rejected if a card is missing or has another id', () => {
    const cards = ['A', 'B', 'C'].map((text, i) => makeCard({ name: text, rowId: i + 1 }));
    const saved = save(indexOf(cards));
    const index = new SearchIndex();
    assert.throws(() => index.restore(saved, byRowId(cards.slice(1))), /is not there/);
    const renamed = cards.map((card, i) => ({ ...card, id: `pokemon-${9 - i}` }));
    assert.throws(() => index.restore(saved, byRowId(renamed)), /under other ids/);
  });
});

/** Returns the column with other numbers. */
function damaged(column: Int32Array | readonly string[]): Int32Array[] {
  if (!(column instanceof Int32Array)) return [];
  return [-1, 1_000_000, 0].flatMap((value) => {
    return Array.from(column, (_, i) => column.with(i, value));
  });
}
