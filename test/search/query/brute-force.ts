/** Evaluates conditions card by card, without an index. */
import {
  type Card,
  type CardSet,
  defaultPrinting,
  isPriced,
  marketPrice,
} from '../../../src/domain/card.ts';
import { readSetName } from '../../../src/domain/card-name.ts';
import { type Day, parseDay } from '../../../src/domain/day.ts';
import { LocalPrices } from '../../../src/domain/local-prices.ts';
import { type ChangeWindow, percentBetween } from '../../../src/domain/price-changes.ts';
import { areStale } from '../../../src/domain/staleness.ts';
import * as text from '../../../src/domain/text.ts';
import { readNumber } from '../../../src/search/collector-numbers.ts';
import { type Facts, findPhrases, type PhraseKind } from '../../../src/search/lexicon/index.ts';
import { type QueryContext, readQuery } from '../../../src/search/query/query.ts';
import type { NumberTest, TextTest, Tree } from '../../../src/search/query/tree.ts';

/** Keeps results, because there are a hundred thousand cards for each query. */
function memoized<Result>(make: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const result = known.get(text) ?? make(text);
    known.set(text, result);
    return result;
  };
}

const foldText = memoized(text.foldText);
const foldWords = memoized(text.foldWords);
const bareName = memoized((name) => readSetName(name).name);
const { withoutZeros } = text;

/** A catalogue without names, in which every value is known. */
export const WITHOUT_NAMES: QueryContext = {
  local: new LocalPrices('USD', [], 0 as Day),
  isName: () => false,
  areInName: () => false,
  isInName: () => false,
  isInText: () => false,
  isQuoted: () => false,
  hasCard: () => false,
  doubt: () => undefined,
};

/** Reads the condition of a query in which every value is known. */
export function conditionOf(q: string): Tree {
  const { condition } = readQuery(q, WITHOUT_NAMES);
  if (!condition) throw new Error(`${q} has no condition`);
  return condition;
}

/** Whether a condition is true for a card. `sets` has all sets of the catalogue. */
export function isTrue(tree: Tree, card: Card, sets: readonly CardSet[], today: Day): boolean {
  const isPartTrue = (part: Tree) => isTrue(part, card, sets, today);
  if (tree.kind === 'words') return mentions(card, tree.words.split(' '));
  if (tree.kind === 'text') return hasText(tree, card, sets, today);
  if (tree.kind === 'number') return hasNumber(tree, card);
  if (tree.kind === 'not') return !isPartTrue(tree.of);
  return tree.kind === 'all' ? tree.of.every(isPartTrue) : tree.of.some(isPartTrue);
}

function isInName(card: Card, words: readonly string[]): boolean {
  const [word = ''] = words;
  const terms = foldWords(card.name);
  const isPart = words.length === 1 && text.isJapanese(word);
  return isPart ? terms.some((term) => term.includes(word)) : hasWords(terms, words.join(' '));
}

function mentions(card: Card, words: readonly string[]): boolean {
  const joined = words.join(' ');
  if (isInName(card, words)) return true;
  const marks = 'ex gx v vmax vstar vunion break prime lvx legend tag team mega'.split(' ');
  if (marks.includes(joined) || joined.length < 2) return false;
  return (
    hasWords(foldWords(bareName(card.set.name)), joined) ||
    foldText(card.set.code) === joined ||
    foldText(card.rarity ?? '') === words.join('') ||
    (/\d/.test(joined) && isNumbered(card, joined)) ||
    isCalled(card, words, ['rarity', 'printing', 'treatment', 'year', 'language', 'game', 'set'])
  );
}

function hasText(
  { field, operator, value }: TextTest,
  card: Card,
  sets: readonly CardSet[],
  today: Day,
): boolean {
  const words = foldWords(value);
  const folded = foldText(value);
  if (field === 'name') return isInName(card, words);
  if (field === 'set') return isOfSet(card.set, value, sets);
  if (field === 'code') return foldText(card.set.code) === folded;
  if (field === 'rarity') {
    return foldText(card.rarity ?? '') === folded || isCalled(card, words, ['rarity']);
  }
  if (field === 'number') return isNumbered(card, value);
  if (field === 'game') return card.set.game === value;
  if (field === 'printing') {
    const fits = (name: string) => isPrinting(name, words);
    return card.printings.some(({ name }) => fits(name) === (operator !== '!='));
  }
  if (field === 'is' && folded === 'priced') return isPriced(card);
  if (field === 'is' && folded === 'stale') {
    const printing = defaultPrinting(card);
    return printing !== undefined && areStale(printing.prices, today);
  }
  if (field === 'is') return isCalled(card, words, ['rarity', 'printing', 'treatment']);
  throw new Error(`${field} is not evaluated`);
}

/** The setIds that a value means, by the value. */
const meantSets = new Map<string, ReadonlySet<string>>();

function isOfSet(set: CardSet, value: string, sets: readonly CardSet[]): boolean {
  const meant = meantSets.get(value) ?? setsOf(value, sets);
  meantSets.set(value, meant);
  return meant.has(set.id);
}

/** Returns the setIds of the sets that a value means. */
function setsOf(value: string, sets: readonly CardSet[]): ReadonlySet<string> {
  const folded = foldText(value);
  const exact = sets.filter(({ id, code, name }) => {
    return (
      id === value.toLowerCase() || [code, name, bareName(name)].map(foldText).includes(folded)
    );
  });
  if (exact.length > 0) return new Set(exact.map(({ id }) => id));
  const begun = sets.filter(({ name: whole }) => {
    const { code, name } = readSetName(whole);
    const terms = [...foldWords(code), ...foldWords(name)];
    return foldWords(value).every((word) => terms.some((term) => term.startsWith(word)));
  });
  return new Set(begun.map(({ id }) => id));
}

function hasWords(all: readonly string[], words: string): boolean {
  return ` ${all.join(' ')} `.includes(` ${words} `);
}

function isNumbered({ number, set }: Card, typed: string): boolean {
  if (number === null) return false;
  const code = foldText(set.code);
  const hasCode = !number.includes('-') && foldText(number).startsWith(code);
  const { keys, total } = readNumber(number, hasCode ? code : '');
  const [before = '', after] = typed.split('/');
  const key = foldWords(before).map(withoutZeros).join('-');
  const isTotal = after === undefined || withoutZeros(after) === total;
  return isTotal && [...keys].includes(key);
}

function isCalled(card: Card, words: readonly string[], kinds: readonly PhraseKind[]): boolean {
  return phrasesOf(words, kinds).some(({ fits }) => fits?.(factsOf(card)) === true);
}

function isPrinting(name: string, words: readonly string[]): boolean {
  const phrases = phrasesOf(words, ['printing']);
  return (
    phrases.some(({ fitsPrinting }) => fitsPrinting?.(name) === true) ||
    hasWords(foldWords(name), words.join(' '))
  );
}

const wholePhrases = memoized((words) => {
  const all = words.split(' ');
  return findPhrases(all).filter(({ from, to }) => from === 0 && to === all.length);
});

function phrasesOf(words: readonly string[], kinds: readonly PhraseKind[]) {
  return wholePhrases(words.join(' ')).filter(({ as }) => kinds.includes(as));
}

function factsOf({ set, rarity, printings, name, number }: Card): Facts {
  return {
    game: set.game,
    rarity: rarity === null ? null : foldText(rarity),
    printings,
    nameTerms: foldWords(name),
    setTerms: foldWords(bareName(set.name)),
    setCode: foldText(set.code),
    releaseYear: set.releaseDate === null ? null : Number(set.releaseDate.slice(0, 4)),
    number: number ?? '',
  };
}

function hasNumber({ field, operator, value }: NumberTest, card: Card): boolean {
  const number = field.startsWith('change') ? changeOf(card, field) : READ[field]?.(card);
  if (number === null || number === undefined) return false;
  const order = Math.sign(number - value);
  return { '=': order === 0, '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[
    operator
  ];
}

const READ: Readonly<Record<string, (card: Card) => number | null | undefined>> = {
  price: (card) => marketPrice(card),
  year: ({ set: { releaseDate } }) => (releaseDate ? Number(releaseDate.slice(0, 4)) : null),
  date: ({ set: { releaseDate } }) => (releaseDate ? parseDay(releaseDate) : null),
  number({ number }) {
    const digits = /\d+(?=\D*$)/.exec(number?.split('/')[0] ?? '')?.[0];
    return digits === undefined ? null : Number(digits);
  },
  rarity({ rarity }) {
    const rank = ['common', 'uncommon', 'rare', 'mythic'].indexOf(foldText(rarity ?? ''));
    return rank === -1 ? null : rank;
  },
};

function changeOf(card: Card, field: string): number | null {
  const window = field.slice('change'.length) as ChangeWindow;
  const { bases, prices } = defaultPrinting(card) ?? {};
  const [base, market] = [bases?.[window], prices?.market];
  if (!base || !market || bases?.doubts[window]) return null;
  return percentBetween(base, market);
}
