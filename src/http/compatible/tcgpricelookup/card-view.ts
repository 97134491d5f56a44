import type { Catalog } from '../../../catalog/catalog.ts';
import {
  type Card,
  defaultPrinting,
  originsOf,
  type Printing,
  UNSPECIFIED,
} from '../../../domain/card.ts';
import { formatMoment, type Millis } from '../../../domain/day.ts';
import { NO_PRICES, type PriceFigures } from '../../../domain/price.ts';
import { dollars, UNPRICED } from '../../v1/views.ts';
import { gameOf } from './sets.ts';

/** The marketplace of the interface's prices other than sales. */
const TCGPLAYER = 'tcgplayer';

/** A printing with its card: a card of the hosted service. */
export interface CardPrinting {
  readonly card: Card;
  readonly printing: Printing;
}

/** Stands for the missing printing of a card without printings. */
export const UNKNOWN_PRINTING: Printing = { rowId: 0, name: UNSPECIFIED, prices: UNPRICED };

/**
 * Returns the id of a printing: the card's id and, if there is one, the printing's name as a code.
 */
function idOf({ card, printing: { name } }: CardPrinting): string {
  return name === UNSPECIFIED ? card.id : `${card.id}.${Buffer.from(name).toString('base64url')}`;
}

/**
 * Returns the printing with an id, or the default printing of the card with the id; undefined for
 * none.
 */
export function printingWithId(catalog: Catalog, id: string): CardPrinting | undefined {
  const [cardId = '', code] = id.split('.');
  const card = catalog.card(cardId);
  if (!card) return undefined;
  const printing = card.printings.find((printing) => idOf({ card, printing }) === id);
  if (printing || code !== undefined) return printing && { card, printing };
  return { card, printing: defaultPrinting(card) ?? UNKNOWN_PRINTING };
}

/** No source reports averages of sales on eBay, and no other prices replace them. */
export const NO_AVERAGES = { avg_1d: null, avg_7d: null, avg_30d: null };

/** A printing as a card. `hasSales` adds the parts of plans with price history. */
export function cardItem(catalog: Catalog, found: CardPrinting, hasSales: boolean) {
  const { card, printing } = found;
  return {
    id: idOf(found),
    tcgplayer_id: tcgplayerId(catalog, card),
    name: card.name,
    number: card.number,
    rarity: card.rarity,
    variant: printing.name === UNSPECIFIED ? null : printing.name,
    image_url: card.image,
    updated_at: formatMoment(updatedAt(catalog, printing)),
    set: { id: card.set.id, slug: card.set.id, name: card.set.name },
    game: gameOf(card.set.game),
    prices: { raw: rawPrices(printing, hasSales), ...(hasSales && { graded: {} }) },
  };
}

/** Returns the only id that TCGplayer has for a card; null if there are several or none. */
function tcgplayerId(catalog: Catalog, card: Card): number | null {
  const ids = catalog.externalIds(card).filter(({ space }) => space === TCGPLAYER);
  return ids.length === 1 ? Number(ids[0]?.id) : null;
}

/** When a price was last observed; for a printing without prices, the time of publication. */
function updatedAt({ publication }: Catalog, { prices }: Printing): Millis {
  const { figuresAt, conditionsAt, gradedAt } = prices;
  const observed = Math.max(figuresAt ?? 0, conditionsAt ?? 0, gradedAt ?? 0);
  return observed || (publication.publishedAt ?? 0);
}

/**
 * Returns TCGplayer's prices by condition. Its four figures count as prices of near mint copies.
 */
function rawPrices(printing: Printing, hasSales: boolean) {
  const { prices } = printing;
  const { figures, conditions } = originsOf(printing);
  const known = conditions === TCGPLAYER ? Object.entries(prices.conditions) : [];
  const raw: Record<string, PriceFigures> = {
    near_mint: NO_PRICES,
    ...Object.fromEntries(known.map(([name, market]) => [name, { ...NO_PRICES, market }])),
    ...(figures === TCGPLAYER && { near_mint: prices }),
  };
  const ebay = hasSales ? { ebay: NO_AVERAGES } : {};
  const views = Object.entries(raw).map(([condition, figures]) => {
    return [condition, { tcgplayer: figuresView(figures), ...ebay }] as const;
  });
  return Object.fromEntries(views);
}

function figuresView({ market, low, mid, high }: PriceFigures) {
  return { market: dollars(market), low: dollars(low), mid: dollars(mid), high: dollars(high) };
}
