import type { LocalPrices } from '../domain/local-prices.ts';
import type { Cents } from '../domain/money.ts';
import type { Documents } from './documents.ts';
import type { DocId } from './fields.ts';

/** Reads the market price by which documents are filtered and sorted; null if there is none. */
export type PriceReader = (documents: Documents, doc: DocId) => Cents | null;

/** Returns what reads prices in a caller's currency. Those in dollars need no card. */
export function priceReader(local: LocalPrices | undefined): PriceReader {
  if (!local || local.compared === 'USD') return (documents, doc) => documents.price(doc);
  return (documents, doc) => local.market(documents.card(doc));
}
