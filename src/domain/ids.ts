import { toRomaji } from 'wanakana';
import { collectorPart } from './collector-number.ts';
import type { GameSlug } from './games.ts';

/** Signs that tell cards apart and have no letters of their own. */
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

/** No name makes an id longer than this many characters a part. */
const MAX_PART = 80;

/**
 * Text as a part of an id: lower case, `[a-z0-9-]` only. Accents fall away, Japanese kana become
 * their Latin spelling, what has none (kanji) is left out. May be empty.
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
 * The public id that a card gets unless it is taken: `{game}-{set code}-{name}-{number}`,
 * with the collector's part of the number (`4/102` gives `4`).
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
