import { withQuery } from '../api/query.ts';
import { MAX_ROWS } from '../cards/results/batches.ts';
import { MAX_TEXT_LENGTH, parseAmount, parsePage } from '../cards/search-query.ts';

/** Which movers a page shows, as its address has it. */
export interface MoversQuery {
  /** The slug of a game; empty for all games. */
  readonly game: string;
  /** The setId of a set; empty for all sets. */
  readonly set: string;
  readonly window: MoversWindow;
  readonly direction: Direction;
  /** Whether moves are ordered by percent or by dollars. */
  readonly sort: MoversSort;
  /** The least price in dollars, as typed; empty for that of the API. */
  readonly min: string;
  /** The page of the list, from 1 on. */
  readonly page: number;
}

export const WINDOW_LABELS = { '1d': '1 day', '7d': '7 days', '30d': '30 days' } as const;
export const DIRECTION_LABELS = { both: 'Up and down', up: 'Up', down: 'Down' } as const;
export const SORT_LABELS = { percent: 'Percent', amount: 'Dollars' } as const;

export type MoversWindow = keyof typeof WINDOW_LABELS;
export type Direction = keyof typeof DIRECTION_LABELS;
export type MoversSort = keyof typeof SORT_LABELS;

/** Movers that are fetched at once. */
const BATCH_SIZE = 30;
/** Movers on the page of a set. */
const SET_MOVERS = 5;

const DEFAULTS: MoversQuery = {
  game: '',
  set: '',
  window: '7d',
  direction: 'both',
  sort: 'percent',
  min: '',
  page: 1,
};

/** Parses an address. Missing and invalid parameters have their default. */
export function parseMoversQuery(
  game: string,
  query: Readonly<Record<string, string>>,
): MoversQuery {
  return {
    game,
    set: (query.set ?? '').slice(0, MAX_TEXT_LENGTH),
    window: oneOf(WINDOW_LABELS, query.window, DEFAULTS.window),
    direction: oneOf(DIRECTION_LABELS, query.direction, DEFAULTS.direction),
    sort: oneOf(SORT_LABELS, query.sort, DEFAULTS.sort),
    min: parseAmount(query.min),
    page: parsePage(query.page),
  };
}

function oneOf<Name extends string>(
  labels: Readonly<Record<Name, string>>,
  text: string | undefined,
  initial: Name,
): Name {
  return text !== undefined && Object.hasOwn(labels, text) ? (text as Name) : initial;
}

/** Returns the link to a page of movers. Parameters with their default are left out. */
export function moversHref(query: Partial<MoversQuery>): string {
  const { game, page, ...rest } = { ...DEFAULTS, ...query };
  const path = game === '' ? '/movers' : `/movers/${encodeURIComponent(game)}`;
  return withQuery(path, { ...parametersOf(rest), page: page === 1 ? '' : page });
}

/** Returns the path of the API call for the first movers of a page. */
export function moversApiPath({ game, page, ...rest }: MoversQuery): string {
  const offset = (page - 1) * MAX_ROWS || '';
  return withQuery('/v1/movers', { game, ...parametersOf(rest), limit: BATCH_SIZE, offset });
}

/** Returns the path of the API call for the movers that the page of a set shows. */
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
