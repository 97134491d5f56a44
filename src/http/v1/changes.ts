import { type Static, Type } from 'typebox';
import type { Card, Printing } from '../../domain/card.ts';
import { ApiError } from '../../domain/errors.ts';
import type { Cents } from '../../domain/money.ts';
import { FIGURES, NO_PRICES } from '../../domain/price.ts';
import { cursorOf } from '../../domain/publication-cursor.ts';
import type { ChangeablePrices, ChangesPage, StoredChange } from '../../store/catalogue/changes.ts';
import { invalidParameter } from '../errors.ts';
import { GameParameter, Limit, slugOf } from '../parameters.ts';
import { CardFields, Price, Titled } from '../schemas.ts';
import { shown } from '../validation.ts';
import { defineEndpoint, type Resources } from './endpoint.ts';
import { dollars } from './views.ts';

type Feed = Pick<ChangesPage, 'since' | 'until' | 'after'>;
type PublicationName = ChangesPage['since'];

/** How many parts of a page are read: a filter by game leaves out changes of other games. */
const PARTS = 5;

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
    type: Type.Unsafe<'added' | 'changed' | 'price'>({
      type: 'string',
      description:
        '`added`: a new card, with its prices. `changed`: another name, set, number, rarity or ' +
        'image. `price`: other prices of `printing`.',
      enum: ['added', 'changed', 'price'],
    }),
    id: CardFields.id,
    name: Type.Optional(CardFields.name),
    oldName: Type.Optional(Type.String({ description: 'Only of a renamed card.' })),
    game: Type.Optional(CardFields.game),
    setId: Type.Optional(CardFields.setId),
    number: Type.Optional(CardFields.number),
    rarity: Type.Optional(CardFields.rarity),
    image: Type.Optional(CardFields.image),
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

type Change = Static<typeof CatalogueChange>;

const Query = Type.Object({
  since: Type.Optional(
    Type.String({
      description: 'The last `nextCursor`; without it, only a cursor is returned.',
      maxLength: 200,
    }),
  ),
  game: GameParameter,
  limit: Limit(100, 1000),
});

export const changes = defineEndpoint({
  method: 'GET',
  path: '/v1/changes',
  errors: ['CURSOR_EXPIRED'],
  schema: {
    operationId: 'listChanges',
    summary: 'List what changed since an earlier call',
    description:
      'Cards and prices that changed, oldest first, each once. A page may be short: go on while ' +
      '`more`. Cursors last 30 days.',
    querystring: Query,
    response: {
      200: Type.Object({
        data: Type.Array(CatalogueChange, { description: 'The changes on this page.' }),
        nextCursor: Type.String({ description: 'Send it as `since`, with the same `game`.' }),
        more: Type.Boolean({ description: 'Whether there are more changes now.' }),
      }),
    },
  },
  async answer(resources, { query: { since, game, limit } }) {
    const served = resources.catalog.publication;
    const feed = since === undefined ? atRest(served) : feedAt(since, served);
    const { data, next } = await readPage(resources, feed, { game: slugOf(game), limit });
    const more = next.since.revision < resources.catalog.publication.revision;
    return { data, nextCursor: textOf(next), more };
  },
});

interface Wanted {
  readonly game: string | undefined;
  readonly limit: number;
}

async function readPage(resources: Resources, feed: Feed, { game, limit }: Wanted) {
  const data: Change[] = [];
  let next = feed;
  for (let part = 0; part < PARTS && data.length < limit; part += 1) {
    const wanted = limit - data.length;
    const read = await readPart(resources, next, wanted);
    data.push(
      ...(await viewsOf(resources, next.until.revision, subjectsOf(resources, read, game))),
    );
    const last = read.at(-1)?.place;
    if (read.length < wanted || !last) return { data, next: atRest(feed.until) };
    next = { ...feed, after: last };
  }
  return { data, next };
}

/** @throws ApiError CURSOR_EXPIRED, or SERVICE_UNAVAILABLE if this node is behind the cursor. */
async function readPart({ changes, catalog, clock }: Resources, feed: Feed, limit: number) {
  const read = await changes.page({ ...feed, limit, now: clock() });
  if (!read) throw new ApiError('CURSOR_EXPIRED');
  const newest = Math.max(feed.since.revision, feed.until.revision);
  if (newest <= catalog.publication.revision) return read;
  throw new ApiError('SERVICE_UNAVAILABLE', undefined, { retryAfter: 1 });
}

/** A change, and its card as it is served. */
interface Subject {
  readonly change: StoredChange;
  readonly card: Card;
  readonly printings: readonly Pick<Printing, 'rowId' | 'name' | 'prices'>[];
}

function subjectsOf({ catalog }: Resources, read: readonly StoredChange[], game?: string) {
  return read.flatMap((change): Subject[] => {
    const card = catalog.cardByRowId(change.place.card_id);
    if (!card || (game !== undefined && card.set.game !== game)) return [];
    return [{ change, card, printings: card.printings }];
  });
}

/**
 * Returns changes with the prices of a publication, also if a later one is served: its prices would
 * differ from the `old` prices of the next pages.
 */
async function viewsOf(
  { catalog, changes }: Resources,
  revision: number,
  subjects: readonly Subject[],
) {
  const isServed = catalog.publication.revision === revision;
  const cards = new Set(isServed ? [] : subjects.map(({ card }) => card.rowId));
  const before = await changes.pricesAt(revision, [...cards]);
  return subjects.flatMap((subject) => viewOf(subject, before) ?? []);
}

/** Undefined if prices are again as they were. */
function viewOf(
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
  const figures = printing && differencesOf(old, pricesIn(printing));
  return figures && { type: 'price', id: card.id, printing: printing.name, ...figures };
}

function descriptionOf({ id, name, set, number, rarity, image }: Card) {
  return { id, name, game: set.game, setId: set.id, number, rarity, image };
}

const NOTHING: ChangeablePrices = { ...NO_PRICES, conditions: {}, graded: {} };

type Amounts = Readonly<Record<string, Cents | null | undefined>>;
type Dollars = Record<string, number | null>;

interface Difference {
  readonly old: Dollars;
  readonly new: Dollars;
}

/** Returns the figures that differ, before and after; undefined if none does. */
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

/** The feed after all changes up to a publication. */
function atRest(publication: PublicationName): Feed {
  return { since: publication, until: publication, after: undefined };
}

/** A publication; between two pages also the last one of these pages, and the last change. */
const CURSOR = /^(\d{1,9})\.([^.]{8})(?:\.(\d{1,9})\.([^.]{8})((?:\.\d{1,9}){4}))?$/;

/** @throws ApiError INVALID_PARAMETER */
function feedAt(text: string, served: PublicationName): Feed {
  const [match, revision, id = '', until, untilId = '', place = ''] = CURSOR.exec(text) ?? [];
  if (match === undefined) {
    throw invalidParameter('since', `"${shown(text)}" is not a cursor. Send a nextCursor.`);
  }
  const since = { revision: Number(revision), id };
  if (until === undefined) return { since, until: served, after: undefined };
  const [last = 0, previous = 0, card = 0, printing = 0] = place.slice(1).split('.').map(Number);
  return {
    since,
    until: { revision: Number(until), id: untilId },
    after: { revision: last, previous, card_id: card, printing_id: printing },
  };
}

function textOf({ since, until, after }: Feed): string {
  if (!after) return cursorOf(since);
  const { revision, previous, card_id, printing_id } = after;
  const place = [revision, previous, card_id, printing_id];
  return [cursorOf(since), cursorOf(until), ...place].join('.');
}
