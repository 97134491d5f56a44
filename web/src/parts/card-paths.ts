import { withQuery } from '../query.ts';

/** The addresses of pages about cards, and the calls of the API that they show. */

/** A piece of a path, which needs no quoting in a terminal either. */
function segment(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** What of a card its page shows; all that is left out is as it is by default. */
export interface CardView {
  readonly printing?: string | undefined;
  readonly period?: string | undefined;
}

/** The page of a card. */
export function cardAddress(id: string, { printing, period }: CardView = {}): string {
  return withQuery(`/cards/${segment(id)}`, { printing, period });
}

/** The page with the sets of a game. */
export function setsAddress(game: string): string {
  return `/sets/${segment(game)}`;
}

export function cardCall(id: string): string {
  return `/v1/cards/${segment(id)}`;
}

export function historyCall(id: string, view: CardView): string {
  return withQuery(`${cardCall(id)}/history`, { period: view.period, printing: view.printing });
}

export function explainCall(id: string): string {
  return `${cardCall(id)}/explain`;
}

export function completionCall(q: string, game: string, limit: number): string {
  return withQuery('/v1/autocomplete', { q, game, limit });
}

export function setsCall(game: string, limit: number, offset: number): string {
  return withQuery('/v1/sets', { game, limit, offset: offset || undefined });
}

/** What the dashboard answers a call of the API with, for whoever is signed in. */
export function own(call: string): string {
  return `/dashboard${call}`;
}
