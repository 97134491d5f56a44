/** Reads queries with known answers and decides what counts as a hit. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Card, CardSet } from '../../src/domain/card.ts';
import { bracketsOf, readSetName, withoutBrackets } from '../../src/domain/card-name.ts';
import { findGame, rarityLabel } from '../../src/domain/games.ts';
import { foldText, foldWords } from '../../src/domain/text.ts';

/** What a query means. A field that is missing may be any. */
export interface KnownQuery {
  readonly kind: string;
  readonly q: string;
  readonly game: string;
  /** Compared without what stands in brackets. */
  readonly name: string;
  /** Another name under which a source may have the card. */
  readonly otherName?: string;
  /** As printed; only where the query has a number or a code. */
  readonly number?: string;
  /** The set's name, with or without the code in front of it. */
  readonly set?: string;
  readonly setCode?: string;
  /** As the source sends it. */
  readonly rarity?: string;
  /** Words that stand in brackets of the card's name. */
  readonly treatment?: string;
  /** Of the release of the set, `YYYY`. */
  readonly year?: string;
  /** The card has it. */
  readonly printing?: string;
}

/** The kinds of queries that mean a card with one number, not any card of the name. */
const NUMBERED = new Set(['name+number', 'name+code', 'code+number', 'name+set+number', 'title']);

/** Reads `<data>/search/queries.tsv`: names, numbers and codes. */
export function readQueries(data: string): KnownQuery[] {
  return readRows(data, 'queries.tsv').map(([kind = '', q = '', game = '', name = '', number]) => {
    return { kind, q, game, name, ...(NUMBERED.has(kind) && number ? { number } : {}) };
  });
}

/** Reads `<data>/search/queries-2.tsv`: names with a set, a rarity, a year and so on. */
export function readMixedQueries(data: string): KnownQuery[] {
  return readRows(data, 'queries-2.tsv').map((row) => {
    const [kind = '', q = '', game = '', name = '', number = '', set = '', detail = ''] = row;
    return {
      kind,
      q,
      game,
      name,
      ...(NUMBERED.has(kind) ? { number } : {}),
      ...meantWithName(kind, q, set, detail),
    };
  });
}

/**
 * Reads `<data>/search/queries-3.tsv`: links, brackets, file names, operators, bounds, questions
 * and other texts as people paste and type them.
 */
export function readEverydayQueries(data: string): KnownQuery[] {
  return readRows(data, 'queries-3.tsv').map((row) => {
    const [kind = '', q = '', game = '', name = '', , set = '', number = ''] = row;
    const rest = { ...(set !== '' && { set }), ...(number !== '' && { number }) };
    return { kind, q, game, name, ...rest };
  });
}

type OtherFields = Pick<KnownQuery, 'set' | 'rarity' | 'treatment' | 'year'>;

function meantWithName(kind: string, q: string, set: string, detail: string): OtherFields {
  if (kind === 'name+rarity') return { rarity: detail };
  if (kind === 'name+treatment') return { treatment: detail };
  // A year does not name one set: a card of any set of that year is meant.
  if (kind === 'name+year') return { year: /^\d{4} | \d{4}$/.exec(q)?.[0].trim() ?? '' };
  return set === '' ? {} : { set };
}

function readRows(data: string, file: string): string[][] {
  const lines = readFileSync(join(data, 'search', file), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.slice(1).map((line) => line.split('\t'));
}

/** Whether a card that the query means is among the cards. */
export function isHit(query: KnownQuery, cards: readonly Card[]): boolean {
  return cards.some((card) => isMeant(query, card));
}

function isMeant(query: KnownQuery, card: Card): boolean {
  const { game, name, otherName = name, number, set, setCode, rarity, treatment, year } = query;
  const { printing } = query;
  return (
    card.set.game === game &&
    [name, otherName].map(foldedName).includes(foldedName(card.name)) &&
    (number === undefined || card.number === number) &&
    (set === undefined || isNamed(card.set, set)) &&
    (setCode === undefined || card.set.code === setCode) &&
    (rarity === undefined || hasRarity(card, rarity)) &&
    (treatment === undefined || hasTreatment(card, treatment)) &&
    (year === undefined || card.set.releaseDate?.slice(0, 4) === year) &&
    (printing === undefined || card.printings.some((one) => one.name === printing))
  );
}

function foldedName(name: string): string {
  return foldText(plainName(name));
}

/**
 * Returns a name without what stands in brackets, and without the year that cards of world
 * championship decks bear: `Hoopa EX` of `Hoopa EX - 2016 (Shintaro Ito)`.
 */
export function plainName(name: string): string {
  return withoutBrackets(name).replace(/ - \d{4}$/, '');
}

function isNamed(set: CardSet, name: string): boolean {
  return setNames(set.name).some((folded) => setNames(name).includes(folded));
}

/** A set's name with and without the code in front of it, folded. */
function setNames(name: string): string[] {
  return [foldText(name), foldText(readSetName(name).name)];
}

function hasRarity({ set, rarity }: Card, raw: string): boolean {
  const game = findGame(set.game);
  return game !== undefined && foldText(rarity ?? '') === foldText(rarityLabel(game, raw));
}

function hasTreatment({ name }: Card, treatment: string): boolean {
  const wanted = ` ${foldWords(treatment).join(' ')} `;
  return bracketsOf(name).some((text) => ` ${foldWords(text).join(' ')} `.includes(wanted));
}
