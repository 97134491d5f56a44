import { type Static, Type } from 'typebox';
import type { Card, CardSet, Printing } from '../../domain/card.ts';
import type { Cents } from '../../domain/money.ts';
import { FIGURES, NO_PRICES } from '../../domain/price.ts';
import type { ChangeablePrices, StoredChange } from '../../store/catalogue/changes.ts';
import { CardFields, Price, ReleaseDate, Titled } from '../schemas.ts';
import type { Resources } from './endpoint.ts';
import { dollars } from './views.ts';

/** The view of changes of the catalogue. */

const Amount = Titled('ChangeableAmount', Price('Price'));
const Amounts = Type.Optional(
  Type.Record(Type.String(), Amount, {
    title: 'ChangeableAmounts',
    description: 'By condition, or by grade such as `psa_10`.',
  }),
);

const Figures = Type.Object(
  {
    market: Type.Optional(Amount),
    low: Type.Optional(Amount),
    mid: Type.Optional(Amount),
    high: Type.Optional(Amount),
    conditions: Amounts,
    graded: Amounts,
  },
  { title: 'ChangeablePrices', description: 'Only the figures that differ.' },
);

const PrintingName = Titled('PrintingName', Type.String({ description: 'A printing.' }));

export const CatalogueChange = Type.Object(
  {
    type: Type.Unsafe<'set' | 'added' | 'changed' | 'price'>({
      type: 'string',
      description:
        '`set`: a new set, or another name, code or release date. `added`: a new card, with its ' +
        'prices. `changed`: another name, set, number, rarity or image. `price`: other prices of ' +
        '`printing`.',
      enum: ['set', 'added', 'changed', 'price'],
    }),
    id: Type.String({ description: 'Of the card; of a set, the setId.' }),
    name: Type.Optional(CardFields.name),
    oldName: Type.Optional(Type.String({ description: 'Only if it has another name.' })),
    game: Type.Optional(CardFields.game),
    setId: Type.Optional(CardFields.setId),
    number: Type.Optional(CardFields.number),
    rarity: Type.Optional(CardFields.rarity),
    image: Type.Optional(CardFields.image),
    code: Type.Optional(Type.String({ description: 'Set code.' })),
    releaseDate: Type.Optional(ReleaseDate),
    printings: Type.Optional(
      Type.Array(Type.Object({ name: PrintingName, prices: Figures }), {
        description: 'Only of a new card.',
      }),
    ),
    printing: Type.Optional(PrintingName),
    old: Type.Optional(Figures),
    new: Type.Optional(Figures),
  },
  { $id: 'CatalogueChange', title: 'CatalogueChange', description: 'A change since the cursor.' },
);

export type Change = Static<typeof CatalogueChange>;

/** A change of a card, with the served card. */
interface Subject {
  readonly change: StoredChange;
  readonly card: Card;
  readonly printings: readonly Pick<Printing, 'rowId' | 'name' | 'prices'>[];
}

/**
 * Returns changes with the prices of their publication, even if a later one is served: its prices
 * would differ from the `old` prices on the next pages.
 */
export async function changeViews(
  { catalog, changes }: Pick<Resources, 'catalog' | 'changes'>,
  revision: number,
  read: readonly StoredChange[],
): Promise<Change[]> {
  const subjects = read.map((change): Subject | CardSet | undefined => {
    const { card_id, printing_id } = change.place;
    if (card_id === 0) return catalog.setByRowId(printing_id);
    const card = catalog.cardByRowId(card_id);
    return card && { change, card, printings: card.printings };
  });
  const isServed = catalog.publication.revision === revision;
  const cards = isServed ? [] : read.map(({ place }) => place.card_id);
  const before = await changes.pricesAt(revision, [...new Set(cards)]);
  return subjects.flatMap((subject, index) => {
    if (!subject) return [];
    if ('card' in subject) return cardChange(subject, before) ?? [];
    return setChange(subject, read[index]?.name ?? null);
  });
}

/** @param oldName Null for a new set. */
function setChange({ id, name, game, code, releaseDate }: CardSet, oldName: string | null): Change {
  const renamed = oldName !== null && oldName !== name && { oldName };
  return { type: 'set', id, name, ...renamed, game, code, releaseDate };
}

/** Undefined if prices have returned to their earlier values. */
function cardChange(
  { change: { place, name, prices: old }, card, printings }: Subject,
  before: ReadonlyMap<number, ChangeablePrices>,
): Change | undefined {
  const pricesIn = ({ rowId, prices }: Subject['printings'][number]) => before.get(rowId) ?? prices;
  if (place.printing_id === 0) {
    const description = descriptionOf(card);
    if (name !== null) {
      return { type: 'changed', ...description, ...(name !== card.name && { oldName: name }) };
    }
    const priced = printings.map((printing) => {
      const prices = differencesOf(NOTHING, pricesIn(printing))?.new ?? {};
      return { name: printing.name, prices };
    });
    return { type: 'added', ...description, printings: priced };
  }
  const printing = printings.find(({ rowId }) => rowId === place.printing_id);
  const figures = printing && (differencesOf(old, pricesIn(printing)) ?? unpriced(old));
  return figures && { type: 'price', id: card.id, printing: printing.name, ...figures };
}

function descriptionOf({ id, name, set, number, rarity, image }: Card) {
  return { id, name, game: set.game, setId: set.id, number, rarity, image };
}

/**
 * No difference for a printing without an earlier price, because it may be new. Undefined for
 * others.
 */
function unpriced(before: ChangeablePrices): Difference | undefined {
  return differencesOf(NOTHING, before) ? undefined : { old: {}, new: {} };
}

const NOTHING: ChangeablePrices = { ...NO_PRICES, conditions: {}, graded: {} };

type Amounts = Readonly<Record<string, Cents | null | undefined>>;
type Dollars = Record<string, number | null>;

interface Difference {
  readonly old: Dollars;
  readonly new: Dollars;
}

/** Returns the figures that differ, before and after; undefined if none do. */
function differencesOf(before: ChangeablePrices, after: ChangeablePrices) {
  const figures = differenceOf(FIGURES, before, after);
  const conditions = namedDifferenceOf(before.conditions, after.conditions);
  const graded = namedDifferenceOf(before.graded, after.graded);
  if (!figures && !conditions && !graded) return undefined;
  const sideOf = (side: 'old' | 'new') => ({
    ...figures?.[side],
    ...(conditions && { conditions: conditions[side] }),
    ...(graded && { graded: graded[side] }),
  });
  return { old: sideOf('old'), new: sideOf('new') };
}

function namedDifferenceOf(before: Amounts, after: Amounts): Difference | undefined {
  return differenceOf(Object.keys({ ...before, ...after }), before, after);
}

function differenceOf<Name extends string>(
  names: readonly Name[],
  before: Readonly<Partial<Record<Name, Cents | null>>>,
  after: Readonly<Partial<Record<Name, Cents | null>>>,
): Difference | undefined {
  let difference: Difference | undefined;
  for (const name of names) {
    const [one, other] = [dollars(before[name]), dollars(after[name])];
    if (one === other) continue;
    difference ??= { old: {}, new: {} };
    difference.old[name] = one;
    difference.new[name] = other;
  }
  return difference;
}
