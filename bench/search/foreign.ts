import type { Card } from '../../src/domain/card.ts';
import { withoutBrackets } from '../../src/domain/card-name.ts';
import { LANGUAGES, type LanguageCode } from '../../src/domain/languages.ts';
import type { SearchIndex } from '../../src/search/index.ts';
import { shifted } from './copies.ts';
import { Draw } from './draw.ts';
import type { KnownQuery } from './queries.ts';

/** The languages in which Scryfall's `all_cards` has cards. */
const CODES = LANGUAGES.slice(1, 11).map(({ code }) => code);

const ASIAN: ReadonlySet<LanguageCode> = new Set(['ja', 'ko', 'zhs', 'zht', 'zh']);

/** The first Han sign. */
const HAN = 0x4e00;

/** The name of a card in another language. */
interface MadeName {
  readonly card: Card;
  readonly language: LanguageCode;
  readonly name: string;
}

/**
 * Makes names in other languages, ten for each of the first names of cards: as long and as varied
 * as these. Scryfall's `all_cards` has as many, of which more are the same.
 */
export function makeForeignNames(cards: readonly Card[], count: number): MadeName[] {
  const latin = cards.filter(({ set }) => set.game !== 'pokemonjp');
  const byName = new Map(latin.map((card) => [withoutBrackets(card.name), card]));
  return [...byName].slice(0, Math.ceil(count / CODES.length)).flatMap(([plain, card]) => {
    return CODES.map((language, i) => ({ card, language, name: translated(plain, language, i) }));
  });
}

function translated(name: string, language: LanguageCode, place: number): string {
  const moved = shifted(name, place + 1);
  if (!ASIAN.has(language)) return moved;
  const signs = [...moved.matchAll(/\S{1,3}/g)].map(([letters]) => {
    return String.fromCharCode(
      HAN + ([...letters].reduce((sum, one) => sum * 31 + one.charCodeAt(0), 7) % 9000),
    );
  });
  return signs.join('');
}

/** Gives cards their names; returns how many megabytes that took. */
export function addForeignNames(index: SearchIndex, names: readonly MadeName[]): number {
  const before = usedBytes();
  for (const { card, language, name } of names) index.foreignNames.put(card.rowId, language, name);
  return (usedBytes() - before) / 1e6;
}

function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Returns queries for some of the names: whole, and without their last letters. */
export function foreignQueries(
  names: readonly MadeName[],
  count: number,
  seed: number,
): KnownQuery[] {
  const draw = new Draw(seed, 'names in other languages');
  return Array.from({ length: count }, () => {
    const { card, name } = draw.pick(names);
    const isWhole = draw.chance(0.5);
    const q = isWhole ? name : name.slice(0, Math.ceil(name.length * 0.8));
    return { kind: isWhole ? 'whole' : 'unfinished', q, game: card.set.game, name: card.name };
  });
}
