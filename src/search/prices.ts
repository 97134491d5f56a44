import type { LocalPrices } from '../domain/local-prices.ts';
import type { Cents } from '../domain/money.ts';
import type { Documents } from './documents.ts';
import type { DocId } from './fields.ts';

/** Reads the market price by which documents are filtered and sorted; null if there is none. */
export type PriceReader = (documents: Documents, doc: DocId) => Cents | null;

/** Returns a reader of prices in the caller's currency. It avoids reading cards, which is slow. */
export function priceReader(local: LocalPrices | undefined): PriceReader {
  if (!local || local.compared === 'USD') return (documents, doc) => documents.price(doc);
  const { compared } = local;
  return (documents, doc) => {
    return local.shownOf(documents.price(doc), documents.nativePrice(doc, compared));
  };
}
