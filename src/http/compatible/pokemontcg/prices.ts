import {
  type Card,
  type NativePrices,
  originsOf,
  type Printing,
  type ServedPrices,
  UNSPECIFIED,
} from '../../../domain/card.ts';
import { dayOf, formatDay } from '../../../domain/day.ts';
import { POKEMONTCG_FINISHES } from '../../../domain/pokemontcg.ts';
import { hasPrice } from '../../../domain/price.ts';
import { dollars } from '../../v1/views.ts';

/** The prices of a card in the blocks of the Pokémon TCG API. */

const FINISH_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(POKEMONTCG_FINISHES).map(([finish, printing]) => [printing, finish]),
);

/** Returns TCGplayer's prices by finish; undefined if none are served. */
export function tcgplayerBlock({ printings }: Card, url: string | undefined) {
  const priced = printings.flatMap((printing) => {
    const finish = FINISH_OF.get(printing.name);
    return finish !== undefined && isFrom('tcgplayer', printing) ? [{ finish, printing }] : [];
  });
  if (priced.length === 0) return undefined;
  const blocks = priced.map(({ finish, printing: { prices } }) => {
    const { low, mid, high, market } = prices;
    const figures = { low: dollars(low), mid: dollars(mid), high: dollars(high) };
    return [finish, { ...figures, market: dollars(market), directLow: null }] as const;
  });
  return {
    url,
    updatedAt: updatedAt(priced.map(({ printing }) => printing.prices)),
    prices: Object.fromEntries(blocks),
  };
}

/** The further fields of Cardmarket's block, which none of our sources gives. */
const UNKNOWN = Object.freeze({
  averageSellPrice: null,
  germanProLow: null,
  suggestedPrice: null,
  reverseHoloSell: null,
  lowPriceExPlus: null,
  avg1: null,
  avg7: null,
  avg30: null,
  reverseHoloAvg1: null,
  reverseHoloAvg7: null,
  reverseHoloAvg30: null,
});

/** Returns Cardmarket's prices in euros; undefined if none are known. */
export function cardmarketBlock({ printings }: Card, url: string | undefined) {
  const reverse = printings.find(({ name }) => name === 'Reverse Holofoil');
  const others = printings.filter((printing) => printing !== reverse);
  const [plain] = others.flatMap((printing) => eurosOf(printing) ?? []);
  const ofReverse = reverse && eurosOf(reverse);
  if (!plain && !ofReverse) return undefined;
  return {
    url,
    updatedAt: updatedAt([plain ?? [], ofReverse ?? []].flat()),
    prices: {
      ...UNKNOWN,
      lowPrice: dollars(plain?.low),
      trendPrice: dollars(plain?.market),
      reverseHoloLow: dollars(ofReverse?.low),
      reverseHoloTrend: dollars(ofReverse?.market),
    },
  };
}

function eurosOf({ name, native = [] }: Printing): ServedPrices | undefined {
  if (!FINISH_OF.has(name) && name !== UNSPECIFIED) return undefined;
  const euros = native.find((one) => one.currency === 'EUR' && isFrom('cardmarket', one));
  return euros?.prices;
}

/** Whether the figures come from a marketplace. */
function isFrom(marketplace: string, priced: Pick<Printing | NativePrices, 'prices' | 'origins'>) {
  return hasPrice(priced.prices) && originsOf(priced).figures === marketplace;
}

/** The newest day of some prices: `2026/01/28`. */
function updatedAt(priced: readonly ServedPrices[]): string | undefined {
  const moments = priced.flatMap(({ figuresAt }) => figuresAt ?? []);
  return moments.length === 0 ? undefined : slashed(formatDay(dayOf(Math.max(...moments))));
}

/** Formats a date in the API's form. */
export function slashed(date: string): string {
  return date.replaceAll('-', '/');
}
