import { PAGES } from '../../../src/dashboard/pages.ts';

type Parameters = Readonly<Record<string, string | number | undefined>>;
type Pair = [name: string, value: string];

/**
 * Appends a query string to a path, which may already have one. Omits undefined and empty
 * parameters. The query contains no character that a shell would interpret inside single quotes.
 */
export function withQuery(path: string, parameters: Parameters): string {
  const present = Object.entries(parameters).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const query = new URLSearchParams(present.map(([name, value]): Pair => [name, String(value)]));
  if (present.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/* The links to pages about cards, and the paths of API calls. */

/** Encodes a segment of a path, which is also safe inside single quotes in a shell. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** The view of the page of a card. Missing values stand for the defaults. */
export interface CardView {
  readonly printing?: string | undefined;
  /** The grade, the condition or the listing whose price is the headline. */
  readonly grade?: string | undefined;
  readonly condition?: string | undefined;
  readonly figure?: string | undefined;
  readonly period?: string | undefined;
}

/** A copy that a search asked for. */
interface SearchedCopy {
  readonly name: string;
  readonly priceOf: {
    readonly printing: string | null;
    readonly condition: string | null;
    readonly grade: string | null;
  };
}

/**
 * Returns the view of a card with the price of the copy that a search asked for. If the card has no
 * such printing, the view contains the name from the copy, so the page does not show the price of
 * another printing.
 */
export function viewOfCopy({ name, priceOf }: SearchedCopy): CardView {
  const { printing, grade, condition } = priceOf;
  if (printing === null) return { printing: name };
  return {
    printing,
    grade: grade ?? undefined,
    condition: (grade ? null : condition) ?? undefined,
  };
}

/** Returns the link to the page of a card. */
export function cardHref(id: string, view: CardView = {}): string {
  const { printing, grade, condition, figure, period } = view;
  return withQuery(`/cards/${encodeSegment(id)}`, { printing, grade, condition, figure, period });
}

/** Returns the link to the page with the sets of a game. */
export function setsHref(game: string): string {
  return `/sets/${encodeSegment(game)}`;
}

/** Returns the link to the page of a set. */
export function setHref(game: string, id: string): string {
  return `${setsHref(game)}/${encodeSegment(id)}`;
}

export function cardApiPath(id: string): string {
  return `/v1/cards/${encodeSegment(id)}`;
}

export function historyApiPath(id: string, view: CardView): string {
  return historyPathOf(cardApiPath(id), view);
}

/**
 * Returns the path for the history of the card or product at a path: the history of the view's
 * grade or condition, otherwise of the figures.
 */
export function historyPathOf(apiPath: string, view: CardView): string {
  const { period, printing, grade, condition } = view;
  return withQuery(`${apiPath}/history`, { period, printing, grade, condition });
}

/** Returns the link to the page of a product. */
export function productHref(id: string, { period }: Pick<CardView, 'period'> = {}): string {
  return withQuery(`/products/${encodeSegment(id)}`, { period });
}

export function productApiPath(id: string): string {
  return `/v1/products/${encodeSegment(id)}`;
}

/** Returns the path for the products that match the parameters of `GET /v1/products`. */
export function productsApiPath(parameters: Parameters): string {
  return withQuery('/v1/products', parameters);
}

/**
 * Returns the path for the cards before and after a card, and at most `limit` cards with its name
 * after the first `offset`.
 */
export function relatedApiPath(id: string, limit: number, offset?: number): string {
  return withQuery(`${cardApiPath(id)}/related`, { limit, offset });
}

export function explainApiPath(id: string): string {
  return `${cardApiPath(id)}/explain`;
}

/** `game` is a slug, or empty for all games. */
export function autocompleteApiPath(q: string, game: string, limit: number): string {
  return withQuery('/v1/autocomplete', { q, game, limit });
}

/** Returns the path of the call for all sets of a game. */
export function gameSetsApiPath(game: string): string {
  return `/v1/games/${encodeSegment(game)}/sets`;
}

/** Returns the path of the call for the price index of a game. */
export function gameIndexApiPath(game: string): string {
  return `/v1/games/${encodeSegment(game)}/index`;
}

export function setApiPath(id: string): string {
  return `/v1/sets/${encodeSegment(id)}`;
}

export function raritiesApiPath(game: string): string {
  return withQuery('/v1/rarities', { game });
}

/** Returns the path at which the dashboard answers an API call for the signed-in account. */
export function dashboardPath(apiPath: string): string {
  return `/dashboard${apiPath}`;
}

/** Returns the path of the picture of a card. */
export function picturePath(id: string): string {
  return `/dashboard/pictures/${encodeSegment(id)}`;
}

/** The length of the longest text that the API searches for, in characters. */
export const MAX_TEXT_LENGTH = 200;

/** Returns the link to the results for a text. */
export function searchTextHref(q: string): string {
  return withQuery(PAGES.search, { q });
}
