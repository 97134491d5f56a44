import { dayOf, formatDay } from '../../../domain/day.ts';
import { formatAmount, formatName, ratio } from '../amounts.ts';
import type { ValidationContext } from '../finding.ts';
import { DAYS_TO_BELIEVE, SAME_LEVEL } from '../limits.ts';
import { daysAtLevel, isSameLevel } from '../price-level.ts';
import {
  type ComparedAmount,
  daysBetween,
  factorOver,
  isConfirmedElsewhere,
  isFar,
  type PriceMove,
} from './price-moves.ts';

/**
 * Catches an amount that is too far from what the same source reported before, unless another
 * source confirms it: a jumbo card priced as the card ($4.10 to $24.99), cents read as dollars, a
 * placeholder of a cent. TCGCSV's archive has $0.25 that became $55.09 in a day.
 *
 * Too far is three times as much, or a third, from one day to the next (`jumpFactor`), and a dollar:
 * that catches 34 of 262,455 true moves, some thirty new ones a day that the operator could read.
 * A jump is believed on the third day on which its source reports about the same, as long as no
 * other source has a price; time alone proves nothing against others who report something else.
 */
export function priceJump(
  amount: ComparedAmount,
  { limits }: ValidationContext,
): PriceMove | undefined {
  const { resolved, name, is, was, others } = amount;
  const { before, observation } = resolved;
  if (!before || !was) return undefined;
  const days = daysBetween(observation.observedAt, before.observedAt);
  if (!isFar(is, was, factorOver(days, name, limits))) return undefined;
  if (isConfirmedElsewhere(amount, factorOver(0, name, limits))) return undefined;
  const isBelieved = others.length === 0 && isReportedForLong(amount);
  return { rule: 'price-jump', detail: describeJump(amount, was, before.observedAt), isBelieved };
}

/** Whether the source has reported the amount on enough days, by quarantine or by its own days. */
function isReportedForLong({ resolved, name, is }: ComparedAmount): boolean {
  const { observation, before, quarantined } = resolved;
  if (quarantined?.isRejected && isSameLevel(quarantined, observation)) return false;
  const since = before ? dayOf(before.observedAt) : 0;
  const earlierDays = name === 'market' ? (observation.earlierDays ?? []) : [];
  const alike = earlierDays.filter(({ day, market }) => {
    const isBetween = day > since && day < dayOf(observation.observedAt);
    return isBetween && market !== null && market > 0 && ratio(market, is) <= SAME_LEVEL;
  });
  return Math.max(daysAtLevel(quarantined, observation), alike.length + 1) >= DAYS_TO_BELIEVE;
}

function describeJump(
  { resolved, name, is, others }: ComparedAmount,
  was: ComparedAmount['is'],
  wasAt: number,
): string {
  const { observation, cardName, printing } = resolved;
  const [from, to] = [was, is].map((cents) => formatAmount(cents, observation.currency));
  const move = `${formatName(name)} of ${cardName} (${printing}) went from ${from} to ${to}`;
  const whoElse = others.length > 0 ? 'every other source contradicts' : 'no other source tells';
  return `${capitalize(move)} since ${formatDay(dayOf(wasAt))}; ${whoElse}.`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
