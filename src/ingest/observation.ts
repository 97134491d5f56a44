import type { Day, Millis } from '../domain/day.ts';
import type { Cents } from '../domain/money.ts';
import type { Amounts, Currency, Observation, SourceObservation } from '../domain/observation.ts';
import type { DayPrices, PriceFigures } from '../domain/price.ts';
import type { ValidationRule } from '../domain/quarantined.ts';
import type { CardClaim } from '../store/quarantine/entries.ts';

/**
 * The three states of a price on its way from a source to the served price
 * (docs/glossary.md#observation).
 */

/** A part of an observation: one of the four figures, all conditions, or all grades. */
export type ObservationPart = keyof PriceFigures | 'conditions' | 'graded';

/** 1. An observation: a source's report about a printing of one of our cards. */
export interface CardObservation {
  /** By its name in the table of sources. */
  readonly source: string;
  readonly card: {
    /** Row id. */
    readonly id: number;
    readonly name: string;
  };
  /** The source's own id of the card. */
  readonly externalId: string | null;
  readonly observation: Observation;
  /**
   * Parts that this source cannot report. They keep the values of its observation of the same day.
   */
  readonly missing?: readonly ObservationPart[] | undefined;
  /** All printings of the card, if the source reports them. */
  readonly statedPrintings?: readonly string[] | null;
  /** Why the source may mean another card. */
  readonly conflict?: Finding | undefined;
  /** Why the feed that reports it is not accepted as a whole, in a sentence for the operator. */
  readonly shift?: string | undefined;
  /**
   * The day of the source's newest price at the start of the import. A printing that it has not
   * listed since has no price now. If the printing is new, its earlier days only go into the
   * history.
   */
  readonly presentFrom?: Day | undefined;
}

/** 2. A resolved observation: its card and printing are known, with their earlier state. */
export interface ResolvedObservation
  extends Pick<CardObservation, 'missing' | 'presentFrom' | 'shift'> {
  readonly source: string;
  /** Row id. */
  readonly card: number;
  readonly cardName: string;
  /** The card's set, whose prices are judged together. */
  readonly set: {
    readonly rowId: number;
    readonly name: string;
  };
  /** The name of our printing, which may differ from the one in `observation`. */
  readonly printing: string;
  /** The source's own id of the card. */
  readonly externalId?: string | null;
  /** The card's existing printings. */
  readonly knownPrintings: readonly string[];
  /** The known printings that the same source has reported before. */
  readonly reportedPrintings: readonly string[];
  /** All printings, if the source reports them. */
  readonly statedPrintings: readonly string[] | null;
  readonly observation: Observation;
  /** The last accepted observation from the same source and marketplace for this printing. */
  readonly before: SourceObservation | undefined;
  /** Other sources' observations of this printing. */
  readonly others: readonly SourceObservation[];
  /** Other sources' observations of it that are in quarantine for a price jump. */
  readonly witnesses?: readonly SourceObservation[];
  /** Its market prices in the last 30 days, if they were looked up. */
  readonly level?: PriceLevel | undefined;
  /** Quarantined data from the same source and marketplace for this printing. */
  readonly quarantined?: QuarantinedBefore | undefined;
  /** The rules whose findings on this printing the operator has approved. */
  readonly approvedRules?: readonly ValidationRule[];
  /** Why the source may mean another card. */
  readonly conflict?: Finding | undefined;
}

/** The market prices of a printing in the 30 days before an observation, in cents. */
export interface PriceLevel {
  /** The oldest price of the last 7 days. Without one, the newest of the older days. */
  readonly weekAgo: { readonly day: Day; readonly market: Cents };
  /** Over all 30 days. */
  readonly lowest: Cents;
  readonly highest: Cents;
  /** The median listings of the last 7 days; null if unknown. */
  readonly low: Cents | null;
  readonly mid: Cents | null;
}

/** 3. An accepted observation, which passed validation. */
export interface AcceptedObservation {
  readonly resolved: ResolvedObservation;
  /** The part that may be served, without quarantined days and amounts. */
  readonly observation: Observation;
  /**
   * The day on which its source repeated a whole set, so nothing new was observed. The history
   * marks that day, and the printing's known price keeps its date.
   */
  readonly repeatedOn?: Day | undefined;
  /** The earlier days on which its source repeated a whole set. */
  readonly repeatedDays?: ReadonlySet<Day> | undefined;
}

/** A fault that a validation rule finds. */
export interface Finding {
  readonly rule: ValidationRule;
  /** A sentence for the operator, with the compared numbers and the limit. */
  readonly detail: string;
  /**
   * The names of the wrong amounts (`low`, `psa_10`). Only these are withheld. If undefined, the
   * finding concerns the whole observation.
   */
  readonly amounts?: readonly string[] | undefined;
  /** The other card that the source's id now means. */
  readonly claim?: CardClaim | undefined;
}

/** The quarantined data of a printing. */
export interface QuarantinedBefore extends Amounts {
  readonly rule: ValidationRule | undefined;
  readonly detail: string;
  readonly currency: Currency;
  readonly observedAt: Millis;
  /** The number of days on which its source has reported about the same price. */
  readonly days: number;
  /** The days on which it was quarantined, oldest first. */
  readonly earlierDays?: readonly DayPrices[] | undefined;
  /** The names of the quarantined amounts; undefined for the whole observation. */
  readonly amounts?: readonly string[] | undefined;
  /** The earlier amounts of quarantined conditions and grades, one per day, oldest first. */
  readonly trails?: Readonly<Record<string, readonly Cents[]>> | undefined;
  /** The last accepted value of each of these amounts. */
  readonly was?: Readonly<Record<string, Cents>> | undefined;
  /** Whether the operator has rejected it. */
  readonly isRejected: boolean;
}
