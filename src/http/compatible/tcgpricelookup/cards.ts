import { type Static, Type } from 'typebox';
import type { Catalog } from '../../../catalog/catalog.ts';
import { type Day, dayOf } from '../../../domain/day.ts';
import { ApiError } from '../../../domain/errors.ts';
import { splitList } from '../../../lib/csv.ts';
import type { SearchQuery } from '../../../search/index.ts';
import { invalidParameter } from '../../errors.ts';
import { GameParameter, IdParameter, Limit, Offset, slugOf } from '../../parameters.ts';
import { Page } from '../../schemas.ts';
import { defineEndpoint } from '../../v1/endpoint.ts';
import { MAX_QUERY } from '../../v1/search.ts';
import { moment } from '../../v1/views.ts';
import { shown } from '../../validation.ts';
import { UNDOCUMENTED } from '../interface.ts';
import { type CardPrinting, cardItem, printingWithId, UNKNOWN_PRINTING } from './card-view.ts';

/** Most ids in one request. */
const MAX_IDS = 20;

const SomeText = Type.Optional(Type.String({ minLength: 1, maxLength: MAX_QUERY }));

const Query = Type.Object({
  q: SomeText,
  ids: Type.Optional(Type.String({ minLength: 1 })),
  game: GameParameter,
  set: SomeText,
  limit: Limit(20, 100),
  offset: Offset,
});

export const cardSearch = defineEndpoint({
  method: 'GET',
  path: '/compatible/tcgpricelookup/v1/cards/search',
  parameterFeatures: { ids: 'batch' },
  errors: [],
  schema: { ...UNDOCUMENTED, querystring: Query, response: { 200: Page(Type.Unknown(), '') } },
  answer({ catalog, clock }, { query }, history) {
    const { ids, limit, offset } = query;
    const search = searchOf(query, dayOf(clock()));
    const { printings, total } =
      ids === undefined
        ? catalog.search.searchPrintings(search)
        : pageOfIds(catalog, splitIds(ids), search);
    const data = printings.map(({ card, printing = UNKNOWN_PRINTING }) => ({
      ...cardItem(catalog, { card, printing }, history.isIncluded),
      last_price_update: moment(printing.prices.figuresAt),
    }));
    return { data, total, limit, offset };
  },
});

/** Returns the search for a query. Without words, prices do not affect its order. */
function searchOf(
  { q, game: name, set, limit, offset }: Static<typeof Query>,
  today: Day,
): SearchQuery {
  const game = slugOf(name);
  const listed = set === undefined ? 'name' : 'number';
  return {
    q: q ?? '',
    ...(game && { game }),
    ...(set !== undefined && { set }),
    sort: q === undefined ? listed : 'relevance',
    limit,
    offset,
    today,
  };
}

function splitIds(list: string): string[] {
  const ids = splitList(list).filter((id) => id !== '');
  if (ids.length <= MAX_IDS) return ids;
  throw invalidParameter('ids', `a request has at most ${MAX_IDS} ids; ${ids.length} were sent.`);
}

/** Returns the printings with these ids, in their order, among the results of a search. */
function pageOfIds(catalog: Catalog, ids: readonly string[], search: SearchQuery) {
  const known = ids.flatMap((id) => printingWithId(catalog, id) ?? []);
  const found = isNarrow(search) ? known.filter(isFoundBy(catalog, search)) : known;
  const { limit, offset } = search;
  return { printings: found.slice(offset, offset + limit), total: found.length };
}

function isNarrow({ q, game, set }: SearchQuery): boolean {
  return q !== '' || game !== undefined || set !== undefined;
}

function isFoundBy(catalog: Catalog, search: SearchQuery): (found: CardPrinting) => boolean {
  const whole = { ...search, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  const cards = new Set(catalog.search.search(whole).cards);
  return ({ card }) => cards.has(card);
}

export const card = defineEndpoint({
  method: 'GET',
  path: '/compatible/tcgpricelookup/v1/cards/:id',
  errors: ['CARD_NOT_FOUND'],
  schema: { ...UNDOCUMENTED, params: IdParameter, response: { 200: Type.Unknown() } },
  answer({ catalog }, { params }, history) {
    return cardItem(catalog, requirePrinting(catalog, params.id), history.isIncluded);
  },
});

/** @throws ApiError CARD_NOT_FOUND */
export function requirePrinting(catalog: Catalog, id: string): CardPrinting {
  const found = printingWithId(catalog, id);
  if (!found) throw new ApiError('CARD_NOT_FOUND', `No card has the id "${shown(id)}".`);
  return found;
}
