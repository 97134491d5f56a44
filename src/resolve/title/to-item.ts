import { withoutBrackets } from '../../domain/card-name.ts';
import { foldText } from '../../domain/text.ts';
import type { Phrase } from '../../search/index.ts';
import type { ResolveItem } from '../item.ts';
import { codeInFront, haveOtherTotals, isSameNumber } from '../numbers.ts';
import { misreadNumber } from '../similar.ts';
import type { Explained } from './explain.ts';
import { type Title, wordsIn } from './title.ts';

/**
 * Returns a title as a description, by how its words are read for the card that explains most of
 * them. Every card of the description is then judged, that card as any other.
 */
export function toItem(title: Title, best: Explained, given: ResolveItem): ResolveItem {
  const { text: _, ...known } = given;
  return {
    ...readPhrases(best, known),
    ...known,
    name: nameOf(title, best),
    ...numberOf(title, best),
    ...setOf(title, best),
  };
}

/** What the title says of the set, or the other set that it names, which contradicts the card. */
function setOf(title: Title, { set, otherSet, card }: Explained): ResolveItem {
  if (!set) return otherSet ?? {};
  if (set.by === 'similar name') return { setId: card.set.id };
  const words = wordsIn(title, set);
  return set.by === 'code' ? { setCode: words.replaceAll(' ', '') } : { set: words };
}

/** The name as the card has it where the words are those, so that brackets and accents agree. */
function nameOf(title: Title, { card, name, variants }: Explained): string {
  const typed = wordsIn(title, name);
  const isWhole = foldText(typed) === foldText(card.name);
  const plain = withoutBrackets(card.name);
  const isPlain = foldText(typed) === foldText(plain);
  const text = isWhole ? card.name : isPlain ? plain : typed;
  return isWhole ? text : [text, ...variants.map((phrase) => `(${phrase})`)].join(' ');
}

/** The card's number, as typed unless it was misread, or the first other number of the title, which then contradicts the card. */
function numberOf({ numbers }: Title, { number, leftover, card }: Explained): { number?: string } {
  const other = numbers.find(({ from }) => leftover.includes(from));
  // The code may be that of the set; the digits behind it are of no other card.
  const coded = numbers.find(({ to, text }) => leftover.includes(to - 1) && isCoded(text));
  if (number && !(coded && /^\d+$/.test(number.text))) {
    const isSame = isSameNumber(number.text, card.number, card.set.code);
    const isAsTyped = isSame && !haveOtherTotals(number.text, card.number ?? '');
    return { number: isAsTyped ? number.text : misreadNumber(number.text) };
  }
  const contrary = coded ?? other;
  return contrary ? { number: contrary.text } : {};
}

/** Whether a number has a code or a total, so that it is a collector number and nothing else. */
function isCoded(text: string): boolean {
  return codeInFront(text) !== undefined || /^\d+\/\d+$/.test(text);
}

/** What the phrases of a title say, in the fields of an item. */
function readPhrases(best: Explained, { game }: ResolveItem): ResolveItem {
  const { phrases, card } = best;
  const meaning = (as: Phrase['as']) => phrases.find((phrase) => phrase.as === as)?.means;
  const [rarity, language, condition] = [
    meaning('rarity'),
    meaning('language'),
    meaning('condition'),
  ];
  const graded = phrases.find(({ grade }) => grade?.company && grade.number !== null);
  const year = Number(meaning('year'));
  const isOfGame = phrases.some(({ as, isFilter }) => as === 'game' && isFilter);
  const printing = printingOf(best);
  return {
    ...(rarity === undefined ? {} : { rarity }),
    ...(language === undefined ? {} : { language }),
    ...(condition === undefined ? {} : { condition }),
    ...(graded === undefined ? {} : { grade: graded.means }),
    ...(year > 0 ? { year } : {}),
    ...(game === undefined && isOfGame ? { game: card.set.game } : {}),
    ...(printing === '' ? {} : { printing }),
  };
}

function printingOf({ phrases, facts }: Explained): string {
  const means = phrases.flatMap(({ as, means: meant, fits }) => {
    if (as !== 'printing' && as !== 'treatment') return [];
    // `LTD.` is also of a company.
    return meant === 'Limited' && !fits?.(facts) ? [] : [meant];
  });
  return [...new Set(means)].join(' ');
}

/** Words of listings that sell something other than one real card. */
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

/** Words of the list that no card has in its name, nor a set. */
const NEVER_NAMES = new Set('etb playmat proxies orica lot lots playset repack'.split(' '));

/** Why a title is of no single card, whatever the card; told without a search for one. */
export function whyNever({ words }: Title): string | undefined {
  const word = words.find((one) => NEVER_NAMES.has(one));
  if (word !== undefined) return REASONS.get(word);
  const text = words.join(' ');
  const isProduct = text.includes('booster box') || text.includes('elite trainer box');
  return isProduct ? REASONS.get('boxes') : undefined;
}

/** Why a title is of no single card; the words of the card and its set do not count. */
export function whyNoSingle(title: Title, best: Explained): string | undefined {
  const words = new Set(best.leftover.map((at) => title.words[at] ?? ''));
  for (const phrase of best.phrases) {
    if (phrase.as !== 'noise' && phrase.as !== 'game') continue;
    if (phrase.as === 'noise' && !LOTS.has(phrase.means)) continue;
    for (const word of wordsIn(title, phrase).split(' ')) words.add(word);
  }
  if (title.words.join(' ').includes('not official')) words.add('unofficial');
  for (const word of words) {
    const reason = REASONS.get(word);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** What the table of words calls noise and is a reason to abstain. */
const LOTS = new Set(['Lot']);
