import type { Finding, ResolvedObservation, StoredQuote } from './candidate.ts';
import { type Amounts, amountOf, formatAmount, judgedFigures, ratio } from './figures.ts';
import { isSameLevel } from './held.ts';
import { LEAST_JUMP } from './limits.ts';

/**
 * Candidates of which the same source says two very different things at once: at one moment, or of
 * two of its cards that are one of ours. Nobody knows which of them is right, nor of a third.
 */
export function* conflictingPrices(
  batch: readonly ResolvedObservation[],
): Generator<[candidate: ResolvedObservation, finding: Finding]> {
  const byPrinting = Map.groupBy(batch, ({ card, printing, source, observation }) => {
    return `${card} ${printing} ${source} ${observation.marketplace}`;
  });
  for (const [, told] of byPrinting) {
    for (const candidate of told) {
      const found = contradiction(candidate, told);
      if (found) yield [candidate, found];
    }
  }
}

/** What is wrong with a candidate beside others for its printing, or beside what was told before. */
function contradiction(
  candidate: ResolvedObservation,
  told: readonly ResolvedObservation[],
): Finding | undefined {
  const { rival } = candidate;
  if (rival && isOther(rival, candidate.observation))
    return finding(candidate, rival, candidate.observation);
  const atOnce = told.filter((one) => isAtOnce(candidate, one));
  for (const { observation } of atOnce) {
    const other = atOnce.find((one) => isOther(observation, one.observation));
    if (other) return finding(candidate, observation, other.observation);
  }
  return undefined;
}

/** Whether neither of two candidates for a printing is a later word on the other. */
function isAtOnce(one: ResolvedObservation, other: ResolvedObservation): boolean {
  if (one.observation.observedAt === other.observation.observedAt) return true;
  return !!one.externalId && !!other.externalId && one.externalId !== other.externalId;
}

type Said = Amounts & Pick<StoredQuote, 'currency'>;

function isOther(a: Said, b: Said): boolean {
  if (isSameLevel(a, b)) return false;
  return judgedFigures(a, b).some((name) => {
    const [one, other] = [amountOf(a, name), amountOf(b, name)];
    return !!one && !!other && Math.abs(one - other) >= LEAST_JUMP && ratio(one, other) > 1;
  });
}

function finding({ source, cardName, printing }: ResolvedObservation, a: Said, b: Said): Finding {
  const [name = ''] = judgedFigures(a, b);
  const [one, other] = [a, b].map((said) => {
    const amount = amountOf(said, name);
    return amount === undefined ? 'one price' : formatAmount(amount, said.currency);
  });
  const detail = `${source} says both ${one} and ${other} of ${cardName} (${printing}).`;
  return { reason: 'conflicting-prices', detail };
}
