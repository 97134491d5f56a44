import { addDays, type Day, dayOf, formatDay, type Millis, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Observation } from '../../domain/observation.ts';
import { hasPrice } from '../../domain/price.ts';
import type { CardReference } from '../contract/feed.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { EMPTY_REFERENCE, observationsFrom } from '../kit/observations.ts';
import { BadRecord, parseDayPrefix } from '../kit/schema.ts';
import type { RawCard, RawFinish, RawSet } from './raw.ts';

/** What the API calls finishes, as TCGplayer does. */
const FINISHES: Readonly<Record<string, string>> = {
  normal: 'Normal',
  holofoil: 'Holofoil',
  reverseHolofoil: 'Reverse Holofoil',
  '1stEdition': '1st Edition',
  '1stEditionNormal': '1st Edition',
  '1stEditionHolofoil': '1st Edition Holofoil',
  unlimited: 'Unlimited',
  unlimitedNormal: 'Unlimited',
  unlimitedHolofoil: 'Unlimited Holofoil',
};

/** What the adapter knows besides the card. */
export interface AdaptContext {
  /** Sets by their id, for cards that come without. */
  readonly sets: ReadonlyMap<string, RawSet>;
  readonly now: Millis;
  /** When the prices were observed if the operator says so; else they have dates of their own. */
  readonly observedAt: Millis | null;
}

/**
 * A card with its prices at TCGplayer, finish by finish, and at Cardmarket, in euros.
 *
 * @throws BadRecord when its set is not known, or a price or a date cannot be one; OperatorError
 * when no sets are known.
 */
export function adaptCard(raw: RawCard, around: AdaptContext): AdaptedRecord {
  const set = raw.set ?? around.sets.get(raw.id.replace(/-[^-]*$/, ''));
  if (!set) throw noSet(around);
  const finishes = Object.entries(raw.tcgplayer?.prices ?? {});
  return {
    items: [
      {
        card: adaptReference(raw, set),
        observations: [
          ...finishes.flatMap(([finish, prices]) => adaptFinish(raw, finish, prices, around)),
          ...adaptCardmarket(raw, around),
        ],
      },
    ],
    skipped: finishes.flatMap(([finish]) => {
      return finish in FINISHES ? [] : [`price of the unknown finish ${finish}`];
    }),
  };
}

function noSet({ sets }: AdaptContext): Error {
  if (sets.size > 0) return new BadRecord('its set is not in the list of sets');
  return new OperatorError(
    'its cards come without their sets; name the list of sets with --sets sets.en.json',
  );
}

function adaptReference(raw: RawCard, set: RawSet): CardReference {
  const released = parseDayPrefix(set.releaseDate ?? '');
  return {
    ...EMPTY_REFERENCE,
    externalId: raw.id,
    game: 'pokemon',
    name: raw.name,
    number: raw.number,
    setCode: set.ptcgoCode || null,
    setName: set.name,
    rarity: raw.rarity || null,
    image: raw.images?.large ?? null,
    releaseDate: released === undefined ? null : formatDay(released),
  };
}

function adaptFinish(
  { tcgplayer }: RawCard,
  finish: string,
  prices: RawFinish,
  around: AdaptContext,
): Observation[] {
  const printing = FINISHES[finish];
  if (printing === undefined || !tcgplayer) return [];
  return observationsFrom({
    printing,
    marketplace: 'tcgplayer',
    currency: 'USD',
    observedAt: momentOf(tcgplayer.updatedAt, around),
    amounts: { market: prices.market, low: prices.low, mid: prices.mid, high: prices.high },
  });
}

/** Cardmarket tells reverse holos apart from the card, but not its other printings. */
function adaptCardmarket({ cardmarket }: RawCard, around: AdaptContext): Observation[] {
  const prices = cardmarket?.prices;
  if (!prices) return [];
  const observedAt = momentOf(cardmarket.updatedAt, around);
  const rest = { marketplace: 'cardmarket', currency: 'EUR', observedAt } as const;
  return [
    ...observationsFrom({
      ...rest,
      printing: undefined,
      amounts: { market: prices.trendPrice, low: prices.lowPrice },
    }),
    // Zeros stand there for every card, also for those that have no such printing.
    ...observationsFrom({
      ...rest,
      printing: 'Reverse Holofoil',
      amounts: { market: prices.reverseHoloTrend, low: prices.reverseHoloLow },
    }).filter(({ prices }) => hasPrice(prices)),
  ];
}

function momentOf(updatedAt: string, { observedAt, now }: AdaptContext): Millis {
  if (observedAt !== null) return observedAt;
  const day = parseDayPrefix(updatedAt);
  if (day === undefined) throw new BadRecord(`updatedAt "${updatedAt}" is not a day YYYY/MM/DD`);
  if (isFuture(day, now)) throw new BadRecord(`updatedAt ${updatedAt} is in the future`);
  return startOfDay(day);
}

/** Days begin earlier elsewhere. */
function isFuture(day: Day, now: Millis): boolean {
  return day > addDays(dayOf(now), 1);
}

/**
 * The newest day, of those that can be, that stands in a text as that of prices; those of sets have
 * a time of day.
 */
export function newestUpdate(text: string, now: Millis): Millis | undefined {
  const moments = [...text.matchAll(/"updatedAt":\s*"(\d{4}\/\d\d\/\d\d)"/g)].flatMap(([, day]) => {
    const read = parseDayPrefix(day ?? '');
    return read === undefined || isFuture(read, now) ? [] : startOfDay(read);
  });
  return moments.length === 0 ? undefined : Math.max(...moments);
}
