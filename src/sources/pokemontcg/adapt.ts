import { formatDay, type Millis, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { Observation } from '../../domain/observation.ts';
import { hasPrice } from '../../domain/price.ts';
import type { CardReference } from '../contract/feed.ts';
import { BadRecord } from '../io/bad-record.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { EMPTY_REFERENCE, observationsFrom } from '../kit/observations.ts';
import { isFutureDay } from '../kit/observed-at.ts';
import { parseDayPrefix } from '../kit/schema.ts';
import type { RawCard, RawFinish, RawSet } from './raw.ts';

/** TCGplayer's names of the API's finishes. */
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

/** What the adapter needs besides the card. */
export interface AdaptContext {
  /** Sets by id, for cards that come without their set. */
  readonly sets: ReadonlyMap<string, RawSet>;
  readonly now: Millis;
  /** When the prices were observed, if the operator gives it; otherwise they have their own dates. */
  readonly observedAt: Millis | null;
}

/**
 * Adapts a card with its prices at TCGplayer, finish by finish, and at Cardmarket, in euros.
 *
 * @throws BadRecord for an unknown set or an impossible price or date; OperatorError when the card
 * comes without its set and no sets are given.
 */
export function adaptCard(raw: RawCard, context: AdaptContext): AdaptedRecord {
  const set = raw.set ?? context.sets.get(raw.id.replace(/-[^-]*$/, ''));
  if (!set) throw noSet(context);
  const finishes = Object.entries(raw.tcgplayer?.prices ?? {});
  return {
    items: [
      {
        card: adaptReference(raw, set),
        observations: [
          ...finishes.flatMap(([finish, prices]) => adaptFinish(raw, finish, prices, context)),
          ...adaptCardmarket(raw, context),
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
  context: AdaptContext,
): Observation[] {
  const printing = FINISHES[finish];
  if (printing === undefined || !tcgplayer) return [];
  return observationsFrom({
    printing,
    marketplace: 'tcgplayer',
    currency: 'USD',
    observedAt: observedAtOf(tcgplayer.updatedAt, context),
    amounts: { market: prices.market, low: prices.low, mid: prices.mid, high: prices.high },
  });
}

/** Cardmarket prices reverse holos apart, but no other printings. */
function adaptCardmarket({ cardmarket }: RawCard, context: AdaptContext): Observation[] {
  const prices = cardmarket?.prices;
  if (!prices) return [];
  const observedAt = observedAtOf(cardmarket.updatedAt, context);
  const basis = { marketplace: 'cardmarket', currency: 'EUR', observedAt } as const;
  return [
    ...observationsFrom({
      ...basis,
      printing: undefined,
      amounts: { market: prices.trendPrice, low: prices.lowPrice },
    }),
    // Every card has zeros here, also cards without such a printing.
    ...observationsFrom({
      ...basis,
      printing: 'Reverse Holofoil',
      amounts: { market: prices.reverseHoloTrend, low: prices.reverseHoloLow },
    }).filter(({ prices }) => hasPrice(prices)),
  ];
}

function observedAtOf(updatedAt: string, { observedAt, now }: AdaptContext): Millis {
  if (observedAt !== null) return observedAt;
  const day = parseDayPrefix(updatedAt);
  if (day === undefined) throw new BadRecord(`updatedAt "${updatedAt}" is not a day YYYY/MM/DD`);
  if (isFutureDay(day, now)) throw new BadRecord(`updatedAt ${updatedAt} is in the future`);
  return startOfDay(day);
}

/**
 * Returns the newest possible day on which prices in a text were updated. The updates of sets have a
 * time of day, and are ignored.
 */
export function newestUpdate(text: string, now: Millis): Millis | undefined {
  const moments = [...text.matchAll(/"updatedAt":\s*"(\d{4}\/\d\d\/\d\d)"/g)].flatMap(([, day]) => {
    const read = parseDayPrefix(day ?? '');
    return read === undefined || isFutureDay(read, now) ? [] : startOfDay(read);
  });
  return moments.length === 0 ? undefined : Math.max(...moments);
}
