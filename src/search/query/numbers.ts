import { type Card, defaultPrinting } from '../../domain/card.ts';
import { type ChangeWindow, percentBetween } from '../../domain/price-changes.ts';
import type { NumberFact } from '../../domain/searched-facts.ts';
import { lastDigits } from '../collector-numbers.ts';
import type { Documents } from '../documents.ts';
import type { DocId } from '../fields.ts';
import type { PriceReader } from '../prices.ts';
import { RARITY_RANKS } from './names.ts';
import type { NumberField } from './tree.ts';

type NumberReader = (documents: Documents, doc: DocId) => number | null;

/** Returns a reader of a document's field as a number; null if the document has none. */
export function numberReader(
  field: Exclude<NumberField, NumberFact>,
  readPrice: PriceReader,
): NumberReader {
  if (field === 'price') return readPrice;
  if (field === 'year') return (documents, doc) => documents.set(doc).releaseYear;
  if (field === 'date') return (documents, doc) => documents.set(doc).releaseDay;
  if (field === 'number') return (documents, doc) => lastDigits(documents.number(doc).text);
  if (field === 'rarity') return (documents, doc) => rankOf(documents.rarity(doc));
  const window = field.slice('change'.length) as ChangeWindow;
  return (documents, doc) => {
    return documents.price(doc) === null ? null : changeOf(documents.card(doc), window);
  };
}

function rankOf(rarity: string | null): number | null {
  const rank = RARITY_RANKS.indexOf(rarity ?? '');
  return rank === -1 ? null : rank;
}

/** The change of the shown price in percent, as the API serves it: null if unknown or in doubt. */
function changeOf(card: Card, window: ChangeWindow): number | null {
  const printing = defaultPrinting(card);
  const base = printing?.bases?.[window] ?? null;
  const market = printing?.prices.market ?? null;
  const isDoubted = printing?.bases?.doubts[window] !== undefined;
  if (base === null || market === null || isDoubted) return null;
  return percentBetween(base, market);
}
