/** Tests that no real card has the price of another language, however a query or line names one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTree } from '../../bench/search/tree.ts';
import { type Card, isPriced } from '../../src/domain/card.ts';
import { withoutBrackets } from '../../src/domain/card-name.ts';
import { LANGUAGES } from '../../src/domain/languages.ts';
import { foldText, foldWords } from '../../src/domain/text.ts';
import { Resolver } from '../../src/resolve/index.ts';
import { SearchIndex } from '../../src/search/index.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;

const cards = readTree(DATA);
const search = new SearchIndex();
for (const card of cards) search.add(card);
search.commit();

const english = cards.filter((card) => isPriced(card) && card.set.game !== 'pokemonjp');

/** Every so many of the cards with a price. */
function sample(count: number): readonly Card[] {
  const step = Math.floor(english.length / count);
  return Array.from({ length: count }, (_, i) => english[i * step] as Card);
}

const FOREIGN = LANGUAGES.filter(({ code }) => code !== 'en');
const MARKS: ReadonlySet<string> = new Set(['de', 'it', 'es', 'pt', 'ko', 'ru', 'zh']);

describe('a query for a real card in another language', () => {
  const asked = sample(250).flatMap((card) => {
    const name = withoutBrackets(card.name);
    return FOREIGN.flatMap(({ code, words }) => {
      const queries = words.split(', ').flatMap((word) => [
        { word, q: `${name} ${word}` },
        { word, q: `${word} ${name} ${card.set.name}` },
        { word, q: `${name} ${card.number ?? ''} ${word}` },
        { word: '', q: `${name} lang:"${word}"` },
      ]);
      const mark = MARKS.has(code) ? [{ word: '', q: `${name} (${code.toUpperCase()})` }] : [];
      return [...queries, ...mark].map((query) => ({ ...query, code }));
    });
  });

  it('asks for that language, unless its word is part of what it finds', () => {
    const missed = asked.filter(({ q, word, code }) => {
      const found = search.search({ q, sort: 'relevance', limit: 1, offset: 0 });
      const [best] = found.cards;
      if (!best || found.language === code) return false;
      const called = foldText(`${best.name} ${best.set.name}`);
      return word === '' || !foldWords(word).some((one) => called.includes(one));
    });
    assert.ok(asked.length > 50_000);
    assert.deepEqual(missed.slice(0, 20), []);
  });
});

describe('a line or row with a real card in another language', () => {
  const resolver = new Resolver({ search, cardsWithId: () => [] });

  it('never has an English price, and most are matched', async () => {
    const items = sample(200).flatMap(({ name, number, set }) => {
      const plain = withoutBrackets(name);
      const fields = { name, set: set.name, game: set.game, ...(number && { number }) };
      return FOREIGN.flatMap(({ code, name: language, words, marks }) => {
        const all = words.split(', ');
        const spelt = [code, language, ...all, ...marks.split(', ')];
        return [
          ...spelt.map((one) => ({ ...fields, language: one })),
          { ...fields, condition: `Near Mint - ${language}` },
          { ...fields, name: `${name} (${language})` },
          ...all.map((word) => ({ text: `${set.name} ${plain} ${number ?? ''} ${word}` })),
          { text: `1x ${plain} (${set.name}) - ${number ?? ''} - NM - ${language} - 0,20 EUR` },
          ...(MARKS.has(code)
            ? [
                { text: `4 ${plain} (${set.code}) ${number} (${code.toUpperCase()})` },
                { text: `${plain} ${set.name} ${code.toUpperCase()} ${number} NM` },
                { text: `1x ${plain} ${number ?? 1} ${set.name} ${code}` },
              ]
            : []),
        ];
      });
    });
    const answers = await resolver.resolve(items);
    const served = answers.flatMap((answer, i) => {
      const isServed = answer.status === 'matched' && answer.printing !== null;
      const isPlain = answer.status !== 'matched' && answer.candidates.length > 0;
      return isServed || (isPlain && answer.language === undefined) ? [items[i]] : [];
    });
    const matched = answers.filter(({ status }) => status === 'matched').length;
    assert.deepEqual(served.slice(0, 20), []);
    assert.ok(matched > answers.length / 2, `${matched} of ${answers.length}`);
  });
});
