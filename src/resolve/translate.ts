import { languageName } from '../domain/languages.ts';
import { foldWords } from '../domain/text.ts';
import { type SearchIndex, type Translation, translateForeign } from '../search/index.ts';
import type { ResolveItem } from './item.ts';

type Names = Pick<SearchIndex, 'translator' | 'lookup'>;

/** An item with its name in the language of the catalogue, and the reason. */
export interface TranslatedItem {
  readonly item: ResolveItem;
  readonly reason: string;
}

/**
 * Returns the possible items for an item whose name is in another language, in its `name` or
 * anywhere in its text. Only copies in that language have this name, so the item means such a copy
 * unless it names a language itself.
 */
export function translateItem(item: ResolveItem, search: Names): TranslatedItem[] {
  const field = item.name === undefined ? 'text' : 'name';
  const found = translateText(item[field] ?? '', search);
  if (!found) return [];
  const { text, names, languages } = found;
  const [language = 'en'] = languages;
  const called = languages.map(languageName).join(' and ');
  return names.map(({ name, game }) => ({
    item: { language, game, ...item, [field]: found.replacedBy(name) },
    reason: `${text} is its ${called} name.`,
  }));
}

/** Finds the first name in another language in a text that is not also a name in the catalogue. */
function translateText(text: string, { translator, lookup }: Names) {
  const pieces = piecesOf(text);
  const words = pieces.flatMap((piece) => piece.words);
  let at = 0;
  for (const { from, words: own } of pieces) {
    const found =
      own.length > 0 ? (translator.find(words, at) ?? findSpecies(words, at)) : undefined;
    const last = found && pieces.find(({ end }) => end === found.to);
    if (found && last && lookup.named(text.slice(from, last.to)).length === 0) {
      const replacedBy = (name: string) => text.slice(0, from) + name + text.slice(last.to);
      return { ...found, text: text.slice(from, last.to), replacedBy };
    }
    at += own.length;
  }
  return undefined;
}

/** Finds a Pokémon in another language. Its cards are translations of the English ones. */
function findSpecies(words: readonly string[], from: number): Translation | undefined {
  const found = translateForeign(words, from);
  if (!found) return undefined;
  const { to, name, languages } = found;
  return { to, languages, names: [{ name, game: 'pokemon' }] };
}

/** A piece of a text between spaces, with its folded words. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly words: readonly string[];
  /** The number of words up to its end. */
  readonly end: number;
}

function piecesOf(text: string): Piece[] {
  let end = 0;
  return Array.from(text.matchAll(/\S+/g), ({ 0: piece, index: from }) => {
    const words = foldWords(piece);
    end += words.length;
    return { from, to: from + piece.length, words, end };
  });
}
