import { type Card, marketPrice } from '../../domain/card.ts';
import { withoutBrackets } from '../../domain/card-name.ts';
import { foldText, foldWords } from '../../domain/text.ts';
import { overlap, type SearchIndex, type Span } from '../../search/index.ts';
import { findCandidates } from '../candidates.ts';
import { copyOfText } from '../copy.ts';
import { decide, undecided } from '../decide.ts';
import type { Resolution, ResolveItem } from '../item.ts';
import { type Judged, judge } from '../judge.ts';
import { readQuantity } from '../lines.ts';
import type { KnownSets } from '../sets.ts';
import { Wanted } from '../wanted.ts';
import { type Explained, isNameMark } from './explain.ts';
import { readTitle, type Title } from './title.ts';
import { isPlaced, TitleCards } from './title-cards.ts';
import { toItem, whyNever, whyNoSingle } from './to-item.ts';

/** Resolves free text, such as a listing's title or text that a machine read from a photo. */
export function resolveTitle(item: ResolveItem, search: SearchIndex, known: KnownSets): Resolution {
  const { rest } = readQuantity(item.text ?? '');
  const title = readTitle(rest, known);
  const never = whyNever(title);
  if (never !== undefined) return undecided('unknown', [], [never]);
  const possible = new TitleCards(title, item.game, search);
  const best = possible.best();
  if (!best) return withoutName(title, item, possible);
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
  const { copy } = wanted;
  if (dearer) {
    return { ...undecided('ambiguous', [near(best), describeDearer(dearer)], [WHICH]), copy };
  }
  const doubt = doubtOf(title, best);
  if (doubt === undefined) return answer;
  return { ...undecided('ambiguous', [{ card: answer.card, reasons: [doubt] }], [doubt]), copy };
}

/** A number of more cards than this means nothing without a name: `1`. */
const MOST_OF_NUMBER = 20;

/**
 * Answers a text that names no card. The cards with its number or a similar name are candidates.
 */
function withoutName(title: Title, { game }: ResolveItem, possible: TitleCards): Resolution {
  const cards = [...new Set(possible.numbered())].filter(({ set }) => {
    return game === undefined || set.game === game;
  });
  if (cards.length === 0 || cards.length > MOST_OF_NUMBER) return misspelt(title, possible);
  const candidates = cards.map((card) => ({ card, reasons: [`Its number is ${card.number}.`] }));
  const isNumber = title.numbers.some(({ from, to }) => to - from === title.words.length);
  const reason = 'The text has no full name that confirms the card of its number.';
  const status = isNumber ? 'ambiguous' : 'unknown';
  return { ...undecided(status, candidates, [reason]), copy: copyOfText(title) };
}

/** Answers a text that is at most the name of a card in another spelling. */
function misspelt(title: Title, possible: TitleCards): Resolution {
  const text = title.words.join(' ');
  const candidates = possible.similar().map((card) => {
    return { card, reasons: [`${text} is ${card.name} but for a few letters.`] };
  });
  if (candidates.length === 0) {
    return undecided('unknown', [], ['No card fits this description.']);
  }
  const reason = 'The text is only similar to the name of a card: give its set and number.';
  const answer = undecided('ambiguous', candidates, [reason]);
  return { ...answer, copy: copyOfText(title), isMisspelt: true };
}

/** A listing may equally mean a variant that costs this many times the plain card. */
const MUCH_DEARER = 5;

const WHICH = 'A variant of it costs many times more: say which one it is, or give the number.';

/** Returns a more expensive variant of a card if neither a number nor a variant decided. */
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
  const typed = title.wordsIn(name);
  const isSpeltAlike = foldWords(card.name).join(' ').startsWith(typed);
  return isSpeltAlike || name.isSimilar ? [] : lookup.named(typed);
}

function near({ card }: Explained) {
  return { card, reasons: ['Its name is in the text.'] };
}

/** The number of words before and after a name that may be part of a longer name. */
const MOST_IN_FRONT = 3;
const MOST_BEHIND = 7;

/**
 * Reads a longer name if the words next to the name make it another card of the game: `Dark` before
 * `Charizard`; `V`, `Spirit of Winter` or `#2` after a name.
 */
function withLongerName(title: Title, best: Explained, { lookup }: SearchIndex): Explained {
  const { game } = best.card.set;
  const found = longerSpans(title, best).find((span) => {
    const text = title.wordsIn(span);
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
    return `${best.card.name} is not the same card as ${title.wordsIn(best.name)} ${mark}.`;
  }
  if (isPlaced(best) && leftover.length <= title.words.length * MOST_LEFT_OVER) return undefined;
  const words = leftover.map((at) => title.words[at]).join(', ');
  return `Nothing explains ${words}: give the set and the number.`;
}
