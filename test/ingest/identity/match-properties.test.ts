import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { GAME_SLUGS, type GameSlug } from '../../../src/domain/games.ts';
import { CardMatcher } from '../../../src/ingest/identity/match.ts';
import {
  type Identities,
  type KnownCard,
  readIdentities,
} from '../../../src/store/catalogue/identities.ts';
import type { StoredSet } from '../../../src/store/catalogue/records.ts';
import { openStore, type Store } from '../../../src/store/connect.ts';
import { createDatabase, type TestDatabase } from '../../support/engines.ts';
import { FIXTURE, FIXTURE_PRODUCTS, importTree } from '../../support/tcgcsv.ts';
import { type PartialReference, reference } from '../../support/written-catalogue.ts';

const NO_KEYS = new Map<string, never[]>();

/** Returns the row id of the card that is found, or why there is none. */
function find(
  matcher: CardMatcher,
  given: PartialReference & { readonly game: GameSlug },
): number | string {
  const answer = matcher.find(reference(given));
  return 'card' in answer ? answer.card : answer.reason;
}

function described(
  card: KnownCard,
  set: StoredSet,
): PartialReference & { readonly game: GameSlug } {
  const { name, number, rarity } = card;
  return { game: set.game, name, number, rarity, setName: set.name, setCode: set.code };
}

describe('the cards of the fixture', () => {
  let database: TestDatabase;
  let store: Store;
  let identities: Identities;

  before(async () => {
    database = await createDatabase('SQLite');
    store = await openStore(database.location);
    await importTree(store, FIXTURE);
    identities = await readIdentities(store.db, GAME_SLUGS, []);
  });

  after(async () => {
    await store.close();
    await database.remove();
  });

  const setsOf = ({ sets }: Identities) => new Map(sets.map((set) => [set.rowId, set]));

  /** Returns the cards that are the same in all but their ids: arts that the list does not name. */
  const sameAs = (card: KnownCard) => {
    return identities.cards.filter(({ setRowId, name, number, rarity }) => {
      return (
        setRowId === card.setRowId &&
        name === card.name &&
        number === card.number &&
        rarity === card.rarity
      );
    });
  };

  function each(
    check: (card: KnownCard, set: StoredSet, same: readonly KnownCard[]) => void,
  ): void {
    const cards = identities.cards.filter(({ isProduct }) => !isProduct);
    assert.ok(cards.length > 20);
    const sets = setsOf(identities);
    for (const card of cards) {
      check(card, sets.get(card.setRowId) ?? assert.fail(), sameAs(card));
    }
  }

  test('are each found by their own description', () => {
    const matcher = new CardMatcher(identities, 'shop');
    each((card, set, same) => {
      const expected = same.length === 1 ? card.rowId : 'ambiguous';
      assert.equal(find(matcher, described(card, set)), expected, card.id);
    });
  });

  test('are never products, which only ids find', () => {
    const matcher = new CardMatcher(identities, 'shop');
    const products = identities.cards.filter(({ isProduct }) => isProduct);
    assert.equal(products.length, FIXTURE_PRODUCTS);
    const sets = setsOf(identities);
    for (const product of products) {
      const set = sets.get(product.setRowId) ?? assert.fail();
      assert.equal(typeof find(matcher, described(product, set)), 'string', product.id);
    }
  });

  test('are each found by the number as collectors write it and the name of the set', () => {
    const matcher = new CardMatcher(identities, 'shop');
    each((card, set, same) => {
      const number = card.number?.split('/')[0]?.replace(/^0+(?=\d)/, '') ?? null;
      const given = { ...described(card, set), number, setCode: null };
      const expected = same.length === 1 ? card.rowId : 'ambiguous';
      assert.equal(find(matcher, given), expected, card.id);
    });
  });

  test('are not found for each other when one is missing', () => {
    each((card, set, same) => {
      const cards = identities.cards.filter((other) => !same.includes(other));
      const answer = find(new CardMatcher({ ...identities, cards }, 'shop'), described(card, set));
      assert.equal(typeof answer, 'string', `${card.id} is taken for ${answer}`);
    });
  });
});

/** Cards of one set, which differ in ways that have confused price services before. */
const NAMES = ['Pikachu', 'Pikachu V', 'Dark Pikachu', 'Pikachu & Zekrom', 'Raichu'];
const ISSUES = ['', ' (Staff)', ' [Prerelease] (Staff)', ' (Cosmos Holo)', ' (Jumbo)', ' (Promo)'];
const NUMBERS = ['4', '4a', '44', 'TG4', 'SWSH4', '4/102', '014'];

const GAMES = fc.constantFrom<GameSlug>('pokemon', 'mtg', 'onepiece', 'swu', 'fab', 'lorcana');

const card = fc.record({
  name: fc.constantFrom(...NAMES),
  issue: fc.constantFrom(...ISSUES),
  number: fc.constantFrom(...NUMBERS),
  set: fc.constantFrom(1, 2),
});

const catalogue = fc
  .tuple(GAMES, fc.array(card, { minLength: 1, maxLength: 12 }))
  .map(([game, cards]): Identities => {
    const set = { game, releaseDate: null, revision: 1 };
    return {
      sets: [
        { ...set, rowId: 1, id: 'one', code: 'ONE', name: 'Series One' },
        { ...set, rowId: 2, id: 'two', code: 'TWO', name: 'Series Two' },
      ],
      cards: cards.map(({ name, issue, number, set: setRowId }, at) => {
        const rowId = at + 1;
        const described = { name: name + issue, number, rarity: null };
        return { rowId, id: `card-${rowId}`, setRowId, ...described };
      }),
      externalIds: NO_KEYS,
    };
  });

/** Whether nothing shows which of two cards is meant. */
function isTwin(a: KnownCard, b: KnownCard): boolean {
  const [one, other] = [a, b].map(({ setRowId, name, number }) => {
    const bare = name.replace(' [Prerelease] (Staff)', ' (Staff)');
    return [setRowId, bare, number?.split('/')[0]].join();
  });
  return one === other;
}

/** Returns the right answers for a card that is described by its own name. */
function answersTo({ cards }: Identities, one: KnownCard, game: GameSlug): (number | string)[] {
  if (game === 'pokemon' && cards.some((other) => isFoilOf(other, one))) return ['ambiguous'];
  const twins = cards.filter((other) => isTwin(one, other));
  if (twins.length === 1) return [one.rowId];
  return twins.some((twin) => isCopy(one, twin)) ? ['ambiguous'] : ['ambiguous', one.rowId];
}

function isFoilOf(foil: KnownCard, plain: KnownCard): boolean {
  return (
    foil.name === `${plain.name} (Cosmos Holo)` && isTwin({ ...foil, name: plain.name }, plain)
  );
}

function isCopy(a: KnownCard, b: KnownCard): boolean {
  return a !== b && a.name === b.name && a.number === b.number;
}

function setOf({ sets }: Identities, { setRowId }: KnownCard): StoredSet {
  return sets.find(({ rowId }) => rowId === setRowId) ?? assert.fail();
}

describe('in any catalogue', () => {
  test('each card is found by its own description, and no copy is', () => {
    fc.assert(
      fc.property(catalogue, (all) => {
        const matcher = new CardMatcher(all, 'shop');
        for (const one of all.cards) {
          const set = setOf(all, one);
          const answer = find(matcher, described(one, set));
          assert.ok(answersTo(all, one, set.game).includes(answer), `${one.name}: ${answer}`);
        }
      }),
    );
  });

  test('no card is found in place of a missing one', () => {
    fc.assert(
      fc.property(catalogue, (all) => {
        for (const one of all.cards) {
          const cards = all.cards.filter((other) => !isTwin(one, other));
          const answer = find(
            new CardMatcher({ ...all, cards }, 'shop'),
            described(one, setOf(all, one)),
          );
          assert.equal(typeof answer, 'string', `${one.name} ${one.number} is taken for ${answer}`);
        }
      }),
    );
  });

  test('nothing depends on the order of cards and sets', () => {
    const shuffled = catalogue.chain((all) => {
      const order = { minLength: all.cards.length, maxLength: all.cards.length };
      return fc.tuple(fc.constant(all), fc.shuffledSubarray([...all.cards], order));
    });
    fc.assert(
      fc.property(shuffled, card, ([all, cards], { name, number }) => {
        const one = new CardMatcher(all, 'shop');
        const other = new CardMatcher({ ...all, sets: all.sets.toReversed(), cards }, 'shop');
        const game = all.sets[0]?.game ?? assert.fail();
        for (const given of [{ name, number }, { name }, { name, variant: 'Staff' }]) {
          const asked = reference({ game, ...given, setCode: 'ONE' });
          assert.deepEqual(one.find(asked), other.find(asked));
        }
      }),
    );
  });

  test('a reference to something else is never matched', () => {
    const words = fc.constantFrom('Mewtwo', 'Blastoise', 'Booster Box', 'Mox Ruby', 'ミュウ');
    fc.assert(
      fc.property(catalogue, words, fc.constantFrom(...NUMBERS, null), (all, name, number) => {
        const game = all.sets[0]?.game ?? assert.fail();
        const given = { game, name, number, setCode: 'ONE' };
        assert.equal(typeof find(new CardMatcher(all, 'shop'), given), 'string');
      }),
    );
  });

  test('every reference gets an answer', () => {
    const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 40 }), { nil: null });
    fc.assert(
      fc.property(catalogue, fc.string(), text, text, text, (all, name, number, set, variant) => {
        const game = all.sets[0]?.game ?? assert.fail();
        const given = { game, name, number, variant, setName: set, setCode: 'TWO' };
        const answer = find(new CardMatcher(all, 'shop'), given);
        assert.ok(typeof answer === 'string' || answer > 0);
      }),
    );
  });
});
