import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LANGUAGES, printingInLanguage } from '../../src/domain/languages.ts';
import { Resolver } from '../../src/resolve/index.ts';
import { indexOf, makeCard, pricesOf } from '../search/search-cards.ts';
import { CARDS, cardOf, resolveOne, told } from './resolve-cards.ts';

const BOLT = { name: 'Lightning Bolt', setCode: 'M11', number: '149' };
const NONE = 'No price of a German copy is known.';

describe('an item in another language', () => {
  it('is the card without a price, and the answer says so', async () => {
    for (const item of [
      { ...BOLT, language: 'German' },
      { ...BOLT, language: ' de ' },
      { ...BOLT, language: 'GER', printing: 'Foil' },
      'Lightning Bolt (Magic 2011) - 149 - NM - German - 0,20 EUR',
      'Magic 2011 Lightning Bolt 149 german',
      'Lightning Bolt (M11) 149 (DE)',
      'Lightning Bolt (M11) 149 DE',
      '1x Lightning Bolt M11 149 Deutsch NM',
    ]) {
      const answer = await resolveOne(item);
      const shown = JSON.stringify(item);
      assert.equal(answer.status, 'matched', shown);
      assert.equal(answer.card, cardOf('Lightning Bolt', '149'), shown);
      assert.equal(answer.printing, null, shown);
      assert.equal(answer.language, 'de', shown);
      assert.equal(answer.reasons.at(-1), NONE, shown);
    }
  });

  it('is translated even if its name is nearly the English one', async () => {
    const magnemite = makeCard({ name: 'Magnemite', number: '53/102' });
    const resolver = new Resolver({ search: indexOf([magnemite]), cardsWithId: () => [] });
    const items = [{ name: 'Magnetilo' }, { text: 'Magnetilo 53' }, { name: 'Magnemitt' }];
    const [named, numbered, misspelt] = await resolver.resolve(items);
    assert.deepEqual([named?.status, named?.language], ['matched', 'de']);
    assert.deepEqual([numbered?.status, numbered?.language], ['matched', 'de']);
    assert.equal(misspelt?.status, 'ambiguous');
  });

  it('has the price of that language if one is known', async () => {
    const german = new Resolver({ search: indexOf(CARDS.map(withGerman)), cardsWithId: () => [] });
    const printingOf = async (item: object) => {
      const [answer] = await german.resolve([{ ...BOLT, ...item }]);
      assert.equal(answer?.status, 'matched', JSON.stringify(item));
      assert.ok(!('language' in item) || answer.reasons.every((reason) => reason !== NONE));
      return answer.printing?.name;
    };
    assert.equal(await printingOf({ language: 'German' }), 'Normal (German)');
    assert.equal(await printingOf({ language: 'German', printing: 'Normal' }), 'Normal (German)');
    assert.equal(await printingOf({ language: 'French' }), undefined);
    assert.equal(await printingOf({ printing: 'Foil' }), 'Foil');
    assert.equal(await printingOf({ language: 'en' }), 'Normal');
    assert.equal(await printingOf({}), 'Normal');
    const [foil] = await german.resolve([{ ...BOLT, language: 'de', printing: 'Foil' }]);
    assert.equal(foil?.status === 'matched' && foil.printing, null);
  });

  it('may have the language in its number', async () => {
    for (const item of [
      { name: 'Dark Magician', number: 'LOB-DE005' },
      { name: 'Dark Magician', set: 'LOB', number: 'LOB-DE005' },
      '1x Dark Magician LOB-DE005',
      'Dark Magician LOB-DE005 1st Edition',
    ]) {
      const answer = await resolveOne(item);
      const shown = JSON.stringify(item);
      assert.equal(answer.status === 'matched' && answer.card.number, 'LOB-EN005', shown);
      assert.equal(answer.status === 'matched' && answer.printing, null, shown);
      assert.equal(answer.language, 'de', shown);
    }
  });

  it('may have the language behind its condition, its printing or its name', async () => {
    for (const item of [
      { ...BOLT, condition: 'Near Mint - German' },
      { ...BOLT, condition: 'Near Mint Foil - German' },
      { ...BOLT, printing: 'Normal (German)' },
      { ...BOLT, printing: 'Foil German' },
      { ...BOLT, printing: 'German' },
      { ...BOLT, name: 'Lightning Bolt (German)' },
      { ...BOLT, name: 'Lightning Bolt [Deutsch]' },
      '4 Lightning Bolt german (M11) 149',
    ]) {
      const answer = await resolveOne(item);
      const shown = JSON.stringify(item);
      assert.equal(answer.status, 'matched', shown);
      assert.deepEqual([answer.printing, answer.language], [null, 'de'], shown);
    }
    const foil = { ...BOLT, condition: 'Near Mint Foil - English' };
    assert.equal(await told(foil), '1 Lightning Bolt, M11 149, Foil');
  });

  it('may be selected by a link', async () => {
    const link = 'https://www.tcgplayer.com/product/42382/pokemon-base-set-charizard';
    const german = await resolveOne(`${link}?Language=German&page=1`);
    assert.equal(german.status, 'matched');
    assert.deepEqual([german.printing, german.language], [null, 'de']);
    const english = await resolveOne(`${link}?Language=English&page=1`);
    assert.equal(english.status === 'matched' && english.printing?.name, 'Unlimited Holofoil');
  });

  it('may have the name of a Pokémon in its language', async () => {
    for (const [item, language] of [
      ['Dracaufeu Base Set 4/102', 'fr'],
      ['1x Glurak (Base Set) 4/102', 'de'],
      [{ name: 'Glurak', set: 'Base Set', number: '4/102' }, 'de'],
      [{ name: '리자몽', set: 'Base Set', number: '4' }, 'ko'],
    ] as const) {
      const answer = await resolveOne(item);
      const shown = JSON.stringify(item);
      assert.equal(answer.status === 'matched' && answer.card.name, 'Charizard', shown);
      assert.equal(answer.status === 'matched' && answer.printing, null, shown);
      assert.equal(answer.language, language, shown);
    }
    const unsure = await resolveOne('Glurak 4/102');
    assert.deepEqual([unsure.status, unsure.language], ['ambiguous', 'de']);
  });

  it('in the language of the catalogue is the plain card', async () => {
    const answer = await resolveOne({ ...BOLT, language: 'English' });
    assert.equal(answer.status === 'matched' && answer.printing?.name, 'Normal');
    assert.equal(answer.reasons.length, 2);
  });

  it('is another card where a separate game has the cards of that language', async () => {
    const snorlax = { name: 'Snorlax', number: '143/165' };
    const japanese = await resolveOne({ ...snorlax, language: 'JPN' });
    assert.equal(japanese.status === 'matched' && japanese.printing?.name, 'Normal');
    for (const language of ['English', 'German']) {
      assert.equal((await resolveOne({ ...snorlax, language })).status, 'unknown');
    }
    const korean = await resolveOne({ ...snorlax, language: 'KR' });
    assert.equal(korean.status === 'matched' && korean.printing, null);
    const charizard = { name: 'Charizard', set: 'Base Set', number: '4/102', language: 'Japanese' };
    assert.equal((await resolveOne(charizard)).status, 'unknown');
  });

  it('keeps its language when no card, or no single card, is found', async () => {
    for (const item of ['Lightning Bolt german', { name: 'Nobody', language: 'de' }]) {
      const answer = await resolveOne(item);
      assert.notEqual(answer.status, 'matched');
      assert.equal(answer.language, 'de');
    }
  });

  it('never has a price, whatever its card and however its language is written', async () => {
    const asked = CARDS.filter(({ set }) => set.game !== 'pokemonjp').flatMap(itemsOf);
    assert.ok(asked.length > 10_000);
    for (const item of asked) {
      const answer = await resolveOne(item);
      const shown = JSON.stringify(item);
      assert.ok(answer.status !== 'matched' || answer.printing === null, shown);
      assert.ok(answer.language !== undefined && answer.language !== 'en', shown);
    }
  });
});

type TestCard = (typeof CARDS)[number];

/** Returns the card as an object and as lines, in each language but English, in each spelling. */
function itemsOf({ name, number, set }: TestCard) {
  return LANGUAGES.filter(({ code }) => code !== 'en').flatMap(
    ({ code, name: called, words, marks }) => {
      const fields = { name, set: set.name, ...(number === null ? {} : { number }) };
      const spellings = [code, called, ...words.split(', '), ...marks.split(', ')];
      return [
        ...spellings.map((language) => ({ ...fields, language })),
        ...words.split(', ').map((word) => `${set.name} ${name} ${number} ${word}`),
      ];
    },
  );
}

function withGerman(card: TestCard): TestCard {
  const german = { rowId: 9000, name: printingInLanguage('Normal', 'de'), prices: pricesOf(700) };
  return { ...card, printings: [...card.printings, german] };
}
