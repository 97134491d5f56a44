/** Tests the tables of words on all real cards, which are not part of the repository. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readTree } from '../../bench/search/tree.ts';
import type { Card } from '../../src/domain/card.ts';
import { withoutBrackets } from '../../src/domain/card-name.ts';
import { foldText, foldWords } from '../../src/domain/text.ts';
import { SearchIndex } from '../../src/search/index.ts';
import { ENTRIES, findPhrases, type Phrase } from '../../src/search/lexicon/index.ts';
import type { Entry } from '../../src/search/lexicon/phrase.ts';
import { listed } from '../../src/search/lexicon/table.ts';
import { paced } from '../support/pace.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;

const cards = readTree(DATA);
const index = new SearchIndex();
for (const card of cards) index.add(card);
index.commit();
const factsOf = (card: Card) => index.lookup.factsOf(card);
/** A card of each set. */
const samples = [...new Map(cards.map((card) => [card.set.id, card])).values()];
const sets = samples.map(({ set }) => set);
const entriesOfSets = ENTRIES.filter(({ as }) => as === 'set');

/** The phrases that are all of a text. */
function whole(text: string): Phrase[] {
  const words = foldWords(text);
  return findPhrases(words).filter(({ from, to }) => from === 0 && to === words.length);
}

function gameAndNames({ games = [], evidence }: Entry) {
  return { game: games[0], names: evidence?.sets ?? [] };
}

describe('every real', () => {
  it('rarity is known by its label, as one rarity', () => {
    const labelled = Map.groupBy(cards, ({ set, rarity }) => `${set.game} ${rarity}`);
    const wrong = [...labelled].filter(([, [card]]) => {
      if (!card || card.rarity === null || card.rarity === 'Unconfirmed') return false;
      const facts = factsOf(card);
      const known = whole(card.rarity).filter(({ as, fits }) => as === 'rarity' && fits?.(facts));
      return known.length !== 1;
    });
    assert.deepEqual(
      wrong.map(([label]) => label),
      [],
    );
  });

  it('printing is meant by some phrase, and not by all', () => {
    const names = new Set(cards.flatMap(({ printings }) => printings.map(({ name }) => name)));
    const tests = ENTRIES.filter(({ as }) => as === 'printing')
      .flatMap(({ words }) => whole(listed(words)[0] ?? ''))
      .flatMap(({ fitsPrinting }) => fitsPrinting ?? []);
    for (const name of names) {
      const fitting = tests.filter((fits) => fits(name));
      assert.ok(fitting.length > 0 && fitting.length < tests.length, name);
    }
  });

  it('card is of the games that its own name names for certain', () => {
    const excluded = cards.filter((card) => {
      const phrases = findPhrases(foldWords(card.name)).filter(({ isFilter }) => isFilter);
      return phrases.some(({ fits }) => fits?.(factsOf(card)) === false);
    });
    assert.deepEqual(
      excluded.map(({ id }) => id),
      [],
    );
  });
});

describe('the table of sets', () => {
  /** Sets that came out after the data were made. */
  const NEWER = [
    ...['SV: Black Bolt', 'SV: White Flare', 'ME01: Mega Evolution', 'ME02: Phantasmal Flames'],
    ...['Fabled', 'Whispers in the Well', 'Winterspell'],
  ];
  /** Codes of older sets that players use for newer ones too. */
  const SHARED_CODES = ['sf', 'bst'];

  it('has sets by the names that they have in the catalogue', () => {
    const unknown = entriesOfSets.filter((entry) => {
      const { game, names } = gameAndNames(entry);
      const isKnown = (name: string) => {
        return NEWER.includes(name) || sets.some((set) => set.game === game && set.name === name);
      };
      return !names.some(isKnown);
    });
    assert.deepEqual(
      unknown.map(({ means }) => means),
      [],
    );
  });

  it('repeats no code of a set of the game', () => {
    const repeated = entriesOfSets.flatMap((entry) => {
      const codes = sets
        .filter(({ game }) => game === gameAndNames(entry).game)
        .map(({ code }) => foldText(code));
      return listed(entry.words).filter((words) => codes.includes(foldText(words)));
    });
    assert.deepEqual(
      repeated.filter((words) => !SHARED_CODES.includes(words)),
      [],
    );
  });

  it('repeats no words of the name of a set', () => {
    const repeated = entriesOfSets.flatMap((entry) => {
      const names = gameAndNames(entry).names.map(foldWords);
      return listed(entry.words).filter((words) => {
        return names.every((name) => foldWords(words).every((word) => name.includes(word)));
      });
    });
    assert.deepEqual(repeated, []);
  });

  it('agrees with the cards of each set, and no others', () => {
    const facts = samples.map(factsOf);
    for (const entry of entriesOfSets) {
      const { game, names } = gameAndNames(entry);
      const phrase = whole(listed(entry.words)[0] ?? '').find(({ means }) => means === entry.means);
      const agreeing = sets.filter((_, i) => facts[i] && phrase?.fits?.(facts[i]));
      const meant = sets.filter((set) => set.game === game && names.includes(set.name));
      assert.deepEqual(agreeing, meant, entry.means);
    }
  });
});

describe('a card', () => {
  const allFacts = cards.map(factsOf);

  /** One of the cards that agree with a phrase, another for each phrase. */
  function pick({ fits }: Phrase, seed: number): Card | undefined {
    const agreeing = cards.filter((_, i) => allFacts[i] && fits?.(allFacts[i]));
    return agreeing[(seed * 7919) % agreeing.length];
  }

  for (const kind of ['rarity', 'printing', 'treatment', 'set'] as const) {
    it(`is found by its name and what people write for its ${kind}`, () => {
      const entries = ENTRIES.filter(({ as }) => as === kind);
      const outcomes = entries.flatMap((entry, i) => {
        const phrase = whole(listed(entry.words)[0] ?? '').find(
          ({ means }) => means === entry.means,
        );
        const card = phrase && pick(phrase, i);
        if (!phrase || !card) return []; // no card of the data has this rarity or treatment
        const name = withoutBrackets(card.name);
        return listed(entry.words).map((words) => {
          const { cards: found } = index.search({
            q: `${name} ${words}`,
            sort: 'relevance',
            limit: 5,
            offset: 0,
          });
          const isMeant = (other: Card) =>
            withoutBrackets(other.name) === name && phrase.fits?.(factsOf(other)) === true;
          return { q: `${name} ${words}`, isHit: found.some(isMeant) };
        });
      });
      const missed = outcomes.filter(({ isHit }) => !isHit).map(({ q }) => q);
      assert.ok(missed.length <= 0.03 * outcomes.length, missed.join('\n'));
    });
  }
});

describe('the queries that people wrote', () => {
  const lines = readFileSync(`${DATA}/search/queries-2.tsv`, 'utf8').trim().split('\n').slice(1);
  const queries = lines.map((line) => {
    const [kind = '', q = '', game = '', name = '', number = '', set = ''] = line.split('\t');
    return { kind, q, game, name, number, set };
  });
  const byNumber = Map.groupBy(cards, ({ set, number }) => `${set.game} ${number ?? ''}`);

  it('have only words of names, sets, numbers and the tables', () => {
    const kinds = ['name+rarity', 'name+printing', 'name+year', 'name+noise', 'game+name', 'title'];
    const unread = queries
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap(({ q, game, name, number, set }) => {
        const meant = (byNumber.get(`${game} ${number}`) ?? []).filter((card) =>
          foldText(card.name).includes(foldText(name)),
        );
        const facts = meant.map(factsOf);
        const words = foldWords(q);
        const read = new Set(
          findPhrases(words)
            .filter(({ fits }) => !fits || facts.some(fits))
            .flatMap(({ from, to }) => words.slice(from, to)),
        );
        const others = foldWords(`${name} ${number} ${set}`);
        const isNumber = (word: string) => others.some((other) => Number(other) === Number(word));
        return words.filter((word) => !read.has(word) && !others.includes(word) && !isNumber(word));
      });
    assert.deepEqual(unread, []);
  });

  it('are looked up in less than a microsecond a word', async () => {
    const all = queries.map(({ q }) => foldWords(q));
    const lookUpAll = () => {
      for (const words of all) findPhrases(words);
    };
    const perWord = ((await paced(lookUpAll, { runs: 20 })) * 1000) / all.flat().length;
    assert.ok(perWord < 1, `${perWord} µs`);
  });
});
