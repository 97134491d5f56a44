import { type Static, Type } from 'typebox';
import { dayOf } from '../../domain/day.ts';
import { SHEET_PATH } from '../../domain/key-scopes.ts';
import { splitList } from '../../lib/csv.ts';
import { invalidParameter } from '../errors.ts';
import {
  CurrencyParameter,
  GameParameter,
  Limit,
  localPricesOf,
  Offset,
  SHEET_TOKEN,
} from '../parameters.ts';
import { CARD_TABLE } from '../tables.ts';
import { defineEndpoint, type Resources } from './endpoint.ts';
import { MAX_QUERY, search } from './search.ts';
import { setCards } from './set-cards.ts';
import { cardSummary } from './views.ts';

/** Most ids in one request. */
const MAX_IDS = 100;

/** Ids that cost one request, as in a batch. */
const IDS_PER_REQUEST = 20;

/** The most characters of a list of ids. */
const MAX_LIST = 10_000;

const Label = Type.Optional(Type.String({ minLength: 1, maxLength: MAX_QUERY }));

const Query = Type.Object({
  ids: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_LIST })),
  q: Label,
  set: Label,
  game: GameParameter,
  currency: CurrencyParameter,
  limit: Limit(100, 200),
  offset: Offset,
  // The hooks have already read it.
  [SHEET_TOKEN]: Type.Optional(Type.String()),
});

type SheetQuery = Static<typeof Query>;

/**
 * The cards of a spreadsheet, which cannot send headers: the cards with given ids, from a search,
 * or of a set. It is only a table, so the OpenAPI document has no type for it.
 */
export const sheet = defineEndpoint({
  method: 'GET',
  path: SHEET_PATH,
  scope: 'sheet',
  table: { ...CARD_TABLE, isOnly: true },
  parameterFeatures: { ids: 'batch' },
  errors: ['BATCH_LIMIT_EXCEEDED', 'SET_NOT_FOUND'],
  schema: {
    operationId: 'getSheet',
    summary: 'Get a table of cards for a spreadsheet',
    description: 'By ids, by a search, or of a set.',
    querystring: Query,
    response: { 200: Type.Unknown() },
  },
  cost: ({ query }) => Math.max(1, Math.ceil(idsIn(query).length / IDS_PER_REQUEST)),
  answer(resources, { query }, history, caller, waiting) {
    if (query.ids !== undefined) return { data: rowsOf(resources, query) };
    const { endpoint, request } = listedBy(query);
    return endpoint.answer(resources, request, history, caller, waiting);
  },
});

function idsIn({ ids = '' }: SheetQuery): string[] {
  return splitList(ids).filter((id) => id !== '');
}

/** Returns a row for each id, in order, so the rows line up with those of the sheet. */
function rowsOf({ catalog, clock }: Resources, query: SheetQuery) {
  const ids = idsIn(query);
  if (ids.length > MAX_IDS) {
    throw invalidParameter('ids', `${ids.length} were sent; it must be at most ${MAX_IDS} ids.`);
  }
  const today = dayOf(clock());
  const local = localPricesOf(query, catalog, today);
  return ids.map((id) => {
    const card = catalog.cardWithId(id);
    return card ? cardSummary(local?.card(card) ?? card, today) : { id };
  });
}

/** Returns the endpoint that lists the cards of a search or of a set, with its request. */
function listedBy({ q, set, token: _, ...rest }: SheetQuery) {
  const none = { params: {}, body: undefined };
  if (q !== undefined) {
    const query = {
      kind: 'card',
      sort: 'relevance',
      q,
      ...(set !== undefined && { set }),
      ...rest,
    };
    return { endpoint: search, request: { ...none, query } };
  }
  if (set === undefined) {
    throw invalidParameter('ids', 'Send "ids", "q" or "set", to say which cards you want.');
  }
  const query = { sort: 'number', ...rest };
  return { endpoint: setCards, request: { ...none, params: { setId: set }, query } };
}
