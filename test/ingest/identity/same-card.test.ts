import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type GameSlug, rulesOf } from '../../../src/domain/games.ts';
import { foldText } from '../../../src/domain/text.ts';
import { findOtherCards, type Identity } from '../../../src/ingest/identity/same-card.ts';

type Spelt = readonly [name: string, number?: string | null, rarity?: string | null, set?: number];

function identity([name, number = null, rarity = null, setRowId = 1]: Spelt): Identity {
  return { setRowId, name, number, rarity };
}

/** Whether an id that meant one card still means it, in a set with some other cards. */
function isStill(was: Spelt, is: Spelt, others: readonly Spelt[] = [], game: GameSlug = 'pokemon') {
  const claim = { known: identity(was), claimed: identity(is) };
  const residents = [was, ...others].map(identity);
  return findOtherCards(rulesOf(game), [claim], residents).length === 0;
}

const CORRECTIONS: readonly (readonly [what: string, was: Spelt, is: Spelt, game?: GameSlug])[] = [
  ['an accent', ['Pokémon Center', '80/102'], ['Pokemon Center', '80/102']],
  ['a typing error', ['Blastiose', '2/102'], ['Blastoise', '2/102']],
  ['an apostrophe', ['Farfetchd', '27/102'], ["Farfetch'd", '27/102']],
  ['the form of the number', ['Charizard', '4/102'], ['Charizard', '004/102']],
  ['the number in the name', ['Umbreon ex - 161/131', '161/131'], ['Umbreon ex', '161/131']],
  ['a missing number', ['Umbreon ex', null], ['Umbreon ex', '161/131']],
  ['a variant', ['Pikachu', '58/102'], ['Pikachu (Cosmos Holo)', '58/102']],
  ['a second variant', ['Pikachu (Promo)', '58'], ['Pikachu [Staff] (Promo)', '58']],
  ['a missing word', ['Sandshrew', '62/132'], ["Brock's Sandshrew", '62/132']],
  ['the second face', ['Fire // Ice', '128'], ['Fire', '128'], 'mtg'],
  ['a comma', ['Stitch - Rock Star', '23/204'], ['Stitch, Rock Star', '23/204'], 'lorcana'],
  ['a wrong number', ['Nami', 'OP01-061'], ['Nami', 'OP01-016'], 'onepiece'],
  ['a wrong number in the name', ['Nami - OP01-61', 'OP01-61'], ['Nami', 'OP01-16'], 'onepiece'],
  ['the rarity', ['Abra', '49/82', 'Rare'], ['Abra', '49/82', 'Common']],
  ['the set', ['Abra', '49/82', null, 1], ['Abra', '49/82', null, 2]],
];

describe('the id of a card still means it after a correction of', () => {
  for (const [what, was, is, game] of CORRECTIONS) {
    test(what, () => assert.ok(isStill(was, is, [['Lugia', '9/102']], game)));
  }
});

const OTHER_CARDS: readonly (readonly [string, Spelt, Spelt, (readonly Spelt[])?, GameSlug?])[] = [
  ['another name and number', ['Deoxys', 'SL1'], ['Lugia', '149/147']],
  ['another name', ['Deoxys', 'SL1'], ['Lugia', 'SL1']],
  ['the number of another card', ['Abra', '1/82'], ['Abra', '2/82'], [['Mew', '2/82']]],
  ['another set with another number', ['Abra', '43/102', null, 1], ['Abra', '49/82', null, 2]],
  ['the place of its variant', ['Abra', '1'], ['Abra (Staff)', '1'], [['Abra (Staff)', '1']]],
  ['its place in another set', ['Abra', '1'], ['Abra', '1', null, 2], [['Abra', '1', null, 2]]],
  ['another subtitle', ['Elsa - Snow Queen', '41'], ['Elsa - Storm Bearer', '41'], [], 'lorcana'],
  ['another colour', ['Pummel (Red)', 'WTR1'], ['Pummel (Blue)', 'WTR1'], [], 'fab'],
  [
    'the place of its rarity',
    ['Jinzo', 'A1', 'Rare'],
    ['Jinzo', 'A1', 'Common'],
    [['Jinzo', 'A1', 'Common']],
    'yugioh',
  ],
  [
    'an exclamation mark of another card',
    ['Unown (!)', '!/28'],
    ['Unown (?)', '?/28'],
    [['Unown (?)', '?/28']],
  ],
];

describe('the id of a card means another card after a change to', () => {
  for (const [what, was, is, others, game] of OTHER_CARDS) {
    test(what, () => assert.ok(!isStill(was, is, others, game)));
  }
});

const LETTERS = 'abcdefghiklmnoprstuwyz';
const name = fc
  .array(fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 5, maxLength: 9 }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((words) => words.join(' '));
const cards = fc.uniqueArray(fc.tuple(name, fc.constantFrom(null, 'Common', 'Rare')), {
  selector: ([text]) => text,
  minLength: 2,
  maxLength: 12,
});

test('any rearrangement of the cards of a set is seen, however many stay where they are', () => {
  fc.assert(
    fc.property(cards, fc.infiniteStream(fc.nat()), (listed, choices) => {
      const set = listed.map(([text, rarity], at) => identity([text, `${at + 1}/99`, rarity]));
      const left = [...set];
      const claims = set.map((known) => {
        const [claimed = known] = left.splice((choices.next().value ?? 0) % left.length, 1);
        return { known, claimed };
      });
      const moved = claims.filter(({ known, claimed }) => known !== claimed);
      assert.deepEqual(findOtherCards(rulesOf('mtg'), moved, set), moved);
    }),
  );
});

const plain = (text: string) => text.replace(' (Holo)', '');

test('no spelling of a name with the same letters makes another card', () => {
  const spelling = fc.constantFrom(
    (text: string) => text.toUpperCase(),
    (text: string) => text.replaceAll(' ', '-'),
    (text: string) => text.replaceAll('e', 'é'),
    (text: string) => `${text} (Holo)`,
    (text: string) => `${text.slice(0, 2)}${text.slice(3)}`,
  );
  fc.assert(
    fc.property(cards, fc.uniqueArray(spelling, { maxLength: 2 }), (listed, spellings) => {
      const set = listed.map(([text, rarity], at) => identity([text, `${at + 1}/99`, rarity]));
      const claims = set.map((known) => {
        const spelt = spellings.reduce((text, spell) => spell(text), known.name);
        return { known, claimed: { ...known, name: spelt, number: `0${known.number}` } };
      });
      const others = findOtherCards(rulesOf('mtg'), claims, set);
      // A letter less may make the name of a neighbour.
      for (const { claimed } of others)
        assert.ok(set.some(({ name }) => foldText(name) === foldText(plain(claimed.name))));
    }),
  );
});
