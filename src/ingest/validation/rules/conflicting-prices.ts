import { formatCents } from '../../../domain/money.ts';
import type { SourceObservation } from '../../../domain/observation.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { type Amounts, amountOf, comparedNames } from '../amounts.ts';
import { isSameLevel } from '../belief.ts';
import type { BatchFinding } from '../limits.ts';

/** If two prices are closer than this, in cents, the later one in the file counts. */
const LEAST_CENTS = 100;

/**
 * Catches very different prices from one source for one printing: at the same moment, or for two of
 * its cards that match one card of ours, such as `Card 1` for $10 and `Card 1b` for $400. Nothing
 * shows which price is right, so all prices of the printing are caught.
 *
 * Two prices conflict if they differ by more than half (`SAME_LEVEL`) and by a dollar
 * (`LEAST_CENTS`). If they are closer, the later one in the file counts.
 */
export function* conflictingPrices(batch: readonly ResolvedObservation[]): Generator<BatchFinding> {
  const byPrinting = Map.groupBy(batch, ({ card, printing, source, observation }) => {
    return `${card} ${printing} ${source} ${observation.marketplace}`;
  });
  for (const [, same] of byPrinting) {
    for (const resolved of same) {
      const finding = findConflict(resolved, same);
      if (finding) yield [resolved, finding];
    }
  }
}

/** Compares an observation with others of its printing. */
function findConflict(
  resolved: ResolvedObservation,
  same: readonly ResolvedObservation[],
): Finding | undefined {
  const atOnce = same.filter((one) => isAtOnce(resolved, one));
  for (const { observation: one } of atOnce) {
    const other = atOnce.find((another) => isConflict(one, another.observation));
    if (other) return describe(resolved, one, other.observation);
  }
  return undefined;
}

/** Whether neither of two observations is an update of the other. */
function isAtOnce(one: ResolvedObservation, other: ResolvedObservation): boolean {
  if (one.observation.observedAt === other.observation.observedAt) return true;
  return !!one.externalId && !!other.externalId && one.externalId !== other.externalId;
}

type Priced = Amounts & Pick<SourceObservation, 'currency'>;

function isConflict(a: Priced, b: Priced): boolean {
  if (isSameLevel(a, b)) return false;
  return comparedNames(a, b).some((name) => {
    const [one, other] = [amountOf(a, name), amountOf(b, name)];
    return !!one && !!other && Math.abs(one - other) >= LEAST_CENTS;
  });
}

function describe(
  { source, cardName, printing }: ResolvedObservation,
  a: Priced,
  b: Priced,
): Finding {
  const [name = ''] = comparedNames(a, b);
  const [one, other] = [a, b].map((observation) => {
    const amount = amountOf(observation, name);
    return amount === undefined ? 'one price' : formatCents(amount, observation.currency);
  });
  const detail = `${source} reports both ${one} and ${other} for ${cardName} (${printing}).`;
  return { rule: 'conflicting-prices', detail };
}
