import type { Answers } from './rendering.ts';

/** Structured data for search engines about the card of a page (https://schema.org/Product). */

/** The parts of a card's answer that the structured data contain. */
interface CardFacts {
  readonly id: string;
  readonly name: string;
  readonly set: string;
  readonly number: string | null;
  readonly rarity: string | null;
  readonly image: string | null;
  readonly currency: string;
  readonly prices: { readonly low: number | null; readonly high: number | null };
}

const CARD_CALL = /^\/dashboard\/v1\/cards\/[a-z0-9-]+(?:\?|$)/;

/**
 * Returns the card of a page as JSON-LD; undefined for a page without one. Its offers are the
 * lowest and the highest listing, because the market price is not an offer.
 * @param url The canonical address of the page.
 */
export function structuredCard(answers: Answers, url: string): object | undefined {
  const found = Object.entries(answers).find(([path]) => CARD_CALL.test(path));
  if (found?.[1].status !== 200) return undefined;
  const { data } = found[1].body as { readonly data: CardFacts };
  const { id, name, set, number, rarity, image, currency, prices } = data;
  const facts = Object.entries({ Set: set, Number: number, Rarity: rarity });
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    sku: id,
    url,
    ...(image !== null && { image }),
    additionalProperty: facts.flatMap(([name, value]) => {
      return value === null ? [] : { '@type': 'PropertyValue', name, value };
    }),
    ...(prices.low !== null && {
      offers: {
        '@type': 'AggregateOffer',
        priceCurrency: currency,
        lowPrice: prices.low,
        ...(prices.high !== null && { highPrice: prices.high }),
      },
    }),
  };
}
