/** Writes queries with operators, bounds, exclusions and orders about cards of a catalogue. */
import { type Card, marketPrice } from '../../../src/domain/card.ts';
import { withoutBrackets } from '../../../src/domain/card-name.ts';
import { foldWords } from '../../../src/domain/text.ts';

/** A query and the part of it that is words to look for. */
export interface MadeQuery {
  readonly q: string;
  /** Empty if the query has none. */
  readonly words: string;
  readonly sort?: 'price_asc' | 'price_desc' | 'newest';
}

type Template = (card: Card, other: Card) => MadeQuery | undefined;

const name = ({ name }: Card) =>
  withoutBrackets(name)
    .replace(/["“”()[\]]/g, ' ')
    .trim();
const set = (card: Card) => `set:"${card.set.name.replaceAll('"', '')}"`;
const game = (card: Card) => `game:${card.set.game}`;
const dollars = (card: Card, factor = 1) => ((marketPrice(card) ?? 500) * factor) / 100;
const longest = (card: Card) => {
  const words = foldWords(name(card)).filter((word) => /^[a-z]{3,}$/.test(word));
  return words.toSorted((a, b) => b.length - a.length)[0] ?? 'dragon';
};
const year = (card: Card) => card.set.releaseDate?.slice(0, 4) ?? '2020';
const rarity = (card: Card) => `r:"${card.rarity ?? 'Common'}"`;
const printing = (card: Card) => card.printings[0]?.name ?? 'Normal';

const named = (
  template: (card: Card, other: Card) => string,
  sort?: MadeQuery['sort'],
): Template => {
  return (card, other) => {
    const words = name(card);
    const q = template(card, other).replace('NAME', () => words);
    return { q, words, ...(sort && { sort }) };
  };
};
const wordless = (
  template: (card: Card, other: Card) => string,
  sort?: MadeQuery['sort'],
): Template => {
  return (card, other) => ({ q: template(card, other), words: '', ...(sort && { sort }) });
};

const TEMPLATES: readonly Template[] = [
  named((card) => `NAME ${game(card)} -set:promo`),
  named((card) => `NAME usd>=${dollars(card).toFixed(2)} ${game(card)}`),
  named((card) => `NAME under $${Math.ceil(dollars(card, 1.5))}`),
  named(
    (card) => `NAME between ${Math.floor(dollars(card, 0.5))} and ${Math.ceil(dollars(card, 2))}`,
  ),
  named((card) => `NAME ${set(card)}`),
  named((card) => `NAME year:${year(card)}`),
  named((card) => `NAME ${rarity(card)} -vmax`),
  named((_, other) => `NAME -"${longest(other)}"`),
  named(() => 'cheapest NAME -jumbo', 'price_asc'),
  named((card) => `most expensive NAME ${game(card)}`, 'price_desc'),
  named((card) => `newest NAME ${game(card)}`, 'newest'),
  named((card) => `NAME up 20% this week ${game(card)}`),
  named((card) => `NAME without foil ${game(card)}`),
  named((card) => `NAME printing:"${printing(card)}"`),
  wordless((card) => `${set(card)} ${rarity(card)}`),
  wordless((card) => `${set(card)} -r:common price<5`),
  wordless((card) => `${game(card)} ${longest(card)} or ${longest(card)} promo`),
  wordless((card, other) => `name:${longest(card)} or name:"${name(other)}"`),
  wordless((card, other) => `(${longest(card)} or ${longest(other)}) ${set(card)}`),
  wordless((card, other) => `${game(card)} (name:${longest(card)} or ${set(other)}) -is:promo`),
  wordless((card) => `${set(card)} number:[1 TO 30] cheapest`, 'price_asc'),
  wordless((card) => `code:${/^[\w-]+$/.test(card.set.code) ? card.set.code : 'BS'} is:foil`),
  wordless((card) => `${set(card)} -is:foil price>=${dollars(card, 0.5).toFixed(2)}`),
  wordless((card) => `${game(card)} year>=${year(card)} price>${Math.ceil(dollars(card, 3))}`),
  wordless((card) => `${game(card)} down 10% today r!=rare`),
  wordless((card, other) => `-${longest(card)} (${set(card)} or ${set(other)}) is:1st`),
  wordless((card) => `game:mtg r>=rare name:${longest(card)}`),
  wordless((card) => `is:stale ${set(card)} $1-$${Math.ceil(dollars(card, 4)) + 1}`),
  wordless(
    (card) => `date>=${card.set.releaseDate ?? '2020-01-01'} name:${longest(card)} newest`,
    'newest',
  ),
  wordless(
    (card) => `number:${/^\w+$/.test(card.number ?? '') ? card.number : '12'} ${game(card)}`,
  ),
];

/** Makes queries; `draw` returns a random card. Every template is used equally often. */
export function makeQueries(count: number, draw: () => Card): MadeQuery[] {
  const made: MadeQuery[] = [];
  for (let i = 0; made.length < count; i++) {
    const query = TEMPLATES[i % TEMPLATES.length]?.(draw(), draw());
    if (query && query.q.length <= 200) made.push(query);
  }
  return made;
}
