import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LANGUAGES } from '../../src/domain/languages.ts';
import { foldText, foldWords } from '../../src/domain/text.ts';
import { Resolver } from '../../src/resolve/index.ts';
import { ForeignNames } from '../../src/search/foreign-names.ts';
import { indexOf, makeCard, namesFound, query } from './search-cards.ts';

const MTG = { game: 'mtg', rowId: 7, id: 'mtg-m11', code: 'M11', name: 'Magic 2011' } as const;
const BOLT = makeCard({ name: 'Lightning Bolt', number: '149', set: MTG, price: 171 });
const DRAGON = makeCard({ name: 'Shivan Dragon', number: '150', set: MTG, price: 60 });
const BLAST = makeCard({ name: 'Eclair Blast', number: '1', set: MTG, price: 10 });
const CARDS = [BOLT, DRAGON, BLAST];

/** An index with names in other languages. */
function translatedIndex() {
  const index = indexOf(CARDS);
  const { foreignNames } = index;
  foreignNames.put(BOLT.rowId, 'de', 'Blitzschlag');
  foreignNames.put(BOLT.rowId, 'fr', 'Foudre');
  foreignNames.put(BOLT.rowId, 'ja', '稲妻');
  foreignNames.put(BOLT.rowId, 'es', 'Relámpago');
  foreignNames.put(BOLT.rowId, 'pt', 'Relâmpago');
  foreignNames.put(DRAGON.rowId, 'de', 'Shivanischer Drache');
  foreignNames.put(DRAGON.rowId, 'fr', 'Éclair');
  return index;
}

describe('names in other languages', () => {
  it('are kept by card, the newest of each language', () => {
    const names = new ForeignNames();
    names.put(4, 'de', 'Blitz');
    names.put(4, 'fr', 'Foudre');
    names.put(4, 'de', 'Blitzschlag');
    names.put(5, 'de', 'Blitzschlag');
    assert.deepEqual(names.of(4), [
      { language: 'de', name: 'Blitzschlag' },
      { language: 'fr', name: 'Foudre' },
    ]);
    assert.deepEqual(names.of(6), []);
    assert.deepEqual(names.find(['blitz'], 0)?.cards ?? [], []);
    assert.deepEqual(names.find(['blitzschlag'], 0)?.cards.toSorted(), [4, 5]);
  });

  it('are found by any spelling that folds alike, as a map by folded names finds them', () => {
    const name = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
    const language = fc.constantFrom(...LANGUAGES.map(({ code }) => code));
    const put = fc.tuple(fc.integer({ min: 1, max: 5 }), language, name);
    fc.assert(
      fc.property(fc.array(put, { maxLength: 30 }), (puts) => {
        const names = new ForeignNames();
        const expected = new Map<string, string>();
        for (const [card, code, text] of puts) {
          names.put(card, code, text);
          expected.set(`${card} ${code}`, text);
        }
        for (const [, , text] of puts) {
          const words = foldWords(text);
          if (words.length === 0 || words.length > 10) continue;
          const owners = [...expected].filter(([, own]) => foldText(own) === foldText(text));
          const cards = new Set(owners.map(([key]) => Number(key.split(' ')[0])));
          assert.deepEqual(names.find(words, 0)?.cards.toSorted() ?? [], [...cards].toSorted());
        }
      }),
    );
  });

  it('find their cards in a search, alone, unfinished and with other words', () => {
    const index = translatedIndex();
    for (const q of [
      'Blitzschlag',
      'blitzsch',
      'BLITZSCHLAG m11',
      'foudre 149',
      '稲妻',
      'relampago',
    ]) {
      assert.equal(namesFound(index, q)[0], 'Lightning Bolt', q);
    }
    for (const q of ['shivanischer drache', 'Shivanischer Dr', 'shivanischer drache foil']) {
      assert.equal(namesFound(index, q)[0], 'Shivan Dragon', q);
    }
  });

  it('come after names of the catalogue', () => {
    const index = translatedIndex();
    assert.deepEqual(namesFound(index, 'eclair'), ['Eclair Blast', 'Shivan Dragon']);
    assert.deepEqual(namesFound(index, 'lightning bolt'), ['Lightning Bolt']);
  });

  it('change nothing that other queries find', () => {
    const [plain, translated] = [indexOf(CARDS), translatedIndex()];
    for (const q of [
      'lightning',
      'bolt m11',
      'dragon',
      'lightnig blot',
      'zzz',
      '149',
      'eclair blast',
    ]) {
      assert.deepEqual(translated.search(query(q)), plain.search(query(q)), q);
    }
  });

  it('do not ask for prices of their language in a search', () => {
    const { language, understood } = translatedIndex().search(query('blitzschlag'));
    assert.deepEqual([language, understood], [undefined, undefined]);
  });
});

describe('an item whose name is in another language', () => {
  const resolver = new Resolver({ search: translatedIndex(), cardsWithId: () => [] });
  const resolve = async (item: object | string) => {
    const [answer] = await resolver.resolve([typeof item === 'string' ? { text: item } : item]);
    return answer;
  };

  it('is the card, in that language', async () => {
    for (const item of [
      { name: 'Blitzschlag', set: 'M11', number: '149' },
      { name: 'Blitzschlag', number: '149' },
      '4 Blitzschlag (M11) 149',
      'Magic 2011 Blitzschlag 149 NM',
    ]) {
      const answer = await resolve(item);
      const shown = JSON.stringify(item);
      assert.equal(answer?.status === 'matched' && answer.card.name, 'Lightning Bolt', shown);
      assert.equal(answer?.language, 'de', shown);
      assert.equal(answer?.status === 'matched' && answer.printing, null, shown);
      assert.equal(answer?.reasons[0], 'Blitzschlag is its German name.', shown);
      assert.equal(answer?.reasons.at(-1), 'No price of a German copy is known.', shown);
    }
  });

  it('has the price of the language that it names instead', async () => {
    const answer = await resolve({ name: 'Blitzschlag', number: '149', language: 'English' });
    assert.equal(answer?.status === 'matched' && answer.printing?.name, 'Normal');
  });

  it('is unknown if the rest contradicts the card', async () => {
    const answer = await resolve({ name: 'Blitzschlag', set: 'M11', number: '150' });
    assert.equal(answer?.status, 'unknown');
  });
});
