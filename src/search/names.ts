import { withoutBrackets } from '../domain/card-name.ts';
import { isOversized } from '../domain/oversized.ts';
import { foldWords } from '../domain/text.ts';
import type { Alias, Name } from './fields.ts';

/** Makes a name; `intern` returns the one string that all names share for a term. */
export function makeName(text: string, nameId: number, intern: (term: string) => string): Name {
  const terms = foldWords(text).map(intern);
  const plain = withoutBrackets(text);
  const others = plain.includes(' // ') ? plain.split(' // ') : [];
  if (plain !== text) others.unshift(plain);
  const aliases = others.length === 0 ? NO_ALIASES : others.map(makeAlias);
  const folded = terms.join('');
  return {
    // What a search reads of every candidate comes first, so that it shares a cache line.
    nameId,
    initials: initialBits(terms),
    nameInitials: initialBit(folded) | initialBits(aliases.map((alias) => alias.folded)),
    docs: [],
    folded,
    aliases,
    terms,
    text,
    plain,
    isOversized: isOversized(text),
    ordinal: 0,
  };
}

/** One array for all names without aliases, which most are. */
const NO_ALIASES: readonly Alias[] = [];

function makeAlias(text: string): Alias {
  const terms = foldWords(text);
  return { folded: terms.join(''), termCount: terms.length };
}

/** Whether searches see a card with this name. */
export function hasLiveDocs({ docs }: Name): boolean {
  return docs.length > 0;
}

/**
 * The bit of a text's first letter in a 32-bit set. Some letters share a bit, so a set only proves
 * that a text is not there; it does so without reading the texts, which lie elsewhere in memory.
 */
export function initialBit(text: string): number {
  return 1 << (text.charCodeAt(0) & 31);
}

function initialBits(texts: readonly string[]): number {
  let bits = 0;
  for (const text of texts) bits |= initialBit(text);
  return bits;
}
