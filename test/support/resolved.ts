import { type Millis, parseDay, startOfDay } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { Currency, Observation, SourceObservation } from '../../src/domain/observation.ts';
import { NO_PRICES, type PriceFigures } from '../../src/domain/price.ts';
import type { ResolvedObservation } from '../../src/ingest/observation.ts';

/** Builds the observations that validation receives, from prices in dollars. */

type Dollars<Figures> = { readonly [Name in keyof Figures]?: number };

/** A source's report about a printing. A plain number is the market price. */
export type Amounts =
  | number
  | (Dollars<PriceFigures> & Dollars<Observation['conditions' | 'graded']>);

/** A short form of an observation. */
export interface Reported {
  readonly is: Amounts | null;
  /** The previous report of the same source. */
  readonly was?: Amounts | null;
  readonly on?: string;
  readonly wasOn?: string;
  readonly source?: string;
  readonly marketplace?: string;
  readonly currency?: Currency;
  readonly wasIn?: Currency;
  readonly card?: number;
  readonly name?: string;
  readonly printing?: string;
  /** The printings of the card; by default only the observed one. */
  readonly known?: readonly string[];
  /** The printings that the source has reported before. */
  readonly listed?: readonly string[];
  readonly stated?: readonly string[] | null;
  /** The reports of other sources, by default on the same day. */
  readonly others?: Readonly<Record<string, Amounts>>;
  readonly othersOn?: string;
  /** The marketplace of these reports; by default tcgplayer. */
  readonly othersAt?: string;
  /** The id under which its source knows the card; by default none. */
  readonly id?: string;
}

const TODAY = '2026-01-28';
const YESTERDAY = '2026-01-27';

/** Returns a resolved observation, by default from tcgcsv on 28 January 2026. */
export function resolved(reported: Reported): ResolvedObservation {
  const { source = 'tcgcsv', marketplace = 'tcgplayer', currency = 'USD' } = reported;
  const {
    on = TODAY,
    wasOn = YESTERDAY,
    wasIn = currency,
    othersOn = on,
    othersAt = 'tcgplayer',
  } = reported;
  const { card = 1, name = 'Charizard', printing = 'Holofoil', was = null } = reported;
  const { known = [printing], listed = [], stated = null } = reported;
  const others = Object.entries(reported.others ?? {}).map(([other, amounts]) => {
    const origin = { source: other, marketplace: othersAt, currency, observedAt: moment(othersOn) };
    return { ...origin, ...inCents(amounts) };
  });
  const before = { source, marketplace, currency: wasIn, observedAt: moment(wasOn) };
  return {
    source,
    card,
    cardName: name,
    printing,
    knownPrintings: known,
    statedPrintings: stated,
    set: { rowId: 1, name: 'Base Set' },
    reportedPrintings: listed,
    externalId: reported.id ?? null,
    observation: {
      printing,
      marketplace,
      currency,
      observedAt: moment(on),
      ...inCents(reported.is ?? {}),
    },
    before: was === null ? undefined : ({ ...before, ...inCents(was) } satisfies SourceObservation),
    others,
  };
}

/** Parses a moment. A date without a time means the start of that day. */
export function moment(date: string): Millis {
  const day = parseDay(date);
  return day === undefined ? Date.parse(date) : startOfDay(day);
}

const CONDITION = /^(near_mint|lightly_played|moderately_played|heavily_played|damaged)$/;

/** Converts amounts in dollars to the parts of an observation. */
export function inCents(amounts: Amounts): Pick<Observation, 'prices' | 'conditions' | 'graded'> {
  const prices: Record<string, Cents> = {};
  const conditions: Record<string, Cents> = {};
  const graded: Record<string, Cents> = {};
  const figures: Record<string, number> =
    typeof amounts === 'number' ? { market: amounts } : { ...amounts };
  for (const [name, dollars] of Object.entries(figures)) {
    const cents = Math.round(dollars * 100) as Cents;
    if (name in NO_PRICES) prices[name] = cents;
    else if (CONDITION.test(name)) conditions[name] = cents;
    else graded[name] = cents;
  }
  return { prices: { ...NO_PRICES, ...prices }, conditions, graded };
}
