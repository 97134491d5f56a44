import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  comparePrintings,
  defaultPrinting,
  isPriced,
  languageOfCard,
  marketPrice,
} from '../../src/domain/card.ts';
import {
  findLanguageMark,
  LANGUAGES,
  languageAtCardmarket,
  languageCalled,
  languageOfPrinting,
  printingInLanguage,
  withoutLanguage,
} from '../../src/domain/languages.ts';
import { foldText } from '../../src/domain/text.ts';
import { makeCard, pricesOf } from '../search/search-cards.ts';

describe('a language', () => {
  it('is known by its code, its names and the abbreviations that programs write', () => {
    const spellings = {
      en: 'en EN English ENG Englisch GB',
      de: 'de DE German GER Deutsch DEU Allemand tedesco',
      fr: 'fr FR French FRA FRE Français francese',
      it: 'it IT ITA Italian Italiano',
      es: 'es ES ESP SP Spanish Español castellano',
      pt: 'pt PT PT-BR pt_br Portuguese Português',
      ja: 'ja JP JPN JAP Japanese 日本語 japonais',
      ko: 'ko KR KOR Korean',
      zhs: 'zhs ZH-S zh-CN S-Chinese',
      zht: 'zht ZH-T zh-TW T-Chinese',
      zh: 'zh CN Chinese',
      ru: 'ru RUS Russian',
    };
    for (const [code, texts] of Object.entries(spellings)) {
      for (const text of texts.split(' ')) assert.equal(languageCalled(text), code, text);
    }
    assert.equal(languageCalled('Simplified Chinese'), 'zhs');
    assert.equal(languageCalled('Chinese (T)'), 'zht');
    assert.equal(languageCalled('Portuguese (Brazil)'), 'pt');
    for (const text of ['', 'Klingon', 'holo', 'deck'])
      assert.equal(languageCalled(text), undefined);
  });

  it('shares no name and no abbreviation with another', () => {
    const owners = new Map<string, string>();
    for (const { code, name, words, marks } of LANGUAGES) {
      for (const called of [code, name, ...words.split(', '), ...marks.split(', ')]) {
        assert.equal(owners.get(foldText(called)) ?? code, code, called);
        owners.set(foldText(called), code);
      }
    }
  });

  it('is marked in links that select it', () => {
    const links = [
      'https://www.tcgplayer.com/product/42382?Language=German',
      'https://x.example/?a&language=3',
      'https://scryfall.com/card/m11/149/de/blitzschlag',
    ];
    for (const link of links) {
      const { language, instead, from, to } = findLanguageMark(link) ?? {};
      assert.equal(language, 'de');
      assert.equal(instead, link.slice(from, to));
    }
    assert.equal(findLanguageMark('https://x.example/?language=English'), undefined);
    assert.equal(languageAtCardmarket('11'), 'zht');
    assert.equal(languageAtCardmarket('12'), undefined);
  });

  it('is marked in numbers of Yu-Gi-Oh!, which have another one in English', () => {
    const read = (number: string) => {
      const { language, from, to, instead } = findLanguageMark(number) ?? {};
      return `${language} ${number.slice(0, from)}${instead}${number.slice(to)}`;
    };
    assert.equal(read('LOB-DE005'), 'de LOB-EN005');
    assert.equal(read('lob-fr005'), 'fr lob-EN005');
    assert.equal(read('MRD-G122'), 'de MRD-E122');
    assert.equal(read('RA01-SP001'), 'es RA01-EN001');
    for (const number of ['LOB-EN005', 'LOB-A005', 'LOB-005', 'OP01-025', 'SM-P001', 'WTR001']) {
      assert.equal(findLanguageMark(number), undefined, number);
    }
  });

  it('is marked in a text by capitals, in brackets or at the end, but not by a word', () => {
    const marks = ['Charizard (DE) 4/102', 'Charizard 4/102 [IT]', 'Charizard 4/102 ES '];
    const others = [
      'Charizard DE 4/102',
      'DE Charizard 4/102',
      'Charizard 4/102 de',
      'DARK 4/102 PT',
    ];
    assert.deepEqual(
      marks.map((text) => findLanguageMark(text)?.language),
      ['de', 'it', 'es'],
    );
    const instead = '    ';
    assert.deepEqual(findLanguageMark(marks[0] ?? ''), {
      language: 'de',
      from: 10,
      to: 14,
      instead,
    });
    assert.deepEqual(
      others.map((text) => findLanguageMark(text)?.language),
      ['de', 'de', 'de', 'pt'],
    );
    const names = [
      'IT THAT BETRAYS',
      'It That Betrays 4',
      'Fleur de Lis',
      "Sabrina's ESP",
      'fleur de',
    ];
    for (const text of [...names, 'DE', 'Shanks (SP)', 'Dialga PL']) {
      assert.equal(findLanguageMark(text), undefined, text);
    }
  });
});

describe('a card whose name says a language', () => {
  const named = (name: string) => languageOfCard(makeCard({ name }));

  it('is in that language', () => {
    assert.equal(named('Pikachu (German)'), 'de');
    assert.equal(named('Eevee (SM-P Japanese Exclusive)'), 'ja');
    assert.equal(named('Pikachu (JP Exclusive)'), 'ja');
    for (const name of ['Pikachu', 'Pikachu (Cosmos Holo)', 'German Shepherd']) {
      assert.equal(named(name), 'en');
    }
  });
});

describe('a printing in another language', () => {
  it('has the language in its name', () => {
    const name = printingInLanguage('Reverse Holofoil', 'de');
    assert.equal(name, 'Reverse Holofoil (German)');
    assert.equal(languageOfPrinting(name), 'de');
    assert.equal(withoutLanguage(name), 'Reverse Holofoil');
    for (const own of ['Reverse Holofoil', 'Foil (Galaxy)', 'German', '']) {
      assert.equal(languageOfPrinting(own), undefined);
      assert.equal(withoutLanguage(own), own);
    }
  });

  it('comes after all others, in the same order as these', () => {
    const names = ['Foil (German)', 'Etched', 'Normal (German)', 'Glossy', 'Normal'];
    assert.deepEqual(names.toSorted(comparePrintings), [
      'Normal',
      'Etched',
      'Glossy',
      'Normal (German)',
      'Foil (German)',
    ]);
  });

  it('never gives a card its price', () => {
    const printing = (name: string, market: number) => {
      return { rowId: 1, name, prices: pricesOf(market) };
    };
    const card = makeCard({ name: 'Charizard' });
    const german = { ...card, printings: [printing('Normal (German)', 500)] };
    assert.equal(defaultPrinting(german), undefined);
    assert.equal(isPriced(german), false);
    assert.equal(marketPrice(german), null);
    const both = { ...card, printings: [printing('Foil', 900), printing('Normal (German)', 500)] };
    assert.equal(marketPrice(both), 900);
  });
});
