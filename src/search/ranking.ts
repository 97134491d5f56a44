import { type IndexedNumber, type IndexedSet, initialBit, type Name } from './fields.ts';
import type { JoinedWords, QueryTerm, Sentence } from './sentence.ts';

/** How one term of a query matches a name. */
export interface TermMatch {
  /** The term as typed, or as the name spells it if it was misspelt. */
  readonly text: string;
  /** Whether it is one or more whole terms of the name. */
  readonly isWhole: boolean;
  readonly edits: number;
}

/** How one term of a query matches the number or the code of a card. */
export type PrintMatch = 'number' | 'number of another total' | 'code';

/** How each term of a query matches; undefined for terms that do not match. */
type Matches<T> = readonly (T | undefined)[];

/** How much of a name the query is, best first: the rows of the table in docs/search.md. */
const MATCH_KINDS = {
  exactName: 0,
  exactNumber: 1,
  exactWithoutVariant: 2,
  exactBesideCode: 3,
  allButLastLetter: 4,
  unfinishedName: 5,
  beginningOfName: 6,
  allTermsOfName: 7,
  wholeTerms: 8,
  partsOfTerms: 9,
} as const;
const MATCH_KIND_COUNT = 10;

/** A shorter query that lacks one letter of a name also begins many other names. */
const LENGTH_FOR_LAST_LETTER = 5;

const NO_MATCHES: Matches<never> = [];

/** Totals above this many edits rank the same. */
const MAX_EDITS = 9;

/**
 * Returns the rank of a match, 0 for the best. Every term must match the name, the number or a
 * code. Fewer edits rank first, then the better kind of match, then the typed total (`102` of
 * `4/102`).
 */
export function rankOf(
  query: Sentence,
  name: Name,
  byName: Matches<TermMatch>,
  byPrint: Matches<PrintMatch> = NO_MATCHES,
): number {
  let kind = kindOf(query, name, byName, byPrint);
  if (byPrint.length > 0) {
    // `mew 151` may mean a card called Mew, or the 151st card of the set MEW.
    const notPrinted = byName.map((match, i) => (byPrint[i] ? undefined : match));
    kind = Math.min(kind, kindOf(query, name, notPrinted, byPrint));
  }
  let edits = 0;
  for (const match of byName) edits += match?.edits ?? 0;
  const isOtherTotal = byPrint.includes('number of another total') ? 1 : 0;
  return (Math.min(edits, MAX_EDITS) * MATCH_KIND_COUNT + kind) * 2 + isOtherTotal;
}

/** Returns the kind of match of a rank; the count of kinds if a word was corrected. */
function kindOfRank(rank: number): number {
  return rank < 2 * MATCH_KIND_COUNT ? rank >> 1 : MATCH_KIND_COUNT;
}

/** Whether a query is the name, with or without its variant, or a number, as typed. */
export function isExactMatch(rank: number): boolean {
  return kindOfRank(rank) <= MATCH_KINDS.exactWithoutVariant;
}

/** Whether a query consists of whole words of the name, the last perhaps unfinished, as typed. */
export function isWholeMatch(rank: number): boolean {
  return kindOfRank(rank) <= MATCH_KINDS.wholeTerms;
}

/** Whether a query consists of nothing but whole words of the name, as typed. */
export function hasWholeWords(rank: number): boolean {
  const kind = kindOfRank(rank);
  const isUnfinished = kind === MATCH_KINDS.allButLastLetter || kind === MATCH_KINDS.unfinishedName;
  return isWholeMatch(rank) && !isUnfinished;
}

/** Returns how a term matches the number or a code of a card. */
export function matchPrint(
  { numbers, total, codeDocs, text }: QueryTerm,
  number: IndexedNumber,
  set: IndexedSet,
): PrintMatch | undefined {
  if (numbers.has(number)) {
    return total === '' || total === number.total ? 'number' : 'number of another total';
  }
  const isCode = codeDocs.length > 0 && (set.code === text || number.code === text);
  return isCode ? 'code' : undefined;
}

/** Returns the kind of match if `matches` are in the name and all other terms are printed. */
function kindOf(
  query: Sentence,
  name: Name,
  matches: Matches<TermMatch>,
  byPrint: Matches<PrintMatch>,
): number {
  if (byPrint.length === 0) return kindByName(query, name, matches);
  const isNumbered = byPrint.some((match) => match !== undefined && match !== 'code');
  if (!matches.some((match) => match)) {
    return isNumbered ? MATCH_KINDS.exactNumber : MATCH_KINDS.wholeTerms;
  }
  const kind = kindByName(query, name, matches);
  const isBesideCode = byPrint.some((match, i) => match === 'code' && !matches[i]);
  // A number means this card. A code alone may be part of a name (`mewtwo ex`).
  return isBesideCode && !isNumbered ? Math.max(kind, MATCH_KINDS.exactBesideCode) : kind;
}

/** Returns the kind of match of the name. Loops over indexes: it runs for every candidate. */
function kindByName(query: Sentence, name: Name, matches: Matches<TermMatch>): number {
  let isAsTyped = true;
  let isWhole = true;
  for (let i = 0; i < matches.length; i++) {
    const match = matches[i];
    if (match?.text !== query.terms[i]?.text) isAsTyped = false;
    if (match?.isWhole === false) isWhole = false;
  }
  const phrase = isAsTyped ? query.phrase : phraseOf(query, matches);
  const kind = kindOfPhrase(name, phrase);
  if (kind !== undefined) return kind;
  if (!isWhole) return MATCH_KINDS.partsOfTerms;
  if (isGivenName(name, phrase)) return MATCH_KINDS.beginningOfName;
  const isAll = name.terms.length === phrase.termCount;
  return isAll ? MATCH_KINDS.allTermsOfName : MATCH_KINDS.wholeTerms;
}

/** Words joined by dots: the last one is the given name. */
const DOTTED = /^\p{L}+(?:\.\p{L}+)+$/u;

/** Whether a phrase is the short name of the character: Luffy for `Monkey.D.Luffy`. */
function isGivenName({ plain }: Name, { text }: JoinedWords): boolean {
  return DOTTED.test(plain) && plain.toLowerCase().endsWith(text);
}

function phraseOf({ sequence }: Sentence, matches: Matches<TermMatch>): JoinedWords {
  const matched = sequence.flatMap((i) => matches[i]?.text ?? []);
  return { text: matched.join(''), termCount: matched.length };
}

/** Returns the kind of match if the phrase is the name or begins it, otherwise undefined. */
function kindOfPhrase(name: Name, { text, termCount }: JoinedWords): number | undefined {
  if ((name.nameInitials & initialBit(text)) === 0) return undefined;
  const { folded, terms, shortNames } = name;
  if (folded === text) return MATCH_KINDS.exactName;
  let isBeginning = folded.startsWith(text);
  let isUnfinished = isBeginning && terms.length === termCount;
  for (const short of shortNames) {
    if (short.folded === text) return MATCH_KINDS.exactWithoutVariant;
    if (!short.folded.startsWith(text)) continue;
    isBeginning = true;
    isUnfinished ||= short.termCount === termCount;
  }
  if (!isBeginning) return undefined;
  const isNearlyAll = isUnfinished && folded.length === text.length + 1;
  if (isNearlyAll && text.length >= LENGTH_FOR_LAST_LETTER) return MATCH_KINDS.allButLastLetter;
  return isUnfinished ? MATCH_KINDS.unfinishedName : MATCH_KINDS.beginningOfName;
}
