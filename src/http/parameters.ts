import { type Static, type TSchema, Type } from 'typebox';
import { CONFIDENCE_LEVELS, type ConfidenceLevel } from '../domain/confidence.ts';
import type { ConfidenceFilter } from '../domain/confidence-level.ts';
import { WANTED_CURRENCIES, type WantedCurrency } from '../domain/currencies.ts';
import { type Day, type Millis, parseDay, parseMoment } from '../domain/day.ts';
import { findGame, GAMES, type GameSlug } from '../domain/games.ts';
import { LocalPrices } from '../domain/local-prices.ts';
import { centsFromDollars, dollarsFromCents, MAX_CENTS } from '../domain/money.ts';
import type { PriceFilter } from '../domain/price.ts';
import type { Rates } from '../domain/rates.ts';
import { invalidParameter } from './errors.ts';
import { shown } from './validation.ts';

/** Parameters that several endpoints share. */

const GAME_NAMES = GAMES.flatMap(({ slug, aliases }) => [slug, ...aliases]);

export const GameParameter = Type.Optional(
  Type.String({ description: 'Only this game.', enum: GAME_NAMES }),
);

/** Returns the slug of a game from a caller's slug or alias, if it is known. */
export function slugOf(name: string | undefined): GameSlug | undefined {
  return name === undefined ? undefined : findGame(name)?.slug;
}

export const GamePath = Type.Object({
  game: Type.String({ description: 'Slug of the game.', enum: GAME_NAMES }),
});

export const SetPath = Type.Object({
  setId: Type.String({
    description: 'setId, from a card or a set.',
    examples: ['pokemon-base-set'],
  }),
});

/**
 * A parameter with a default. Callers may omit it, but a validated request always has it, so its
 * type is not optional.
 */
export const Defaulted = <Schema extends TSchema>(schema: Schema): Schema => Type.Optional(schema);

export const Limit = (initial: number, maximum: number) =>
  Defaulted(
    Type.Integer({ description: 'Results per page.', minimum: 1, maximum, default: initial }),
  );

export const Offset = Defaulted(
  Type.Integer({
    description: 'Number of results to skip.',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
  }),
);

export const CursorParameter = Type.Optional(
  Type.String({
    description:
      'Pages that stay true over a publication: send it empty for the first page, then each ' +
      '`nextCursor`, with the same parameters and without `offset`.',
    maxLength: 8000,
  }),
);

/** A parameter with some of these words, separated by commas. */
export const Words = <Word extends string>(description: string, words: readonly Word[]) =>
  Type.Optional(
    Type.Unsafe<readonly Word[]>({
      type: 'array',
      description,
      items: { type: 'string', enum: words },
      style: 'form',
      explode: false,
    }),
  );

/** Every endpoint has this parameter: the validation of queries reads it. */
export const StrictParameter = Type.Optional(
  Type.String({
    description:
      'With `true`, parameters that the endpoint does not have are an error, `INVALID_PARAMETER`, ' +
      'instead of `warnings`.',
    enum: ['true', 'false'],
  }),
);

/**
 * Returns the day that a parameter names.
 *
 * @throws ApiError INVALID_PARAMETER for a text that is not a day.
 */
export function dayIn(parameter: string, text: string): Day {
  const day = parseDay(text);
  if (day !== undefined) return day;
  throw invalidParameter(parameter, `"${shown(text)}" is not a day such as 2026-01-28.`);
}

/**
 * Returns the moment that a parameter names.
 *
 * @throws ApiError INVALID_PARAMETER for a text that is not a moment with a time zone.
 */
export function momentIn(parameter: string, text: string): Millis {
  const moment = parseMoment(text);
  if (moment !== undefined) return moment;
  const example = 'a moment such as 2026-01-28T20:05:12Z';
  throw invalidParameter(parameter, `"${shown(text)}" is not ${example}.`);
}

/** The parameter with the API key of a sheet address. */
export const SHEET_TOKEN = 'token';

/** The card of the examples. It is in the starter catalogue, with months of history. */
export const EXAMPLE_CARD_ID = 'lorcana-tfc-elsa-spirit-of-winter-207';

export const IdParameter = Type.Object({
  id: Type.String({
    description: 'Card id, from search results.',
    examples: [EXAMPLE_CARD_ID],
  }),
});

/** Every endpoint with current prices has this parameter. */
export const CurrencyParameter = Type.Optional(
  Type.Unsafe<WantedCurrency>({
    type: 'string',
    description:
      'The currency of all prices: as sources report them in it, otherwise converted from US ' +
      'dollars. `native` is that of the source of each price. By default US dollars.',
    enum: [...WANTED_CURRENCIES],
  }),
);

/** The query of endpoints that have no other parameter. */
export const CurrencyQuery = Type.Object({ currency: CurrencyParameter });

/** Returns the converter of prices into the currency that a query asks for, if it asks for one. */
export function localPricesOf(
  { currency }: Static<typeof CurrencyQuery>,
  { rates }: { readonly rates: Rates },
  today: Day,
): LocalPrices | undefined {
  return currency === undefined ? undefined : new LocalPrices(currency, rates, today);
}

/** The parameters that filter lists of cards by price. */

const Amount = (description: string) =>
  Type.Optional(
    Type.Number({
      description: `${description}, in \`currency\`. Cards without a market price are left out.`,
      minimum: 0,
      maximum: dollarsFromCents(MAX_CENTS),
      multipleOf: 0.01,
    }),
  );

export const ConfidenceParameter = Type.Optional(
  Type.Unsafe<ConfidenceLevel>({
    type: 'string',
    description:
      'Only prices that are at least this sure, surest first: ' +
      `${CONFIDENCE_LEVELS.join(', ')}. Cards without a price are left out.`,
    enum: [...CONFIDENCE_LEVELS],
  }),
);

/** Returns the filter that a query asks for, as of a day (UTC). */
export function confidenceFilterOf(
  { min_confidence: least }: { readonly min_confidence?: ConfidenceLevel },
  today: Day,
): ConfidenceFilter | undefined {
  return least === undefined ? undefined : { least, today };
}

export const PriceParameters = {
  min_price: Amount('Only cards with at least this market price'),
  max_price: Amount('Only cards with at most this market price'),
  priced: Type.Optional(
    Type.Unsafe<'true' | 'false'>({
      type: 'string',
      description: '`true` for only cards with any price, `false` for only cards without one.',
      enum: ['true', 'false'],
    }),
  ),
  min_confidence: ConfidenceParameter,
};

interface PriceQuery {
  readonly min_price?: number;
  readonly max_price?: number;
  readonly priced?: 'true' | 'false';
}

/**
 * Returns the filter that a query asks for; undefined if it has no condition.
 * @throws ApiError INVALID_PARAMETER if the lowest price is above the highest.
 */
export function priceFilterOf({
  min_price,
  max_price,
  priced,
}: PriceQuery): PriceFilter | undefined {
  if (min_price === undefined && max_price === undefined && priced === undefined) return undefined;
  if (min_price !== undefined && max_price !== undefined && min_price > max_price) {
    const message = `${min_price} is not allowed; it must be at most max_price, ${max_price}.`;
    throw invalidParameter('min_price', message);
  }
  return {
    min: min_price === undefined ? undefined : centsFromDollars(min_price),
    max: max_price === undefined ? undefined : centsFromDollars(max_price),
    isPriced: priced === undefined ? undefined : priced === 'true',
  };
}
