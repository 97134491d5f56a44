/** Tests aliases and species on all real cards, which are not part of the repository. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTree } from '../../bench/search/tree.ts';
import type { Card } from '../../src/domain/card.ts';
import type { GameSlug } from '../../src/domain/games.ts';
import { foldWords, withoutZeros } from '../../src/domain/text.ts';
import { ALIASES, type Alias } from '../../src/search/aliases.ts';
import { SearchIndex } from '../../src/search/index.ts';
import { fromRomaji, translate } from '../../src/search/translations/index.ts';
import { readSpecies } from '../../src/search/translations/species.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;

const all = readTree(DATA);
const cards = Map.groupBy(all, (card) => card.set.game);

const index = new SearchIndex();
for (const card of all) index.add(card);
index.commit();

function found(q: string, game: GameSlug): readonly Card[] {
  return index.search({ q, game, sort: 'relevance', limit: 5, offset: 0 }).cards;
}

describe('aliases', () => {
  it('are many', () => {
    assert.ok(ALIASES.length >= 150, `${ALIASES.length}`);
  });

  it('find what they mean in the first five results of their game', () => {
    const missing = ALIASES.filter((alias) => !findsMeaning(alias.alias, alias));
    // Of an alias with two meanings, the dearer cards come first.
    assert.deepEqual(missing.filter(isOnlyMeaning), []);
  });

  it('mean queries that find a card with all their words there', () => {
    assert.deepEqual(
      ALIASES.filter((alias) => !findsMeaning(alias.means, alias)),
      [],
    );
  });

  function findsMeaning(q: string, { game, means }: Alias): boolean {
    const wanted = foldWords(means).map(withoutZeros);
    const cards = found(q, game).map(wordsOf);
    return cards.some((words) => wanted.every((word) => words.has(word)));
  }

  function isOnlyMeaning({ game, alias }: Alias): boolean {
    return ALIASES.filter((other) => other.game === game && other.alias === alias).length === 1;
  }
});

describe('species', () => {
  const rows = readSpecies();
  const english = rows.map(({ shown }) => shown);
  const inEnglish = speciesIn('pokemon');
  const inJapanese = speciesIn('pokemonjp');

  it('are all found on English cards', () => {
    const missing = english.filter((name) => !inEnglish.has(name));
    assert.deepEqual(missing, []);
  });

  it('are found on Japanese cards, but those that the catalogue does not have', () => {
    const missing = english.filter((name) => !inJapanese.has(name));
    assert.ok(missing.length <= 12, missing.join(', '));
  });

  it('are found by their names in other languages', () => {
    const kinds = [
      ['english', 'pokemonjp', 0.98],
      ['japanese', 'pokemon', 0.99],
      ['romanised', 'pokemonjp', 0.98],
      ['foreign', 'pokemon', 0.98],
    ] as const;
    for (const [column, game, share] of kinds) {
      const queries = rows.flatMap((row) => {
        const [q] = row[column].split('|');
        return q ? [{ q, species: row.shown }] : [];
      });
      const hits = queries.filter(({ q, species }) => isOf(found(q, game)[0], species));
      assert.ok(hits.length >= queries.length * share, `${column}: ${hits.length}`);
    }
  });

  it('are not found by sound in words that name no species', () => {
    const words = new Set(all.flatMap(({ name, set }) => foldWords(`${name} ${set.name}`)));
    const taken = [...words].filter((word) => {
      return fromRomaji(word) !== undefined && translate([word], 0) === undefined;
    });
    // Names of old Japanese cards, misspelt in the catalogue.
    assert.deepEqual(taken.sort(), ['nidooking', 'nidoranf', 'nidoranm']);
  });

  function speciesIn(game: 'pokemon' | 'pokemonjp'): Set<string> {
    const names = (cards.get(game) ?? []).map(({ name }) => foldWords(name));
    return new Set(names.flatMap((words) => words.flatMap((_, at) => speciesAt(words, at))));
  }
});

function isOf(card: Card | undefined, species: string): boolean {
  const words = foldWords(card?.name ?? '');
  return words.some((_, at) => speciesAt(words, at).includes(species));
}

function speciesAt(words: readonly string[], at: number): string[] {
  const found = translate(words, at);
  return found ? [found.species] : [];
}

function wordsOf({ name, number, set }: Card): Set<string> {
  return new Set(foldWords(`${name} ${number ?? ''} ${set.name}`).map(withoutZeros));
}
