import type { Day, Millis } from '../domain/day.ts';
import type { Cents } from '../domain/money.ts';
import type { Amounts, Currency, Observation, SourceObservation } from '../domain/observation.ts';
import type { DayPrices, PriceFigures } from '../domain/price.ts';
import type { ValidationRule } from '../domain/quarantined.ts';
import type { CardClaim } from '../store/quarantine/entries.ts';

/**
 * The three states of a price on its way from a source to what is served
 * (docs/glossary.md#observation).
 */

/** A part of an observation: one of the four figures, all conditions, or all grades. */
export type ObservationPart = keyof PriceFigures | 'conditions' | 'graded';

/** 1. An observation: what a source reports of a printing of one of our cards. */
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
  /** Parts that this source cannot report. They stay as in its observation of the same day. */
  readonly missing?: readonly ObservationPart[] | undefined;
  /** Every printing that the card has, where the source reports that. */
  readonly statedPrintings?: readonly string[] | null;
  /** Why the card may not be the one that the source means. */
  readonly conflict?: Finding | undefined;
  /** Why the feed that reports it is not believed as a whole, in a sentence for the operator. */
  readonly shift?: string | undefined;
  /**
   * The day of the newest price that the source had when the import began. A printing that it has
   * not listed since has no price now: if it is new, its earlier days only go to the history.
   */
  readonly presentFrom?: Day | undefined;
}

/** 2. A resolved observation: card and printing are known, with what was known of them before. */
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
  /** The printings that the card has already. */
  readonly knownPrintings: readonly string[];
  /** The known printings that the same source has reported before. */
  readonly reportedPrintings: readonly string[];
  /** All printings that there are, where the source reports that. */
  readonly statedPrintings: readonly string[] | null;
  readonly observation: Observation;
  /** The last accepted one of the same source and marketplace for this printing. */
  readonly before: SourceObservation | undefined;
  /** What other sources report of this printing. */
  readonly others: readonly SourceObservation[];
  /** Other sources' reports of it that are in quarantine for a price jump. */
  readonly witnesses?: readonly SourceObservation[];
  /** What its market price was in the last 30 days, where that has been looked up. */
  readonly level?: PriceLevel | undefined;
  /** What the same source and marketplace have in quarantine for this printing. */
  readonly quarantined?: QuarantinedBefore | undefined;
  /** The rules whose findings on this printing the operator has approved. */
  readonly approvedRules?: readonly ValidationRule[];
  /** Why the card itself may not be the one that the source means. */
  readonly conflict?: Finding | undefined;
}

/** The market prices that a printing had in the 30 days before an observation, in cents. */
export interface PriceLevel {
  /** The oldest of the last 7 days; of older days, the newest. */
  readonly weekAgo: { readonly day: Day; readonly market: Cents };
  /** Of all 30 days. */
  readonly lowest: Cents;
  readonly highest: Cents;
  /** The median listings of the last 7 days; null where unknown. */
  readonly low: Cents | null;
  readonly mid: Cents | null;
}

/** 3. An accepted observation: validation let it pass. */
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

/** What a validation rule finds wrong. */
export interface Finding {
  readonly rule: ValidationRule;
  /** A sentence for the operator, with the numbers that were compared and the limit. */
  readonly detail: string;
  /**
   * The names of the wrong amounts (`low`, `psa_10`). These are not served, and the others are. If
   * undefined, the finding is about the whole observation.
   */
  readonly amounts?: readonly string[] | undefined;
  /** The other card that the source's id now means. */
  readonly claim?: CardClaim | undefined;
}

/** What is already in quarantine for a printing. */
export interface QuarantinedBefore extends Amounts {
  readonly rule: ValidationRule | undefined;
  readonly detail: string;
  readonly currency: Currency;
  readonly observedAt: Millis;
  /** On how many days its source has reported about the same price. */
  readonly days: number;
  /** The days on which it was quarantined, oldest first. */
  readonly earlierDays?: readonly DayPrices[] | undefined;
  /** The names of the amounts that are quarantined; undefined for the whole observation. */
  readonly amounts?: readonly string[] | undefined;
  /** The earlier amounts of quarantined conditions and grades, one a day, oldest first. */
  readonly trails?: Readonly<Record<string, readonly Cents[]>> | undefined;
  /** The last accepted value of each of these amounts. */
  readonly was?: Readonly<Record<string, Cents>> | undefined;
  /** Whether the operator has rejected it. */
  readonly isRejected: boolean;
}
