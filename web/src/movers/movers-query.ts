import { withQuery } from '../api/links.ts';
import {
  type AddressQuery,
  offsetParameter,
  pageParameter,
  parseAmount,
  parseChoice,
  parsePage,
  parseText,
} from '../cards/filters.ts';

/** The movers that a page shows, as in its address. */
export interface MoversQuery {
  /** The slug of a game; empty for all games. */
  readonly game: string;
  /** The setId of a set; empty for all sets. */
  readonly set: string;
  readonly window: keyof typeof WINDOW_LABELS;
  readonly direction: keyof typeof DIRECTION_LABELS;
  /** Whether moves are ordered by relevance, by percent or by money. */
  readonly sort: keyof typeof SORT_LABELS;
  /** The lowest price in the reader's currency, as typed; empty for the default of the API. */
  readonly min: string;
  /** The page of the list, starting at 1. */
  readonly page: number;
}

export const WINDOW_LABELS = { '1d': '1 day', '7d': '7 days', '30d': '30 days' } as const;
export const DIRECTION_LABELS = { both: 'Up and down', up: 'Up', down: 'Down' } as const;
export const SORT_LABELS = {
  relevance: 'Relevance',
  percent: 'Percent',
  amount: 'Money',
} as const;

/** The movers per call, and the movers on the page of a set. */
const BATCH_SIZE = 30;
const SET_MOVERS = 5;

const DEFAULTS: MoversQuery = {
  game: '',
  set: '',
  window: '7d',
  direction: 'both',
  sort: 'relevance',
  min: '',
  page: 1,
};

/** Parses an address. Missing and invalid parameters get their defaults. */
export function parseMoversQuery(game: string, query: AddressQuery): MoversQuery {
  return {
    game,
    set: parseText(query.set),
    window: parseChoice(WINDOW_LABELS, query.window, DEFAULTS.window),
    direction: parseChoice(DIRECTION_LABELS, query.direction, DEFAULTS.direction),
    sort: parseChoice(SORT_LABELS, query.sort, DEFAULTS.sort),
    min: parseAmount(query.min),
    page: parsePage(query.page),
  };
}

/** Returns the link to a page of movers. Omits parameters with their default. */
export function moversHref(query: Partial<MoversQuery>): string {
  const { game, page, ...rest } = { ...DEFAULTS, ...query };
  const path = game === '' ? '/movers' : `/movers/${encodeURIComponent(game)}`;
  return withQuery(path, { ...parametersOf(rest), page: pageParameter(page) });
}

/** Returns the path of the API call for the first movers of a page. */
export function moversApiPath({ game, page, ...rest }: MoversQuery): string {
  const offset = offsetParameter(page);
  return withQuery('/v1/movers', { game, ...parametersOf(rest), limit: BATCH_SIZE, offset });
}

/** Returns the path of the call for the sets that moved. */
export function movedSetsPath({ game, window }: Pick<MoversQuery, 'game' | 'window'>): string {
  return withQuery('/dashboard/moved-sets', { game, window });
}

/** Returns the path of the API call for the movers on the page of a set. */
export function setMoversApiPath(set: string): string {
  return withQuery('/v1/movers', { set, limit: SET_MOVERS });
}

function parametersOf({ set, window, direction, sort, min }: Omit<MoversQuery, 'game' | 'page'>) {
  return {
    set,
    window: window === DEFAULTS.window ? '' : window,
    direction: direction === DEFAULTS.direction ? '' : direction,
    sort: sort === DEFAULTS.sort ? '' : sort,
    min,
  };
}
