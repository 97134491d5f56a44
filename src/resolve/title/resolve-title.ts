import type { Card } from '../../domain/card.ts';
import type { SearchIndex } from '../../search/index.ts';
import { findCandidates } from '../candidates.ts';
import { decide, undecided } from '../decide.ts';
import { judge } from '../judge.ts';
import { readQuantity } from '../lines/quantity.ts';
import { haveSameTotal, lookupForms, totalOf } from '../numbers.ts';
import type { KnownSets } from '../sets.ts';
import type { Resolution, ResolveItem } from '../types.ts';
import { Wanted } from '../wanted.ts';
import { type Explained, explain, factsOf } from './explain.ts';
import { whyNoSingle } from './no-single.ts';
import { type NumberSpan, readTitle, type Title, wordsIn } from './title.ts';
import { toItem } from './to-item.ts';

/** How many cards of a search are compared with the title. */
const MOST_FOUND = 10;

/** Resolves free text, such as a listing's title or what a machine read from a photo. */
export function resolveTitle(item: ResolveItem, search: SearchIndex, known: KnownSets): Resolution {
  const { rest } = readQuantity(item.text ?? '');
  const title = readTitle(rest);
  const best = findBest(title, item, search, known);
  if (!best) return undecided('unknown', [], ['No card of this description is known.']);
  const refusal = whyNoSingle(title, best);
  if (refusal !== undefined) return undecided('unknown', [near(best)], [refusal]);
  const wanted = new Wanted(toItem(title, withLongerName(title, best, search), item), known);
  const judged = findCandidates(wanted, search).map((card) => judge(wanted, card, false));
  const answer = decide(wanted, judged, best.leftover.length);
  if (answer.status !== 'matched') return answer;
  const doubt = doubtOf(title, best, answer.card);
  if (doubt === undefined) return answer;
  return undecided('ambiguous', [{ card: answer.card, reasons: [doubt] }], [doubt]);
}

function near({ card }: Explained) {
  return { card, reasons: ['Its name stands in the text.'] };
}

/** The card that explains most of a title: of those with its number, else of those found by it. */
function findBest(
  title: Title,
  item: ResolveItem,
  search: SearchIndex,
  known: KnownSets,
): Explained | undefined {
  const byNumber = bestOf(title, item, cardsByNumber(title, search, known));
  if (byNumber && byNumber.leftover.length === 0) return byNumber;
  const { cards } = search.search({
    q: queryOf(title),
    ...(item.game === undefined ? {} : { game: item.game }),
    sort: 'relevance',
    limit: MOST_FOUND,
    offset: 0,
  });
  const found = bestOf(title, item, cards);
  return byNumber && (!found || byNumber.score >= found.score) ? byNumber : found;
}

function bestOf(title: Title, item: ResolveItem, cards: Iterable<Card>): Explained | undefined {
  let best: Explained | undefined;
  for (const card of cards) {
    if (item.game !== undefined && card.set.game !== item.game) continue;
    const explained = explain(title, card);
    if (!explained || isOfOtherGame(explained)) continue;
    if (!best || explained.score > best.score) best = explained;
  }
  return best;
}

/** Whether the title names a game that the card is not of. */
function isOfOtherGame({ phrases, card }: Explained): boolean {
  return phrases.some(({ isFilter, fits }) => isFilter && fits && !fits(factsOf(card)));
}

/** The longest query that the search takes. */
const LONGEST_QUERY = 200;

/** The title without what machines read for letters: `b0lt` is `bolt`. */
function queryOf({ words }: Title): string {
  const letters = words.map((word) => (/^[a-z]+\d+[a-z]+$/.test(word) ? lettersFor(word) : word));
  return letters.join(' ').slice(0, LONGEST_QUERY);
}

function lettersFor(word: string): string {
  return word.replace(
    /[01358]/g,
    (digit) => ({ 0: 'o', 1: 'l', 3: 'e', 5: 's', 8: 'b' })[digit] ?? '',
  );
}

/**
 * The cards that bear a number of the title, and of which the name is in it. Digits alone are borne by
 * too many cards to be looked up without a set that the title names.
 */
function cardsByNumber(
  { numbers, words }: Title,
  { lookup }: SearchIndex,
  known: KnownSets,
): Set<Card> {
  const cards = new Set<Card>();
  const isPlain = numbers.some(({ text }) => /^\d+$/.test(text));
  const sets = isPlain ? known.within(words) : [];
  for (const { text } of numbers) {
    if (/^\d+$/.test(text)) {
      for (const card of lookup.numberedIn(text, sets)) cards.add(card);
      continue;
    }
    for (const form of lookupForms(text)) {
      for (const card of lookup.numberedWithin(form, totalOf(text), words)) cards.add(card);
    }
  }
  return cards;
}

/** Reads a longer name where the words beside the name make one: `Dark` before `Charizard`. */
function withLongerName(title: Title, best: Explained, { lookup }: SearchIndex): Explained {
  const { name, leftover } = best;
  const { from, to } = name;
  const longer = [
    { from: from - 1, to },
    { from, to: to + 1 },
  ].filter((span) => leftover.includes(span.from) || leftover.includes(span.to - 1));
  const found = longer.find((span) => lookup.named(wordsIn(title, span)).length > 0);
  return found ? { ...best, name: { ...found, isSimilar: false } } : best;
}

/** Words that nothing explains are borne where number and set, or number and total, are the card's. */
function doubtOf(title: Title, best: Explained, card: Card): string | undefined {
  const { leftover, number, set } = best;
  if (leftover.length === 0) return undefined;
  const isSure = number !== undefined && (set !== undefined || isUnique(number, card));
  if (isSure && leftover.length <= Math.max(4, title.words.length / 2)) return undefined;
  const words = leftover.map((at) => title.words[at]).join(', ');
  return `Nothing explains ${words}: give the set and the number.`;
}

/** A number with its total, or with a code of its set: `4/102`, `OP01-025`. */
function isUnique({ text }: NumberSpan, { number }: Card): boolean {
  return haveSameTotal(text, number) || /^[A-Za-z]+\d*-?[A-Za-z]*\d+$/.test(text);
}
