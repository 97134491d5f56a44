import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Card } from '../../src/domain/card.ts';
import { foldText } from '../../src/domain/text.ts';
import type { SearchIndex } from '../../src/search/index.ts';
import { type CardDraft, indexOf, makeCard, query } from './search-cards.ts';

/** Words that interact: parts of one another, misspellings, codes, Japanese, signs. */
const WORDS = [
  ...['mew', 'mewtwo', 'two', 'charizard', 'char', 'izard', 'Charizart', 'ex', 'EX', 'of', 'the'],
  ...['fire', 'ball', 'fireball', 'd', 'D/D/D', 'dd', 'X-Wing', "Farfetch'd", 'A//B', '&', 'and'],
  ...['4', '004', '4/102', '44', '74a', 'TG12', 'OP01-025', 'op01', '025', '117★', 'swsh', '39'],
  ...['ピカチュウ', 'ぴか', 'チュウ', 'アメ', 'ふしぎなアメ', '★', '(Holo)', '[Top 16]', '-', 'é'],
];
const MISTYPED = [
  'chrizard',
  'firebal',
  'mewtow',
  'mewt',
  'iz',
  'ピカチャウ',
  'xwing',
  'op',
  't',
  'g12',
];
const NUMBERS = ['4/102', '004/130', '44', '74a', 'TG12/TG30', 'OP01-025', 'SWSH039', '117★', null];
const CODES = ['BS', 'OP-01', 'EX', 'MEW', 'SWSD'];

const word = fc.constantFrom(...WORDS);
const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const draft = fc.record({
  name: phrase,
  number: fc.constantFrom(...NUMBERS),
  set: fc.nat(CODES.length - 1).map((key) => ({ rowId: key + 1, code: CODES[key] ?? '' })),
  price: fc.option(fc.nat(3), { nil: undefined }),
});
type Draft = typeof draft extends fc.Arbitrary<infer Made> ? Made : never;
const cards = fc
  .array(draft, { minLength: 1, maxLength: 12 })
  .map((drafts) => drafts.map((each, i) => makeCard(draftOf(each, i + 1))));
const typed = fc.oneof(
  phrase,
  fc
    .array(fc.constantFrom(...WORDS, ...MISTYPED), { minLength: 1, maxLength: 4 })
    .map((words) => words.join(' ')),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
);

function draftOf({ price, ...rest }: Draft, rowId: number): CardDraft {
  return price === undefined ? { ...rest, rowId } : { ...rest, rowId, price };
}

function idsFound(index: SearchIndex, q: string): string[] {
  return index.search(query(q, { limit: 100 })).cards.map((card) => card.id);
}

function includesAll(found: readonly string[], others: readonly string[]): boolean {
  return others.every((id) => found.includes(id));
}

describe('for any cards', () => {
  it('every name finds its card before all cards with other names', () => {
    fc.assert(
      fc.property(cards, (all) => {
        const index = indexOf(all.map((card) => ({ ...card, number: null })));
        for (const card of all) {
          const folded = foldText(card.name);
          if (folded === '') continue;
          const { cards: found } = index.search(query(card.name, { limit: 100 }));
          assert.ok(found.some(({ id }) => id === card.id));
          assert.equal(foldText(found[0]?.name ?? ''), folded);
        }
      }),
    );
  });

  it('every name together with its number finds its card', () => {
    fc.assert(
      fc.property(cards, (all) => {
        const index = indexOf(all);
        for (const { id, name, number } of all) {
          if (foldText(name) === '' && number === null) continue;
          assert.ok(idsFound(index, `${name} ${number ?? ''}`).includes(id));
        }
      }),
    );
  });

  it('another word of a name at the end of a query never adds matches as typed', () => {
    fc.assert(
      fc.property(cards, typed, typed, (all, q, more) => {
        const index = indexOf(all);
        fc.pre(foldText(q) !== '');
        const found = index.search(query(q));
        const fewer = index.search(query(`${q} ${more}`, { limit: 100, explain: true }));
        fc.pre(found.total > 0 && !found.understood && !fewer.understood);
        fc.pre(!fewer.readings?.flat().some(({ isCorrected }) => isCorrected));
        assert.ok(includesAll(idsFound(index, q), idsFound(index, `${q} ${more}`)));
      }),
    );
  });

  it('leaving out any word of a name never removes matches', () => {
    fc.assert(
      fc.property(cards, fc.nat(), fc.nat(), (all, which, where) => {
        const words = all[which % all.length]?.name.split(' ') ?? [];
        const fewer = words.toSpliced(where % words.length, 1).join(' ');
        fc.pre(foldText(fewer) !== '');
        const index = indexOf(all);
        assert.ok(includesAll(idsFound(index, fewer), idsFound(index, words.join(' '))));
      }),
    );
  });

  it('the order does not depend on the order in which cards were added', () => {
    fc.assert(
      fc.property(
        cards.chain((all) => fc.tuple(fc.constant(all), shuffled(all))),
        typed,
        ([all, others], q) => {
          assert.deepEqual(indexOf(others).search(query(q)), indexOf(all).search(query(q)));
        },
      ),
    );
  });

  it('cards committed one by one are found like cards committed at once', () => {
    fc.assert(
      fc.property(cards, typed, (all, q) => {
        const [first = all, ...others] = all.map((card) => [card]);
        const index = indexOf(first);
        for (const [card] of others) {
          if (card) index.add(card);
          index.commit();
        }
        assert.deepEqual(index.search(query(q)), indexOf(all).search(query(q)));
      }),
    );
  });

  it('pages of any length show each match once, in the order of the whole result', () => {
    fc.assert(
      fc.property(cards, typed, fc.integer({ min: 1, max: 5 }), (all, q, limit) => {
        const index = indexOf(all);
        const whole = idsFound(index, q);
        const paged: string[] = [];
        for (let offset = 0; offset < whole.length; offset += limit) {
          const { cards: page, total } = index.search(query(q, { limit, offset }));
          assert.equal(total, whole.length);
          paged.push(...page.map((card) => card.id));
        }
        assert.deepEqual(paged, whole);
      }),
    );
  });

  it('a suggestion comes only if nothing matches, and is a query with matches', () => {
    fc.assert(
      fc.property(cards, typed, (all, q) => {
        const index = indexOf(all);
        const { total, suggestion } = index.search(query(q));
        if (suggestion === undefined) return;
        assert.equal(total, 0);
        assert.ok(index.search(query(suggestion)).total > 0);
      }),
    );
  });
});

function shuffled(all: readonly Card[]): fc.Arbitrary<Card[]> {
  return fc.shuffledSubarray([...all], { minLength: all.length });
}
