import { formatCents } from '../../../domain/money.ts';
import { CONDITIONS } from '../../../domain/price.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';
import { formatName } from '../amounts.ts';
import { hasMovedBy } from './price-moves.ts';

/**
 * How many times the price of a better copy a worse copy may cost. Prices from few sales differ by
 * chance.
 */
const MOST_OVER_BETTER = 1.3;
/** From this factor, an amount has moved. */
const LEAST_CONDITION_MOVE = 1.1;

/**
 * Catches a worn copy that costs far more than a near mint one: $30 damaged and $10 near mint.
 * Catches the price that moved, or both if both moved or neither has a past.
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
