import { withoutBrackets } from '../../domain/card-name.ts';
import { foldText } from '../../domain/text.ts';
import { misreadDigits, type Phrase } from '../../search/index.ts';
import { conditionWords, gradeWords } from '../copy.ts';
import type { ResolveItem } from '../item.ts';
import { codeInFront, haveOtherTotals, isSameNumber } from '../numbers.ts';
import type { Explained } from './explain.ts';
import type { Title } from './title.ts';

/**
 * Converts a title to an item, using the reading of the card that explains most words. All cards
 * that fit the item are judged afterwards, including this one.
 */
export function toItem(title: Title, best: Explained, given: ResolveItem): ResolveItem {
  const { text: _, ...known } = given;
  return {
    ...readPhrases(title, best, known),
    ...known,
    name: nameOf(title, best),
    ...numberOf(title, best),
    ...setOf(title, best),
  };
}

/** Returns the title's set. Another set that it names contradicts the card. */
function setOf(title: Title, { set, otherSet, card }: Explained): ResolveItem {
  if (!set) return otherSet ?? {};
  if (set.by === 'similar name') return { setId: card.set.id };
  const words = title.wordsIn(set);
  return set.by === 'code' ? { setCode: words.replaceAll(' ', '') } : { set: words };
}

/** Returns the name, in the card's spelling if the words are equal: brackets and accents match. */
function nameOf(title: Title, { card, name, variants }: Explained): string {
  const typed = title.wordsIn(name);
  const isWhole = foldText(typed) === foldText(card.name);
  const plain = withoutBrackets(card.name);
  const isPlain = foldText(typed) === foldText(plain);
  const text = isWhole ? card.name : isPlain ? plain : typed;
  return isWhole ? text : [text, ...variants.map((phrase) => `(${phrase})`)].join(' ');
}

/** Returns the card's number as typed, or corrected. Another number contradicts the card. */
function numberOf({ numbers }: Title, { number, leftover, card }: Explained): { number?: string } {
  const other = numbers.find(({ from }) => leftover.includes(from));
  // The code may name the set. The digits after it belong to no other card.
  const coded = numbers.find(({ to, text }) => leftover.includes(to - 1) && isCoded(text));
  if (number && !(coded && /^\d+$/.test(number.text))) {
    const isSame = isSameNumber(number.text, card.number, card.set.code);
    const isAsTyped = isSame && !haveOtherTotals(number.text, card.number ?? '');
    return { number: isAsTyped ? number.text : misreadDigits(number.text) };
  }
  const contrary = coded ?? other;
  return contrary ? { number: contrary.text } : {};
}

/** Whether a number has a code or a total, and can therefore only be a collector number. */
function isCoded(text: string): boolean {
  return codeInFront(text) !== undefined || /^\d+\/\d+$/.test(text);
}

/** Returns the meanings of a title's phrases as fields of an item. */
function readPhrases(title: Title, best: Explained, { game }: ResolveItem): ResolveItem {
  const { phrases, card } = best;
  const meaning = (as: Phrase['as']) => phrases.find((phrase) => phrase.as === as)?.means;
  const [rarity, language] = [meaning('rarity'), meaning('language')];
  const condition = phrases.find(({ as }) => as === 'condition');
  const grade = gradeWords(title, phrases);
  const year = Number(meaning('year'));
  const isOfGame = phrases.some(({ as, isFilter }) => as === 'game' && isFilter);
  const printing = printingOf(best);
  return {
    ...(rarity === undefined ? {} : { rarity }),
    ...(language === undefined ? {} : { language }),
    ...(condition && { condition: conditionWords(condition) }),
    ...(grade === undefined ? {} : { grade }),
    ...(year > 0 ? { year } : {}),
    ...(game === undefined && isOfGame ? { game: card.set.game } : {}),
    ...(printing === '' ? {} : { printing }),
  };
}

function printingOf({ phrases, facts }: Explained): string {
  const means = phrases.flatMap(({ as, means: meant, fits }) => {
    if (as !== 'printing' && as !== 'treatment') return [];
    // `LTD.` is also part of company names.
    return meant === 'Limited' && !fits?.(facts) ? [] : [meant];
  });
  return [...new Set(means)].join(' ');
}

/** Words in listings of something other than one real card, by the reason to abstain. */
const NO_SINGLE: readonly (readonly [reason: string, words: string])[] = [
  [
    'The text is of a sealed product or of supplies, not of a card.',
    `box boxes booster boosters etb bundle tin tins sleeves sleeve playmat mat binder deckbox sealed
      case display blister pack packs repack mystery trainer starter portfolio dice coin wrapper
      decks deck topper collection`,
  ],
  [
    'The text is of several cards.',
    'lot lots bulk playset complete pick choose choice assorted random bundle sets',
  ],
  [
    'The text is of a card that was not printed by the publisher.',
    'proxy proxies custom orica replica fake fanmade handmade altered unofficial metal',
  ],
  ['The text is of something with a card on it.', 'plush figure sticker poster pin shirt code'],
];

const REASONS = new Map(
  NO_SINGLE.flatMap(([reason, list]) => list.split(/\s+/).map((word) => [word, reason] as const)),
);

/** The words of {@link NO_SINGLE} that are in no name of a card or set. */
const NEVER_NAMES = new Set('etb playmat proxies orica lot lots playset repack'.split(' '));

/** Returns why a title cannot mean a single card. Needs no search for cards. */
export function whyNever({ words }: Title): string | undefined {
  const word = words.find((one) => NEVER_NAMES.has(one));
  if (word !== undefined) return REASONS.get(word);
  const text = words.join(' ');
  const isProduct = text.includes('booster box') || text.includes('elite trainer box');
  return isProduct ? REASONS.get('boxes') : undefined;
}

/** Returns why a title does not mean a single card. Ignores the words of the card and its set. */
export function whyNoSingle(title: Title, best: Explained): string | undefined {
  const words = new Set(best.leftover.map((at) => title.words[at] ?? ''));
  for (const phrase of best.phrases) {
    if (phrase.as !== 'noise' && phrase.as !== 'game') continue;
    if (phrase.as === 'noise' && !LOTS.has(phrase.means)) continue;
    for (const word of title.wordsIn(phrase).split(' ')) words.add(word);
  }
  if (title.words.join(' ').includes('not official')) words.add('unofficial');
  for (const word of words) {
    const reason = REASONS.get(word);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Meanings of noise phrases that are a reason to abstain. */
const LOTS = new Set(['Lot']);
