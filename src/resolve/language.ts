import { findLanguageMark, type LanguageCode, languageCalled } from '../domain/languages.ts';
import { foldWords } from '../domain/text.ts';
import { type Lookup, readText } from '../search/index.ts';
import type { ResolveItem } from './item.ts';

/** The places in which items name languages, apart from their field `language`. */

/** Takes an abbreviation of a language out of an item: `Charizard 4/102 (DE)`, `LOB-DE005`. */
export function withLanguageMark(item: ResolveItem): ResolveItem {
  for (const field of ['number', 'text', 'name'] as const) {
    const given = item[field] ?? '';
    const mark = findLanguageMark(given);
    if (!mark) continue;
    const { language, from, to, instead } = mark;
    return { language, ...item, [field]: given.slice(0, from) + instead + given.slice(to) };
  }
  return item;
}

/**
 * Takes a language out of the end of a field, where programs write it: `Near Mint Foil - German`,
 * `Holofoil (German)`, `Charizard (German)`. The name of a card in the catalogue stays unchanged.
 */
export function withLanguageOfFields(item: ResolveItem, lookup: Lookup): ResolveItem {
  for (const field of ['condition', 'printing', 'name'] as const) {
    const found = languageAtEnd(item[field] ?? '');
    if (!found || (field === 'name' && lookup.named(item.name ?? '').length > 0)) continue;
    return withField({ language: found.language, ...item }, field, found.rest);
  }
  return item;
}

/** An empty field has no meaning, so it is omitted. */
function withField(
  item: ResolveItem,
  field: 'condition' | 'printing' | 'name',
  text: string,
): ResolveItem {
  const { [field]: _, ...others } = item;
  return text === '' ? others : { ...others, [field]: text };
}

/** Finds the language that the last words of a text name, and the text in front of them. */
function languageAtEnd(text: string): { language: LanguageCode; rest: string } | undefined {
  const { words, phrases } = readText(text);
  const phrase = phrases.find(({ language, to }) => language && to === words.length);
  if (!phrase?.language) return undefined;
  // The text up to the words in front of the phrase.
  let end = text.length;
  while (end > 0 && foldWords(text.slice(0, end)).length > phrase.from) end--;
  return { language: phrase.language, rest: text.slice(0, end).replace(/[\s([-]+$/, '') };
}

/** Returns the language that an item names, even if no card was found for it. */
export function languageAsked({ language, text }: ResolveItem): LanguageCode | undefined {
  if (language !== undefined) return languageCalled(language);
  return readText(text ?? '').phrases.find((phrase) => phrase.language)?.language;
}
