import type { Explained } from './explain.ts';
import { type Title, wordsIn } from './title.ts';

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
