import { toRomaji } from 'wanakana';
import { collectorPart } from './collector-number.ts';
import type { GameSlug } from './games.ts';
import { compareText } from './text.ts';

/** Words for signs that distinguish cards and are no letters. */
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
 * Returns a text as a part of an id: lower case, `[a-z0-9-]` only. It drops accents, spells Japanese
 * kana in Latin letters, and leaves out what has no such spelling (kanji), so it may be empty.
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
 * Returns the public id that fits a card: `{game}-{set code}-{name}-{number}`, of the number the
 * part before the slash (`4/102` gives `4`). Another card may have it: {@link clashingId}.
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

/** Letters that a slug cannot spell: of all scripts but Latin and the Japanese kana. */
const UNSPELT = /[\p{L}--[\p{scx=Latin}\p{scx=Hiragana}\p{scx=Katakana}]]/v;

/**
 * Returns the setId that fits a set: `{game}-{name}`, with the code before a name that cannot be
 * spelt whole in Latin letters. Another set may have it: {@link clashingId}.
 */
export function setId(game: GameSlug, code: string, name: string): string {
  const own = slug(name);
  const spelt = own === '' || UNSPELT.test(name) ? slug(`${code} ${name}`) : own;
  return `${game}-${spelt || 'set'}`;
}

/**
 * Returns the id of a card or set whose fitting id belongs to another one: the fitting id, two
 * hyphens, and the external id, of which what precedes a `#` is left out. No fitting id has two
 * hyphens in a row, so this one is as unique as the external id, in whatever order ids are given.
 */
export function clashingId(fitting: string, externalId: string): string {
  return `${fitting}--${slug(externalId.slice(externalId.lastIndexOf('#') + 1))}`;
}

/** Orders external ids, oldest first where a source counts them up: as numbers, else as text. */
export function compareExternalIds(a: string, b: string): number {
  return Number(a) - Number(b) || compareText(a, b);
}
