import { type QuarantinedPrice, quarantinedAmounts } from '../domain/quarantined.ts';
import type { QuarantinedDelisting, QuarantinedObservation } from './quarantine.ts';
import type { QuarantineRow } from './schema.ts';

/** Reads what a row of the quarantine is about. */
export function quarantinedPrice(row: QuarantineRow): QuarantinedPrice {
  const { id, source, marketplace, printing, rule, detail, decision } = row;
  return {
    ...{ id, source, marketplace, printing, rule, detail, decision },
    ...contentOf(row),
    externalId: row.external_id,
    observedAt: row.observed_at,
    quarantinedAt: row.quarantined_at,
  };
}

function contentOf({
  observation: json,
  rule,
}: QuarantineRow): Pick<QuarantinedPrice, 'currency' | 'amounts' | 'delisted' | 'days'> {
  if (json === null || rule === 'mass-delisting') {
    const delisted = json === null ? [] : (JSON.parse(json) as QuarantinedDelisting).printings;
    return { currency: 'USD', amounts: [], delisted, days: 1 };
  }
  const { currency, days, amounts, was, ...observation } = JSON.parse(
    json,
  ) as QuarantinedObservation;
  return {
    currency,
    days,
    amounts: quarantinedAmounts(observation, was, amounts),
    delisted: [],
  };
}
