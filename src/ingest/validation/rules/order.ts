import { type Cents, formatCents } from '../../../domain/money.ts';
import { CONDITIONS } from '../../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { capitalize, formatName, isFreshAt } from '../amounts.ts';
import { hasMovedBy } from './price-moves.ts';

/** From this factor, an amount has moved. */
const LEAST_MOVE = 1.05;
/** How many times the raw price of another marketplace may be the price of a graded card. */
const OTHER_RAW = 1.5;

/**
 * Catches grades out of order: a PSA 10 that costs less than a PSA 9, or less than the raw card,
 * because one column was read as another. Of 419 true prices of each kind, none is out of order.
 * The rule catches the amount that moved, otherwise all that are out of order.
 */
export function gradeOrder(resolved: ResolvedObservation): Finding | undefined {
  const { observation } = resolved;
  const { psa_10: ten, psa_9: nine } = observation.graded;
  if (!ten) return undefined;
  if (nine && nine > ten) return describe(resolved, 'psa_10', ten, 'psa_9', nine);
  const own = observation.prices.market;
  if (own) return own > ten ? describe(resolved, 'psa_10', ten, 'market', own) : undefined;
  const raw = freshRaw(resolved);
  return raw && raw > ten * OTHER_RAW ? describe(resolved, 'psa_10', ten, 'raw', raw) : undefined;
}

function freshRaw({ observation, others }: ResolvedObservation): Cents | null | undefined {
  const { currency, observedAt } = observation;
  const fresh = others.find((other) => {
    return other.currency === currency && other.prices.market && isFreshAt(other, observedAt);
  });
  return fresh?.prices.market;
}

function describe(
  resolved: ResolvedObservation,
  lower: string,
  less: Cents,
  upper: string,
  more: Cents,
): Finding {
  const { observation, cardName, printing } = resolved;
  const [one, other] = [less, more].map((cents) => formatCents(cents, observation.currency));
  const names = `the ${formatName(upper)} price of ${cardName} (${printing})`;
  const detail = `${capitalize(names)}, ${other}, is above the ${formatName(lower)} price, ${one}.`;
  const moved = [lower, upper].filter((name) => hasMovedBy(LEAST_MOVE, resolved, name));
  const caught = moved.length === 1 ? moved : [lower, upper];
  // Without its market price the observation as a whole is of no use.
  const amounts = caught.includes('market') && moved.length === 1 ? undefined : gradesOf(caught);
  return { rule: 'grade-order', detail, ...(amounts && { amounts }) };
}

function gradesOf(names: readonly string[]): string[] {
  return names.filter((name) => name !== 'market' && name !== 'raw');
}

/**
 * How many times the price of a better copy a worse one may cost. Prices from few sales differ by
 * chance.
 */
const MOST_OVER_BETTER = 1.3;
/** From this factor, an amount has moved. */
const LEAST_CONDITION_MOVE = 1.1;

/**
 * Catches a worn copy that costs far more than a near mint one: $30 damaged against $10 near mint.
 * The rule catches the price that moved. It catches both if both moved or neither has a past.
 */
export function conditionOrder(resolved: ResolvedObservation): Finding | undefined {
  const { conditions } = resolved.observation;
  const { near_mint: best } = conditions;
  if (!best) return undefined;
  const over = CONDITIONS.filter((name) => (conditions[name] ?? 0) > best * MOST_OVER_BETTER);
  const [worst] = over;
  if (!worst) return undefined;
  const { observation, cardName, printing } = resolved;
  const [one, other] = [conditions[worst] ?? best, best].map((cents) => {
    return formatCents(cents, observation.currency);
  });
  const limit = `more than ${MOST_OVER_BETTER} times near mint, ${other}`;
  const detail = `The ${formatName(worst)} price of ${cardName} (${printing}), ${one}, is ${limit}.`;
  const hasBestMoved = hasMovedBy(LEAST_CONDITION_MOVE, resolved, 'near_mint');
  const moved = over.filter((name) => hasMovedBy(LEAST_CONDITION_MOVE, resolved, name));
  if (hasBestMoved && moved.length === 0)
    return { rule: 'condition-order', detail, amounts: ['near_mint'] };
  const amounts = moved.length > 0 && !hasBestMoved ? moved : ['near_mint', ...over];
  return { rule: 'condition-order', detail, amounts };
}
