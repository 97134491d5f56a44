import { type Static, Type } from 'typebox';
import { addDays, type Day, dayOf, type Millis, startOfDay } from '../../domain/day.ts';
import { findGame, type GameSlug, gameBySlug, rarityLabel } from '../../domain/games.ts';
import { languageCalled, printingInLanguage } from '../../domain/languages.ts';
import type { Cents } from '../../domain/money.ts';
import type { Observation } from '../../domain/observation.ts';
import { type Condition, type DayPrices, NO_PRICES } from '../../domain/price.ts';
import type { CardReference } from '../contract/feed.ts';
import { BadRecord } from '../io/json.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { gameNamed } from '../kit/games.ts';
import { EMPTY_REFERENCE } from '../kit/observations.ts';
import { compileParser, Label, Nullish, parseCents, printedText } from '../kit/schema.ts';
import { cardName } from '../tcgcsv/adapt.ts';

/**
 * Responses of JustTCG's API (`/v1/cards`): `{"data":[card, …]}`, one page each. A card has a
 * variant for each condition, printing and language of its offers. Only the fields in use are
 * validated.
 */

const RawVariant = Type.Object({
  /** `Near Mint` to `Damaged`; `Sealed` if the product is not a card. */
  condition: Type.String({ maxLength: 40 }),
  printing: Type.String({ minLength: 1, maxLength: 100 }),
  language: Nullish(Type.String({ maxLength: 40 })),
  /** US dollars. */
  price: Nullish(Type.Number()),
  /** When the price was observed, in seconds since 1970. */
  lastUpdated: Nullish(Type.Number()),
  /** Earlier prices, each with its moment in seconds since 1970. */
  priceHistory: Nullish(
    Type.Array(Type.Object({ p: Nullish(Type.Number()), t: Type.Number() }), { maxItems: 5000 }),
  ),
});

const RawCard = Type.Object({
  id: Label,
  name: Label,
  /** The game's name, or its id in the API. */
  game: Label,
  /** The set's name. In newer responses, its id; the name is then in `set_name`. */
  set: Nullish(Type.String({ maxLength: 500 })),
  set_name: Nullish(Type.String({ maxLength: 500 })),
  number: Nullish(Type.String({ maxLength: 100 })),
  rarity: Nullish(Type.String({ maxLength: 100 })),
  tcgplayerId: Nullish(Type.String({ maxLength: 20 })),
  scryfallId: Nullish(Type.String({ maxLength: 40 })),
  variants: Type.Array(RawVariant, { maxItems: 2000 }),
});

export type RawVariant = Static<typeof RawVariant>;
export type RawCard = Static<typeof RawCard>;

/** @throws BadRecord for anything but a card of JustTCG. */
export const parseCard = compileParser(RawCard);

/** Raise it when the adapter's output for the same file changes, so the file is imported again. */
export const ADAPTER_VERSION = 3;

const CONDITIONS: Readonly<Record<string, Condition>> = {
  'Near Mint': 'near_mint',
  'Lightly Played': 'lightly_played',
  'Moderately Played': 'moderately_played',
  'Heavily Played': 'heavily_played',
  Damaged: 'damaged',
};

const SEALED = 'Sealed';

export interface AdaptOptions {
  readonly now: Millis;
  /** The games to adapt; null adapts all. */
  readonly games: readonly GameSlug[] | null;
}

/**
 * Adapts a card: for each printing and language, the prices by condition, with the moment of the
 * newest price.
 *
 * No market price is adapted. JustTCG has none for a whole printing, and does not say whether the
 * price of a condition comes from sales or listings, so taking the Near Mint price would be a
 * guess. Its earlier prices become the history of their condition.
 *
 * A printing with an impossible price or moment is broken and omitted.
 */
export function adaptCard(raw: RawCard, { now, games }: AdaptOptions): AdaptedRecord {
  const game = gameNamed(raw.game);
  if (game === undefined) return skippedFor('not of a game of ours');
  if (games && !games.includes(game)) return skippedFor('card of another game');
  const variants = raw.variants.filter(({ condition }) => condition !== SEALED);
  if (variants.length === 0 && raw.variants.length > 0) return skippedFor('sealed product');
  const named = variants.flatMap((variant) => {
    const printing = printingOf(variant, game);
    return printing === undefined ? [] : [{ ...variant, printing }];
  });
  const foreign = variants.length - named.length;
  const contradictions: string[] = [];
  const broken: string[] = [];
  const observations: Observation[] = [];
  for (const [printing, some] of Map.groupBy(named, ({ printing }) => printing)) {
    try {
      observations.push(...adaptPrinting(printing, some, now, contradictions));
    } catch (error) {
      // The whole printing is omitted, because an observation replaces all of the source's earlier
      // reports.
      if (!(error instanceof BadRecord)) throw error;
      broken.push(`${printing}: ${error.message}`);
    }
  }
  return {
    items:
      named.length === 0 && foreign > 0 ? [] : [{ card: adaptReference(raw, game), observations }],
    skipped: [...Array<string>(foreign).fill('variant in another language'), ...contradictions],
    ...(broken.length > 0 && { broken }),
  };
}

function skippedFor(reason: string): AdaptedRecord {
  return { items: [], skipped: [reason] };
}

/**
 * Returns the printing of a variant, with its language unless it is the catalogue's language for
 * the game. Undefined for an unknown language, or one whose cards belong to another game.
 */
function printingOf({ printing, language }: RawVariant, game: GameSlug): string | undefined {
  if (!language) return printing;
  const code = languageCalled(language);
  const { language: own, translation } = gameBySlug(game);
  if (code === own) return printing;
  const isOther = translation !== null && code === gameBySlug(translation).language;
  return code === undefined || isOther ? undefined : printingInLanguage(printing, code);
}

function adaptReference(raw: RawCard, game: GameSlug): CardReference {
  const number = printedText(raw.number);
  const rarity = printedText(raw.rarity);
  const entry = findGame(game);
  return {
    ...EMPTY_REFERENCE,
    externalId: raw.id,
    game,
    // JustTCG lists TCGplayer's products, under TCGplayer's names.
    name: cardName(raw.name, number),
    number,
    setName: printedText(raw.set_name ?? raw.set),
    rarity: rarity !== null && entry ? rarityLabel(entry, rarity) : rarity,
    externalIds: {
      ...(/^[1-9]\d*$/.test(raw.tcgplayerId ?? '') && { tcgplayer: raw.tcgplayerId ?? '' }),
      ...(raw.scryfallId && { scryfall: raw.scryfallId }),
    },
  };
}

function adaptPrinting(
  printing: string,
  variants: readonly RawVariant[],
  now: Millis,
  skipped: string[],
): Observation[] {
  const conditions: Partial<Record<Condition, Cents>> = {};
  const earlier: Partial<Record<Condition, readonly DayPrices[]>> = {};
  let observedAt = 0;
  for (const [name, same] of Map.groupBy(variants, ({ condition }) => condition)) {
    const amounts = new Set(same.flatMap(({ price }) => parseCents(price) ?? []));
    const [amount] = amounts;
    if (amount === undefined) continue;
    if (amounts.size > 1) {
      skipped.push('contradictory price');
      continue;
    }
    conditions[conditionOf(name)] = amount;
    earlier[conditionOf(name)] = pastOf(same, now);
    for (const variant of same) observedAt = Math.max(observedAt, momentOf(variant, now));
  }
  if (observedAt === 0) return [];
  const rest = { marketplace: 'justtcg', currency: 'USD', prices: NO_PRICES, graded: {} } as const;
  const earlierCopies = before(dayOf(observedAt), earlier);
  return [{ ...rest, printing, observedAt, conditions, ...earlierCopies }];
}

/** Returns the last price of each day in the history of variants. */
function pastOf(variants: readonly RawVariant[], now: Millis): DayPrices[] {
  const points = variants.flatMap(({ priceHistory }) => priceHistory ?? []);
  const days = new Map<Day, DayPrices>();
  for (const { p, t } of points.toSorted((a, b) => a.t - b.t)) {
    const market = parseCents(p);
    const moment = Math.floor(t * 1000);
    if (market === null || moment < FIRST_MOMENT || moment > now) continue;
    days.set(dayOf(moment), { ...NO_PRICES, day: dayOf(moment), market });
  }
  return [...days.values()];
}

/** Omits the day of the current prices, which replace it. */
function before(
  day: Day,
  all: Readonly<Partial<Record<Condition, readonly DayPrices[]>>>,
): Pick<Observation, 'earlierCopies'> {
  const past = Object.entries(all).map(([condition, days]) => {
    return [condition, days.filter((one) => one.day < day)] as const;
  });
  const known = past.filter(([, days]) => days.length > 0);
  return known.length === 0 ? {} : { earlierCopies: Object.fromEntries(known) };
}

function conditionOf(name: string): Condition {
  const condition = Object.hasOwn(CONDITIONS, name) ? CONDITIONS[name] : undefined;
  if (condition === undefined) throw new BadRecord(`"${name}" is not a condition`);
  return condition;
}

/** The first trading card game appeared in 1993. */
const FIRST_MOMENT = Date.UTC(1993, 0);

function momentOf({ lastUpdated, condition, printing }: RawVariant, now: Millis): Millis {
  const moment = Math.floor((lastUpdated ?? 0) * 1000);
  const latest = startOfDay(addDays(dayOf(now), 2));
  if (moment >= FIRST_MOMENT && moment < latest) return moment;
  throw new BadRecord(
    `the price of ${condition} (${printing}) cannot have been observed at ${lastUpdated}`,
  );
}
