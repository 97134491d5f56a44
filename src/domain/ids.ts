import { toRomaji } from 'wanakana';
import { collectorPart } from './collector-number.ts';
import type { GameSlug } from './games.ts';

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
 * part before the slash (`4/102` gives `4`). Another card may have it already.
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
