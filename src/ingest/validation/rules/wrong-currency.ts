import type { Currency } from '../../../domain/observation.ts';
import type { Finding, ResolvedObservation } from '../../observation.ts';

/** The currencies of marketplaces that have only one. */
const CURRENCIES: Readonly<Record<string, Currency>> = {
  tcgplayer: 'USD',
  cardkingdom: 'USD',
  pricecharting: 'USD',
  cardmarket: 'EUR',
};

/**
 * Catches prices in another currency than their marketplace has: Cardmarket's euros labelled as
 * dollars are about a tenth off, which no other rule would notice. At a marketplace that we do not
 * know, such as a shop in somebody's own file, the currency must be the one that it had before.
 */
export function wrongCurrency({
  observation: { marketplace, currency },
  before,
  cardName,
  printing,
}: ResolvedObservation): Finding | undefined {
  const expected = CURRENCIES[marketplace] ?? before?.currency ?? currency;
  if (currency === expected) return undefined;
  const price = `The price of ${cardName} (${printing}) at ${marketplace}`;
  return { rule: 'wrong-currency', detail: `${price} is in ${currency}, not ${expected}.` };
}
