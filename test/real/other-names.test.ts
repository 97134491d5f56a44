/** Tests aliases and species on all real cards, which are not part of the repository. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTree } from '../../bench/search/tree.ts';
import type { Card } from '../../src/domain/card.ts';
import { foldWords, withoutZeros } from '../../src/domain/text.ts';
import { ALIASES, type Alias } from '../../src/search/aliases.ts';
import { fromRomaji, translate } from '../../src/search/translations/index.ts';
import { SPECIES } from '../../src/search/translations/species.ts';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;

const cards = Map.groupBy(readTree(DATA), (card) => card.set.game);

describe('aliases', () => {
  const words = new Map([...cards].map(([game, some]) => [game, some.map(wordsOf)]));

  function isThere({ game, means }: Alias): boolean {
    const wanted = foldWords(means).map(withoutZeros);
    return (words.get(game) ?? []).some((card) => wanted.every((word) => card.has(word)));
  }

  it('mean words that a card of their game has in its name, number and set', () => {
    assert.deepEqual(
      ALIASES.filter((alias) => !isThere(alias)),
      [],
    );
  });

  it('are many', () => {
    assert.ok(ALIASES.length >= 150, `${ALIASES.length}`);
  });
});

describe('species', () => {
  const english = SPECIES.trim()
    .split('\n')
    .map((row) => row.split('\t')[0] ?? '');
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

  it('are not found by sound in words that name no species', () => {
    const all = [...cards.values()].flat();
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

function speciesAt(words: readonly string[], at: number): string[] {
  const found = translate(words, at);
  return found ? [found.species] : [];
}

function wordsOf({ name, number, set }: Card): Set<string> {
  return new Set(foldWords(`${name} ${number ?? ''} ${set.name}`).map(withoutZeros));
}
