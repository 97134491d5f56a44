import { type Card, marketPrice } from '../../domain/card.ts';
import { withoutBrackets } from '../../domain/card-name.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import { misreadDigits, misreadLetters, type SearchIndex } from '../../search/index.ts';
import { findCandidates } from '../candidates.ts';
import { decide, undecided } from '../decide.ts';
import type { Resolution, ResolveItem } from '../item.ts';
import { type Judged, judge } from '../judge.ts';
import { readQuantity } from '../lines.ts';
import { haveSameTotal, lookupForms, totalOf } from '../numbers.ts';
import type { KnownSets } from '../sets.ts';
import { Wanted } from '../wanted.ts';
import { type Explained, explain, isNameMark } from './explain.ts';
import { type NumberSpan, overlap, readTitle, type Span, type Title, wordsIn } from './title.ts';
import { toItem, whyNever, whyNoSingle } from './to-item.ts';

/** How many search results are compared with the title. */
const MOST_FOUND = 10;

/** Resolves free text, such as a listing's title or text that a machine read from a photo. */
export function resolveTitle(item: ResolveItem, search: SearchIndex, known: KnownSets): Resolution {
  const { rest } = readQuantity(item.text ?? '');
  const title = readTitle(rest, known);
  const never = whyNever(title);
  if (never !== undefined) return undecided('unknown', [], [never]);
  const best = findBest(title, item, search);
  if (!best) return withoutName(title, item, search);
  const refusal = whyNoSingle(title, best);
  if (refusal !== undefined) return undecided('unknown', [near(best)], [refusal]);
  const wanted = new Wanted(toItem(title, withLongerName(title, best, search), item), known);
  const { cards, knownIn } = findCandidates(wanted, search);
  const judged = [...new Set([...cards, ...alike(title, best, search)])].map((card) =>
    judge(wanted, card, knownIn),
  );
  const answer = decide(wanted, judged, best.leftover.length);
  if (answer.status !== 'matched') return answer;
  const dearer = dearerOf(wanted, answer.card, judged);
  if (dearer) return undecided('ambiguous', [near(best), describeDearer(dearer)], [WHICH]);
  const doubt = doubtOf(title, best);
  if (doubt === undefined) return answer;
  return undecided('ambiguous', [{ card: answer.card, reasons: [doubt] }], [doubt]);
}

/** A number of more cards than this means nothing without a name: `1`. */
const MOST_OF_NUMBER = 20;

/** Answers a text that names no card. The cards with its number are candidates. */
function withoutName(title: Title, { game }: ResolveItem, search: SearchIndex): Resolution {
  const cards = [...new Set(numbered(title, search))].filter(({ set }) => {
    return game === undefined || set.game === game;
  });
  if (cards.length === 0 || cards.length > MOST_OF_NUMBER) {
    return undecided('unknown', [], ['No card fits this description.']);
  }
  const candidates = cards.map((card) => ({ card, reasons: [`Its number is ${card.number}.`] }));
  const isNumber = title.numbers.some(({ from, to }) => to - from === title.words.length);
  const reason = 'The text has no full name that confirms the card of its number.';
  return undecided(isNumber ? 'ambiguous' : 'unknown', candidates, [reason]);
}

/** A listing is as likely to mean a variant that costs this many times the plain card. */
const MUCH_DEARER = 5;

const WHICH = 'A variant of it costs many times more: say which one it is, or give the number.';

/** Returns a dearer variant of a card if neither a number nor a variant decided. */
function dearerOf(wanted: Wanted, card: Card, judged: readonly Judged[]): Card | undefined {
  const price = marketPrice(card);
  if (wanted.number !== undefined || price === null) return undefined;
  return judged.find(({ card: other, contradictions }) => {
    const isVariant = other.set.rowId === card.set.rowId && other.name !== card.name;
    const isPossible = isVariant && contradictions.length === 0;
    return isPossible && (marketPrice(other) ?? 0) >= MUCH_DEARER * price;
  })?.card;
}

function describeDearer(card: Card) {
  return { card, reasons: [`It is ${card.name}, and costs more.`] };
}

/** Returns the cards of a name in another spelling: `Hero Flash!!` and `H.E.R.O. Flash!`. */
function alike(title: Title, { card, name }: Explained, { lookup }: SearchIndex): Card[] {
  const typed = wordsIn(title, name);
  const isSpeltAlike = foldWords(card.name).join(' ').startsWith(typed);
  return isSpeltAlike || name.isSimilar ? [] : lookup.named(typed);
}

function near({ card }: Explained) {
  return { card, reasons: ['Its name is in the text.'] };
}

/** Returns the card that explains most of a title, by its number or by a search. */
function findBest(title: Title, item: ResolveItem, search: SearchIndex): Explained | undefined {
  const byNumber = findByNumber(title, item, search);
  if (byNumber && (byNumber.leftover.length === 0 || isPlaced(byNumber))) return byNumber;
  const ofGame = item.game === undefined ? {} : { game: item.game };
  const cards = search.best({ q: queryOf(title), ...ofGame, limit: MOST_FOUND });
  const found = bestOf(title, item, cards, true);
  return byNumber && (!found || byNumber.score >= found.score) ? byNumber : found;
}

/** Returns the best card with the number. Tries similar names if words by the name are left. */
function findByNumber(title: Title, item: ResolveItem, search: SearchIndex): Explained | undefined {
  const placed = inSets(title, search);
  const exact = bestOf(title, item, new Set([...placed, ...named(title, search)]), false);
  if (exact && !isBesideLeftover(exact)) return exact;
  const similar = bestOf(title, item, new Set([...placed, ...numbered(title, search)]), true);
  return exact && (!similar || exact.score >= similar.score) ? exact : similar;
}

function isBesideLeftover({ name, leftover }: Explained): boolean {
  return leftover.includes(name.from - 1) || leftover.includes(name.to);
}

function bestOf(
  title: Title,
  item: ResolveItem,
  cards: Iterable<Card>,
  maySimilar: boolean,
): Explained | undefined {
  let best: Explained | undefined;
  for (const card of cards) {
    if (item.game !== undefined && card.set.game !== item.game) continue;
    const explained = explain(title, card, maySimilar);
    if (!explained || isOfOtherGame(explained)) continue;
    if (!best || explained.score > best.score) best = explained;
  }
  return best;
}

/** Whether the title names another game than the card's. */
function isOfOtherGame({ phrases, facts }: Explained): boolean {
  return phrases.some(({ isFilter, fits }) => isFilter && fits && !fits(facts));
}

/** The longest query that the search accepts. */
const LONGEST_QUERY = 200;

/** Returns the title with misread digits replaced by letters: `b0lt` is `bolt`. */
function queryOf({ words }: Title): string {
  const letters = words.map((word) =>
    /^[a-z]+\d+[a-z]+$/.test(word) ? misreadLetters(word) : word,
  );
  return letters.join(' ').slice(0, LONGEST_QUERY);
}

/** Numbers of more cards than this do not lead to cards with similar names. */
const MOST_NUMBERED = 40;

/** Returns the cards with a number of the title in a set that it names. */
function inSets({ numbers, sets }: Title, { lookup }: SearchIndex): Card[] {
  return numbers.flatMap(({ text }) => lookup.numberedIn(misreadDigits(text), sets));
}

/**
 * Returns the cards of any set whose number and name are in the title. Does not look up digits
 * alone, because too many cards have them.
 */
function named(title: Title, { lookup }: SearchIndex): Card[] {
  return formsOf(title).flatMap(([form, total]) => {
    return lookup.numberedWithin(form, total, title.words);
  });
}

/** Returns the cards with a number of the title, if they are few. */
function numbered(title: Title, { lookup }: SearchIndex): Card[] {
  return formsOf(title).flatMap(([form, total]) => {
    const cards = lookup.numbered(form, total);
    return cards.length > MOST_NUMBERED ? [] : cards;
  });
}

/** Returns the lookup forms of numbers with a code or a total, both as typed and corrected. */
function formsOf({ numbers }: Title): (readonly [form: string, total: string])[] {
  return numbers.flatMap(({ text }) => {
    if (/^\d+$/.test(text)) return [];
    const read = misreadDigits(text);
    const forms = new Set([...lookupForms(text), ...lookupForms(read)]);
    return [...forms].map((form) => [form, totalOf(read)] as const);
  });
}

/** How many words before and after a name may be parts of a longer name. */
const MOST_IN_FRONT = 3;
const MOST_BEHIND = 7;

/**
 * Reads a longer name if the words next to the name make it another card of the game: `Dark` before
 * `Charizard`; `V`, `Spirit of Winter` or `#2` after a name.
 */
function withLongerName(title: Title, best: Explained, { lookup }: SearchIndex): Explained {
  const { game } = best.card.set;
  const found = longerSpans(title, best).find((span) => {
    const text = wordsIn(title, span);
    const folded = foldText(text);
    return lookup.named(text).some(({ name, set }) => {
      return set.game === game && foldText(withoutBrackets(name)) === folded;
    });
  });
  if (!found) return best;
  const phrases = best.phrases.filter((phrase) => !overlap(phrase, found));
  const number = best.number && overlap(best.number, found) ? undefined : best.number;
  return { ...best, name: { ...found, isSimilar: false }, phrases, number };
}

/** Returns the spans of possible longer names, longest first, without words of the set. */
function longerSpans({ words, numbers }: Title, { name, set, number }: Explained): Span[] {
  const isFree = (at: number) => {
    const span = { from: at, to: at + 1 };
    const isNumbered = numbers.some((one) => one !== number && overlap(one, span));
    const isDigits = number !== undefined && /^\d+$/.test(number.text);
    if (isNumbered || (number && !isDigits && overlap(number, span))) return false;
    return at >= 0 && at < words.length && !(set && overlap(set, span));
  };
  let [front, behind] = [0, 0];
  while (front < MOST_IN_FRONT && isFree(name.from - front - 1)) front++;
  while (behind < MOST_BEHIND && isFree(name.to + behind)) behind++;
  const spans: Span[] = [];
  for (let before = 0; before <= front; before++) {
    for (let after = 0; after <= behind; after++) {
      if (before + after > 0) spans.push({ from: name.from - before, to: name.to + after });
    }
  }
  return spans.toSorted((one, other) => other.to - other.from - (one.to - one.from));
}

/** The largest share of words that may be unexplained. */
const MOST_LEFT_OVER = 0.8;

/** Returns why a match is doubtful. A number with a set or total allows unexplained words. */
function doubtOf(title: Title, best: Explained): string | undefined {
  const { leftover, isNameInSet, number } = best;
  if (isNameInSet && (leftover.length > 0 || !number)) {
    return `${best.card.name} is part of its set's name: give the name of the card.`;
  }
  if (leftover.length === 0) return undefined;
  const mark = title.words[best.name.to] ?? '';
  if (leftover.includes(best.name.to) && isNameMark(mark)) {
    return `${best.card.name} is not the same card as ${wordsIn(title, best.name)} ${mark}.`;
  }
  if (isPlaced(best) && leftover.length <= title.words.length * MOST_LEFT_OVER) return undefined;
  const words = leftover.map((at) => title.words[at]).join(', ');
  return `Nothing explains ${words}: give the set and the number.`;
}

/** Whether a title has a card's number and its set: by set name, code or total. */
function isPlaced({ number, set, card }: Explained): boolean {
  return number !== undefined && (set !== undefined || isUnique(number, card));
}

/** A number with its total, or with letters: `4/102`, `OP01-025`, `SWSH039`. */
function isUnique({ text }: NumberSpan, { number }: Card): boolean {
  const read = misreadDigits(text);
  return haveSameTotal(read, number) || /[A-Za-z]/.test(read);
}
