/** Makes lines that mean no card of the catalogue, or several. Every match is wrong. */
import type { Card } from '../../src/domain/card.ts';
import { collectorPart } from '../../src/domain/collector-number.ts';
import { decodeEntities, foldText, isJapanese } from '../../src/domain/text.ts';
import type { ResolveItem } from '../../src/resolve/item.ts';
import { Draw } from '../search/draw.ts';
import { plainName } from '../search/queries.ts';
import type { Catalogue } from './catalogue.ts';
import type { Line } from './line.ts';
import { HEADINGS, LOT_WORDS, OTHER_GAMES, PROXY_WORDS, SEALED } from './not-cards.ts';
import { tcgplayerId } from './rows.ts';

type Made = ResolveItem | string | undefined;

/** A kind of such lines, with their count, each made from a drawn card. */
interface Kind {
  readonly count: number;
  readonly make: (card: Card, draw: Draw, catalogue: Catalogue) => Made;
}

/** A name without a set is ambiguous if this many sets have it. */
const MANY_SETS = 6;

const KINDS: Readonly<Record<string, Kind>> = {
  'name in six sets or more': {
    count: 60,
    make: (card, draw, catalogue) => {
      const sets = new Set(catalogue.namesakes(card).map(({ set }) => set.name));
      const name = plain(card);
      if (sets.size < MANY_SETS) return undefined;
      return draw.pick<ResolveItem | string>([name, `4 ${name}`, `${name} NM`, { name }]);
    },
  },
  'number of another card of the set': {
    count: 100,
    make: (card, draw, catalogue) => {
      const other = draw.pick(catalogue.ofSet(card));
      if (other.number === null || hasNumber(card, other.number, catalogue)) return undefined;
      if (isAkin(plain(card), plain(other))) return undefined;
      const [name, set, code] = [plain(card), decodeEntities(card.set.name), card.set.code];
      return draw.pick<ResolveItem | string>([
        `1 ${name} (${code}) ${collectorPart(other.number)}`,
        `${name} ${other.number} ${set}`,
        { name, set, number: other.number, game: card.set.game },
        { name, setCode: code, number: collectorPart(other.number) },
      ]);
    },
  },
  'id of another card': {
    count: 40,
    make: (card, draw, catalogue) => {
      const other = draw.pick(catalogue.ofGame(card.set.game));
      if (isAkin(plain(card), plain(other))) return undefined;
      return { name: plain(card), ids: { tcgplayer: tcgplayerId(other) } };
    },
  },
  'card that does not exist': {
    count: 100,
    make: (card, draw, catalogue) => {
      const other = draw.pick(catalogue.ofGame(card.set.game));
      const name = joined(plain(card), plain(other));
      if (name === undefined || catalogue.isPartOfName(name)) return undefined;
      const [set, code] = [decodeEntities(card.set.name), card.set.code];
      const number = 900 + draw.below(99);
      return draw.pick<ResolveItem | string>([
        name,
        `${name} ${set}`,
        `2 ${name} (${code}) ${collectorPart(card.number ?? '')}`,
        `${name} #${number} ${set} NM`,
        { name, set, number: `${number}` },
      ]);
    },
  },
  'sealed product': {
    count: 50,
    make: ({ set }, draw) => `${decodeEntities(set.name)} ${draw.pick(SEALED)}`,
  },
  'other game': { count: 70, make: (_, draw) => draw.pick(OTHER_GAMES) },
  heading: { count: 30, make: (_, draw) => draw.pick(HEADINGS) },
  proxy: {
    count: 25,
    make: (card, draw) => {
      const known = `${plain(card)} ${decodeEntities(card.set.name)} ${card.number ?? ''}`;
      return `${known} ${draw.pick(PROXY_WORDS)}`;
    },
  },
  lot: {
    count: 25,
    make: (card, draw, catalogue) => {
      const names = [1, 2].map(() => plain(draw.pick(catalogue.ofGame(card.set.game))));
      return draw.pick([
        `${draw.pick(LOT_WORDS)} ${decodeEntities(card.set.name)} ${plain(card)}`,
        `${[plain(card), ...names].join(' + ')} ${draw.pick(LOT_WORDS)}`,
      ]);
    },
  },
};

/** Makes 500 lines, the same for the same seed. */
export function makeUnanswerable(catalogue: Catalogue, seed: number): Line[] {
  const latin = catalogue.cards.filter(({ name }) => !isJapanese(name));
  return Object.entries(KINDS).flatMap(([form, { count, make }]) => {
    const draw = new Draw(seed, form);
    const made = new Set<ResolveItem | string>();
    return draw.collect(latin, count, (card) => {
      const item = make(card, draw, catalogue);
      if (item === undefined || made.has(item)) return undefined;
      made.add(item);
      return { form, item: typeof item === 'string' ? { text: item } : item };
    });
  });
}

function plain(card: Card): string {
  return plainName(decodeEntities(card.name));
}

/** Whether a card of this name has the number, and would be meant. */
function hasNumber(card: Card, number: string, catalogue: Catalogue): boolean {
  const collector = foldText(collectorPart(number));
  return catalogue
    .namesakes(card)
    .some((other) => foldText(collectorPart(other.number ?? '')) === collector);
}

/** Whether one name is part of the other and may be its short form. */
function isAkin(a: string, b: string): boolean {
  const [one, other] = [foldText(a), foldText(b)];
  return one.includes(other) || other.includes(one);
}

/** The first half of one name and the last half of another; undefined for names of one word. */
function joined(a: string, b: string): string | undefined {
  const [first, last] = [a.split(' '), b.split(' ')];
  if (first.length < 2 || last.length < 2) return undefined;
  const half = [first.slice(0, first.length >> 1), last.slice(last.length >> 1)];
  return half.flat().join(' ');
}
