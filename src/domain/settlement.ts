import { addDays, type Day, dayOf } from './day.ts';
import {
  findValidationRule,
  type QuarantinedPrice,
  tellingAmount,
  WITNESS_FACTOR,
} from './quarantined.ts';

/** How entries of the quarantine are settled without the operator (docs/pricing.md). */

/** The event that settles an entry, and its closing day otherwise. */
export interface Settlement {
  /** A sentence about the event that would settle it. */
  readonly by: string;
  /** The first day (UTC) whose imports close it; null if it does not wait. */
  readonly closesOn: Day | null;
}

/** How many days an entry waits before it closes by itself. */
export const WAITING_DAYS = {
  /** A price that its source reports, or reported last. */
  report: 30,
  /** A past day, which does not affect served prices. */
  pastDay: 7,
} as const;

const CORRECTED = 'its source corrects it';

const BY_RULE: Readonly<Record<string, string>> = {
  'absurd-price': 'its source reports a possible amount',
  'absurd-date': 'its source reports a possible date',
  'wrong-currency': CORRECTED,
  'shared-external-id': CORRECTED,
  'reassigned-id': CORRECTED,
  'conflicting-prices': 'its source reports one price',
  'unknown-printing': 'its source lists that finish or edition',
  'set-shift': 'the set returns to its earlier prices, or another source has the same ones',
  'partial-shift': 'these prices return to what they were, or another source has the same ones',
  'source-shift': 'its next file agrees with the other sources again',
  'outside-listings': 'its listings follow the price, or the price returns',
  'stray-listing': 'its source reports listings that fit the market price',
  'grade-order': 'better grades cost more again',
  'condition-order': 'better conditions cost more again',
  'mass-delisting': 'its source reports these prices again',
};

const BY_ANOTHER = 'another source reports a similar price, or the price returns';

/** Returns the event that would settle an entry, and when it closes by itself. */
export function settlementOf(price: QuarantinedPrice): Settlement {
  const { decision, days, delisted, quarantinedAt } = price;
  const isPastDay = days === 0 && delisted.length === 0;
  const waits = isPastDay ? WAITING_DAYS.pastDay : WAITING_DAYS.report;
  const closesOn = decision === null ? addDays(dayOf(quarantinedAt), waits) : null;
  const by = isPastDay
    ? 'Only a decision settles it, because its day has passed.'
    : `${bySentence(price)}`;
  return { by, closesOn };
}

function bySentence(price: QuarantinedPrice): string {
  const known = findValidationRule(price.rule);
  const own = known && BY_RULE[known];
  const text =
    own ??
    (isJump(price)
      ? `${BY_ANOTHER}, or its source keeps reporting it for long enough`
      : BY_ANOTHER);
  return `It is settled when ${text}, or by a decision.`;
}

/** Whether an entry is a jump that its own source can confirm. */
function isJump(price: QuarantinedPrice): boolean {
  const ratio = tellingAmount(price)?.ratio ?? null;
  return price.rule === 'price-jump' && ratio !== null && ratio < WITNESS_FACTOR;
}

/** Why an entry closed by itself; null for another decision. */
export function closedBecause({ decision, days }: QuarantinedPrice): string | null {
  if (decision !== 'closed') return null;
  return days === 0
    ? 'Its day has passed, and a later price is served.'
    : `Nothing settled it in ${WAITING_DAYS.report} days. It is not served until something does.`;
}
