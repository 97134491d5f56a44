import type { GameSlug } from '../domain/games.ts';
import { foldText, isJapanese } from '../domain/text.ts';
import type { AliasTable } from './aliases.ts';
import type { InvertedIndex } from './inverted-index.ts';
import type { Phrase } from './lexicon/index.ts';
import type { Sentence } from './sentence.ts';
import { fromRomaji, translate } from './translations/index.ts';
import type { SpeciesName } from './translations/species.ts';
import type { Translation, Translator } from './translator.ts';

/** A query in other words. */
export interface Rewriting {
  readonly q: string;
  /** The game that the words belong to; undefined for any game. */
  readonly game?: GameSlug;
  /**
   * Whether its cards come before the matches of the typed words, unless these words are a name.
   */
  readonly isBetter: boolean;
  /** Whether its cards come after all others, because the typed words are also names. */
  readonly isLast?: boolean;
  /** Whether an alias was replaced. It is only a guess, unless a card explains all of it. */
  readonly isAlias: boolean;
}

/** The most rewritings to try. */
const MAX_REWRITINGS = 4;

/** Whether a phrase asks for Japanese cards. */
function isJapaneseLanguage({ as, means }: Phrase): boolean {
  return as === 'language' && means === 'Japanese';
}

/** Returns rewritings of a query with its first alias replaced by the alias's meanings. */
export function rewriteAliases(
  query: Sentence,
  table: AliasTable,
  index: InvertedIndex,
): Rewriting[] {
  const { words } = query.text;
  for (let from = 0; from < words.length; from++) {
    const found = table.find(words, from);
    if (!found) continue;
    const isWhole = from === 0 && found.to === words.length;
    const isUnknown = words.slice(from, found.to).some((word) => !isInNames(word, index));
    return found.aliases.slice(0, MAX_REWRITINGS).map(({ game, means }) => {
      const isBetter = isWhole || isUnknown;
      const q = replaced(query, from, found.to, means);
      return { q, game, isBetter, isAlias: true };
    });
  }
  return [];
}

/**
 * Returns rewritings of a query with the name of a species in other languages. A name that is
 * printed on cards is translated only if the query asks for a Pokémon game or Japanese cards. Other
 * words may also be Japanese in Latin letters.
 */
export function translateSpecies(
  query: Sentence,
  index: InvertedIndex,
  game: GameSlug | undefined,
): Rewriting[] {
  const { words, phrases } = query.text;
  const isForeign = game?.startsWith('pokemon') || phrases.some(isJapaneseLanguage);
  for (let from = 0; from < words.length; from++) {
    const term = query.terms[query.sequence[from] ?? -1];
    const isPrinted = term !== undefined && index.terms.get(term.text) !== undefined;
    if (isPrinted && !isForeign) continue;
    const name = translate(words, from) ?? (isPrinted ? undefined : romaji(words, from, index));
    if (!name) continue;
    const isBetter = !isPrinted && !isMisspelt(words[from] ?? '', name, index);
    return printedNames(name, index).map((others) => ({
      q: replaced(query, from, name.to, others),
      isBetter,
      isAlias: false,
    }));
  }
  return [];
}

/**
 * Returns rewritings of a query with a name in another language replaced by the catalogue's. If its
 * words are in names of the catalogue, and the query finds something, it must be the whole query,
 * and its cards come last. An unfinished name must also be the whole query.
 */
export function translateNames(
  query: Sentence,
  index: InvertedIndex,
  translator: Translator,
  isFound: boolean,
): Rewriting[] {
  const { words } = query.text;
  const isForeign = (from: number, to: number) => {
    return !isFound || words.slice(from, to).some((word) => !isInNames(word, index));
  };
  const rewritten = (from: number, { to, names }: Translation, isLast = false) => {
    return names.map(({ name, game }) => {
      const q = replaced(query, from, to, name);
      return { q, game, isBetter: !isLast, isLast, isAlias: false };
    });
  };
  for (let from = 0; from < words.length; from++) {
    const found = translator.find(words, from);
    if (!found) continue;
    if (isForeign(from, found.to)) return rewritten(from, found);
    if (from === 0 && found.to === words.length) return rewritten(from, found, true);
  }
  const begun = isForeign(0, words.length) ? translator.complete(words) : undefined;
  return begun ? rewritten(0, begun) : [];
}

/** Returns the species that a word sounds like, unless the word misspells its English name. */
function romaji(
  words: readonly string[],
  from: number,
  index: InvertedIndex,
): (SpeciesName & { to: number }) | undefined {
  const word = words[from] ?? '';
  const name = fromRomaji(word);
  return !name || isMisspelt(word, name, index) ? undefined : { ...name, to: from + 1 };
}

/** Whether a word may misspell the English name of a species: `pikachuu`. */
function isMisspelt(word: string, { species }: SpeciesName, index: InvertedIndex): boolean {
  const english = foldText(species);
  return index.spelling.corrections(word).some(({ term }) => term.text === english);
}

/** Returns the names of a species that are printed on a card. */
function printedNames({ others }: SpeciesName, index: InvertedIndex): string[] {
  const printed = others.filter((words) => words.every((word) => isInNames(word, index)));
  return printed.slice(0, MAX_REWRITINGS).map((words) => words.join(' '));
}

/** Whether a word is a term of names, or part of a Japanese term. */
function isInNames(word: string, index: InvertedIndex): boolean {
  if (index.terms.get(word)) return true;
  return isJapanese(word) && index.suffixes.withPrefix(word).count > 0;
}

/** Returns the typed query with the words from `from` up to `to` replaced. */
function replaced({ terms, sequence }: Sentence, from: number, to: number, means: string): string {
  const typed = sequence.map((i) => terms[i]?.typed ?? '');
  return typed.toSpliced(from, to - from, means).join(' ');
}
