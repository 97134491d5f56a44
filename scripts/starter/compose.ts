import { comparePrintings } from '../../src/domain/card.ts';
import { type Day, dayOf, startOfDay } from '../../src/domain/day.ts';
import { cardId } from '../../src/domain/ids.ts';
import { type DayPrices, hasPrice } from '../../src/domain/price.ts';
import type { Group, Listing, SourceCard, SourceSet } from '../../src/sources/contract/snapshot.ts';
import type { StarterPrinting, StarterSet } from '../../src/sources/starter.ts';

/** The prices of a set on one day. */
export interface ObservedDay {
  readonly day: Day;
  readonly listings: readonly Listing[];
}

type DayListing = Listing & { readonly day: Day };

/**
 * Combines a set's prices in the tree with prices in the archive, which take precedence on the same
 * day. Omits sealed products unless they are wanted.
 */
export function composeSet(
  group: Group,
  archived: readonly ObservedDay[],
  hasProducts: boolean,
): StarterSet {
  const { idSpace, set, observedAt } = group;
  const day = dayOf(observedAt);
  const printings = collectPrintings([{ day, listings: group.listings }, ...archived]);
  const listed = group.cards === 'unchanged' ? [] : group.cards;
  const cards = listed
    .filter(({ product }) => product === undefined || hasProducts)
    .map((card) => ({ ...card, printings: printings.get(card.externalId) ?? [] }))
    .sort((a, b) => Number(a.externalId) - Number(b.externalId));
  const newest = Math.max(day, ...cards.flatMap((card) => card.printings.map(lastDay)));
  return {
    idSpace,
    set,
    cards,
    observedAt: newest === day ? observedAt : startOfDay(newest as Day),
  };
}

function lastDay({ days }: StarterPrinting): number {
  return days.at(-1)?.day ?? 0;
}

/**
 * Returns the printings of each card. If there are several prices on one day, the last one counts.
 */
function collectPrintings(observed: readonly ObservedDay[]): Map<string, StarterPrinting[]> {
  const all = observed.flatMap(({ day, listings }): DayListing[] => {
    return listings.map((listing) => ({ ...listing, day }));
  });
  const byCard = Map.groupBy(all, ({ externalId }) => externalId);
  return new Map([...byCard].map(([card, listings]) => [card, printingsOf(listings)]));
}

/** Returns the printings of a card, plainest first. */
function printingsOf(listings: readonly DayListing[]): StarterPrinting[] {
  return [...Map.groupBy(listings, ({ printing }) => printing)]
    .map(([name, days]) => ({
      name,
      days: withoutEmptyDays(days.map(({ day, prices }) => ({ day, ...prices }))),
    }))
    .sort((a, b) => comparePrintings(a.name, b.name));
}

/**
 * Returns the days in order, without days that lack a price. Always keeps the newest day, the
 * current one.
 */
function withoutEmptyDays(observed: readonly DayPrices[]): DayPrices[] {
  const byDay = new Map(observed.map((prices) => [prices.day, prices]));
  const days = [...byDay.values()].sort((a, b) => a.day - b.day);
  return days.filter((prices, index) => hasPrice(prices) || index === days.length - 1);
}

/**
 * Replaces placeholder external ids of sets and cards with our own ids, unless a set has real ids.
 * Imports of a real source find these cards by name and number. Cards with the same name and number
 * are counted in the order of the tree's ids. The first gets the public id that an import of the
 * tree gives it. The others get that id followed by their count (`--02`) in place of the made-up
 * product id.
 */
export function withOwnIds(
  sets: readonly StarterSet[],
  hasRealIds: (set: SourceSet) => boolean,
): StarterSet[] {
  const counts = new Map<string, number>();
  const ownId = (set: SourceSet, { name, number }: SourceCard) => {
    const id = cardId(set.game, set.code, name, number);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return `${id}#${String(count).padStart(2, '0')}`; // sorts as text
  };
  return sets.map((starter) => {
    const { set, observedAt, cards } = starter;
    if (hasRealIds(set)) return starter;
    return {
      idSpace: 'starter',
      set: { ...set, externalId: `${set.game}/${set.code}/${set.name}` },
      observedAt,
      cards: cards.map((card) => ({ ...card, externalId: ownId(set, card) })),
    };
  });
}
