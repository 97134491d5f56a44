import { toRomaji } from 'wanakana';
import { collectorPart } from './collector-number.ts';
import type { GameSlug } from './games.ts';
import { compareText } from './text.ts';

/** Words for signs that distinguish cards but are not letters. */
const SPOKEN: Readonly<Record<string, string>> = {
  '★': ' star ',
  '☆': ' star ',
  '†': ' dagger ',
  '♀': ' f ',
  '♂': ' m ',
  δ: ' delta ',
  α: ' alpha ',
  β: ' beta ',
  γ: ' gamma ',
  Φ: ' phi ',
  '&': ' and ',
  '+': ' plus ',
  '?': ' question ',
  "'": '',
  '’': '',
  '`': '',
};

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The most characters that one name or number adds to an id. */
const MAX_PART = 80;

/**
 * Returns a text as a part of an id: lower case, only `[a-z0-9-]`. It drops accents, spells
 * Japanese kana in Latin letters, and omits characters that it cannot spell (kanji), so the result
 * may be empty.
 */
export function slug(text: string): string {
  const spoken = text.replace(/[★☆†♀♂δαβγΦ&+?'’`]/gu, (sign) => SPOKEN[sign] ?? '');
  const wide = spoken.normalize('NFKC');
  return (KANA.test(wide) ? toRomaji(wide) : wide)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_PART)
    .replace(/^-|-$/g, '');
}

/**
 * Returns the preferred public id of a card: `{game}-{set code}-{name}-{number}`, with the part of
 * the number before the slash (`4/102` gives `4`). Another card may already have this id: see
 * {@link clashingId}.
 */
export function cardId(
  game: GameSlug,
  setCode: string,
  name: string,
  number: string | null,
): string {
  const collector = number === null ? '' : collectorPart(number);
  return [game, slug(setCode), slug(name), slug(collector)].filter((part) => part !== '').join('-');
}

/** Letters that a slug cannot spell: all scripts except Latin and the Japanese kana. */
const UNSPELT = /[\p{L}--[\p{scx=Latin}\p{scx=Hiragana}\p{scx=Katakana}]]/v;

/**
 * Returns the preferred setId of a set: `{game}-{name}`. The code comes first if Latin letters
 * cannot spell the whole name. Another set may already have this id: see {@link clashingId}.
 */
export function setId(game: GameSlug, code: string, name: string): string {
  const own = slug(name);
  const spelt = own === '' || UNSPELT.test(name) ? slug(`${code} ${name}`) : own;
  return `${game}-${spelt || 'set'}`;
}

/**
 * Returns the id of a card or set whose preferred id is taken: the preferred id, two hyphens, and
 * the part of the external id after a `#`, if there is one. No preferred id has two hyphens in a
 * row, so this one is as unique as the external id, regardless of the order in which ids are
 * assigned.
 */
export function clashingId(fitting: string, externalId: string): string {
  return `${fitting}--${slug(externalId.slice(externalId.lastIndexOf('#') + 1))}`;
}

/**
 * Orders external ids as numbers if possible, otherwise as text. Sequential ids sort oldest first.
 */
export function compareExternalIds(a: string, b: string): number {
  return Number(a) - Number(b) || compareText(a, b);
}
