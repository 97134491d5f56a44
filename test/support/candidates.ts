import { type Millis, parseDay, startOfDay } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import type { Currency, Observation } from '../../src/domain/observation.ts';
import { NO_PRICES, type PriceFigures } from '../../src/domain/price.ts';
import type { ResolvedObservation, StoredQuote } from '../../src/ingest/validation/index.ts';

/** What sources say, in dollars, as the guard is asked about it. */

type Dollars<Figures> = { readonly [Name in keyof Figures]?: number };

/** What a source says of a printing. A number alone is the market price. */
export type Said = number | (Dollars<PriceFigures> & Dollars<Observation['conditions' | 'graded']>);

export interface Told {
  readonly is: Said | null;
  /** What the same source said before. */
  readonly was?: Said | null;
  readonly on?: string;
  readonly wasOn?: string;
  readonly source?: string;
  readonly market?: string;
  readonly currency?: Currency;
  readonly wasIn?: Currency;
  readonly card?: number;
  readonly name?: string;
  readonly printing?: string;
  /** Those that the card has; its own unless told. */
  readonly known?: readonly string[];
  readonly stated?: readonly string[] | null;
  /** What other sources say on the same day unless told. */
  readonly others?: Readonly<Record<string, Said>>;
  readonly othersOn?: string;
}

const TODAY = '2026-01-28';
const YESTERDAY = '2026-01-27';

/** What the guard is asked when a source says that on a day (`on`, 28 January 2026 unless told). */
export function candidate(told: Told): ResolvedObservation {
  const { source = 'tcgcsv', market = 'tcgplayer', currency = 'USD' } = told;
  const { on = TODAY, wasOn = YESTERDAY, wasIn = currency, othersOn = on } = told;
  const { card = 1, name = 'Charizard', printing = 'Holofoil', was = null } = told;
  const others = Object.entries(told.others ?? {}).map(([other, said]) => {
    return stored(said, {
      source: other,
      marketplace: market,
      currency,
      observedAt: moment(othersOn),
    });
  });
  const { known = [printing], stated = null } = told;
  return {
    ...{ source, card, cardName: name, printing, knownPrintings: known, statedPrintings: stated },
    observation: {
      printing,
      marketplace: market,
      currency,
      observedAt: moment(on),
      ...amounts(told.is ?? {}),
    },
    before:
      was === null
        ? undefined
        : stored(was, { source, marketplace: market, currency: wasIn, observedAt: moment(wasOn) }),
    others,
  };
}

type Origin = Pick<StoredQuote, 'source' | 'marketplace' | 'currency' | 'observedAt'>;

function stored(said: Said, origin: Origin): StoredQuote {
  return { ...origin, ...amounts(said) };
}

/** The first moment of a day; a moment stays what it is. */
export function moment(date: string): Millis {
  const day = parseDay(date);
  return day === undefined ? Date.parse(date) : startOfDay(day);
}

const CONDITION = /^(near_mint|lightly_played|moderately_played|heavily_played|damaged)$/;

function amounts(said: Said): Pick<Observation, 'prices' | 'conditions' | 'graded'> {
  const prices: Record<string, Cents> = {};
  const conditions: Record<string, Cents> = {};
  const graded: Record<string, Cents> = {};
  const figures: Record<string, number> = typeof said === 'number' ? { market: said } : { ...said };
  for (const [name, dollars] of Object.entries(figures)) {
    const cents = Math.round(dollars * 100) as Cents;
    if (name in NO_PRICES) prices[name] = cents;
    else if (CONDITION.test(name)) conditions[name] = cents;
    else graded[name] = cents;
  }
  return { prices: { ...NO_PRICES, ...prices }, conditions, graded };
}
