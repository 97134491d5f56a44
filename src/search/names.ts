import { withoutBrackets } from '../domain/card-name.ts';
import { isOversized } from '../domain/oversized.ts';
import { foldWords } from '../domain/text.ts';
import type { Name, ShortName } from './fields.ts';

/** Makes a name; `intern` returns the one string that all names share for a term. */
export function makeName(text: string, nameId: number, intern: (term: string) => string): Name {
  const terms = foldWords(text).map(intern);
  const plain = withoutBrackets(text);
  const others = plain.includes(' // ') ? plain.split(' // ') : [];
  if (plain !== text) others.unshift(plain);
  return makeFoldedName({ text, nameId, terms, shortNames: others.map(makeShortName), docs: [] });
}

/** Makes a name of which all that takes long to compute is known. */
export function makeFoldedName({
  text,
  nameId,
  terms,
  shortNames,
  docs,
}: Pick<Name, 'text' | 'nameId' | 'terms' | 'shortNames' | 'docs'>): Name {
  const folded = terms.join('');
  return {
    // What a search reads of every candidate comes first, so that it shares a cache line.
    nameId,
    initials: initialBits(terms),
    nameInitials: initialBit(folded) | initialBits(shortNames.map((short) => short.folded)),
    docs,
    folded,
    shortNames: shortNames.length === 0 ? NO_SHORT_NAMES : shortNames,
    terms,
    text,
    plain: withoutBrackets(text),
    isOversized: isOversized(text),
    ordinal: 0,
  };
}

/** One array for all names without short names, which most are. */
const NO_SHORT_NAMES: readonly ShortName[] = [];

function makeShortName(text: string): ShortName {
  const terms = foldWords(text);
  return { folded: terms.join(''), termCount: terms.length };
}

/**
 * Returns the part of a name outside of its brackets; the whole name when brackets stand in front of
 * it or between its words.
 */
export function plainPart({ folded, terms, shortNames }: Name): ShortName {
  const [plain] = shortNames;
  const isInFront = plain !== undefined && folded.startsWith(plain.folded);
  return isInFront ? plain : { folded, termCount: terms.length };
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
