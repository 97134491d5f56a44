import { OperatorError } from '../../domain/errors.ts';
import { findGame, type GameSlug, rarityLabel } from '../../domain/games.ts';
import type { Observation } from '../../domain/observation.ts';
import { hasPrice } from '../../domain/price.ts';
import type { CardReference, FeedItem } from '../contract/feed.ts';

/**
 * Cards of Magic as Scryfall and MTGJSON know them, who have one entry for all finishes of a card,
 * and as we do. TCGplayer, which our catalogue follows, often lists the etched finish as a product
 * of its own, `Fiery Confluence (Foil Etched)`, whose only printing it calls `Foil`.
 */

/**
 * Checks that the game is wanted that these sources have.
 *
 * @throws OperatorError when it is not.
 */
export function requireMagic(source: string, wanted: readonly GameSlug[] | null): void {
  if (wanted === null || wanted.includes('mtg')) return;
  throw new OperatorError(`${source} has no cards of ${wanted.join(', ')}, only of mtg.`);
}

/** How both call the finishes of a card. There may be others. */
export type Finish = 'nonfoil' | 'foil' | 'etched';

const PRINTINGS: Readonly<Record<string, string>> = {
  nonfoil: 'Normal',
  foil: 'Foil',
  etched: 'Etched',
};

/** What the printing is called of a product that is the etched finish of a card. */
const ETCHED_PRODUCT = { printing: 'Foil', variant: 'Foil Etched' };

/** An entry with what it tells of its card's products. */
export interface MagicCard {
  /** Describes the entry; which product and which printings, is told by what follows. */
  readonly reference: Omit<CardReference, 'game' | 'variant' | 'printings'>;
  readonly finishes: readonly string[];
  /** TCGplayer's product of the etched finish. */
  readonly etchedId: string | null;
}

/** What one finish is worth. */
export type FinishObservation = Omit<Observation, 'printing'> & { readonly finish: Finish };

/** What an entry offers: one card of ours, or two where its etched finish is a card of its own. */
export function magicFeedItems(card: MagicCard, quotes: readonly FinishObservation[]): FeedItem[] {
  const { reference, finishes, etchedId } = card;
  const { tcgplayer, ...otherIds } = reference.externalIds;
  const isOnlyEtched = finishes.length === 1 && finishes[0] === 'etched';
  if (isOnlyEtched) {
    const product = etchedId ?? tcgplayer;
    const ids = product === undefined ? otherIds : { ...otherIds, tcgplayer: product };
    return [etchedOffer({ ...reference, externalIds: ids }, quotes)];
  }
  if (etchedId === null || etchedId === tcgplayer) return [plainOffer(reference, finishes, quotes)];
  const [etched, others] = [true, false].map((wanted) => {
    return quotes.filter(({ finish }) => (finish === 'etched') === wanted);
  });
  const plain = finishes.filter((finish) => finish !== 'etched');
  const key = `${reference.externalId}/etched`;
  return [
    plainOffer(reference, plain, others ?? []),
    etchedOffer(
      { ...reference, externalId: key, externalIds: { tcgplayer: etchedId } },
      etched ?? [],
    ),
  ];
}

function plainOffer(
  reference: MagicCard['reference'],
  finishes: readonly string[],
  quotes: readonly FinishObservation[],
): FeedItem {
  const printings = finishes.map(printingOf);
  return {
    card: { ...reference, game: 'mtg', variant: null, printings },
    observations: quotes.map(({ finish, ...quote }) => ({
      ...quote,
      printing: printingOf(finish),
    })),
  };
}

function etchedOffer(
  reference: MagicCard['reference'],
  quotes: readonly FinishObservation[],
): FeedItem {
  const { printing, variant } = ETCHED_PRODUCT;
  return {
    card: { ...reference, game: 'mtg', variant, printings: [printing] },
    observations: oneOfEachMarket(quotes).map(({ finish, ...quote }) => {
      // What is said of a finish that such a card does not have stays as wrong as it is.
      return { ...quote, printing: finish === 'nonfoil' ? printingOf(finish) : printing };
    }),
  };
}

/** Markets without etched prices tell those of etched cards as those of foils. */
function oneOfEachMarket(quotes: readonly FinishObservation[]): FinishObservation[] {
  const best = new Map<string, FinishObservation>();
  for (const quote of quotes) {
    const key =
      quote.finish === 'nonfoil' ? `${quote.marketplace} ${quote.finish}` : quote.marketplace;
    const before = best.get(key);
    if (!before || isRather(quote, before)) best.set(key, quote);
  }
  return [...best.values()];
}

function isRather(quote: FinishObservation, before: FinishObservation): boolean {
  const [isPriced, wasPriced] = [hasPrice(quote.prices), hasPrice(before.prices)];
  return isPriced === wasPriced ? quote.finish === 'etched' : isPriced;
}

/** What our catalogue calls a finish: `Normal`, `Foil`, `Etched`, `Glossy`. */
function printingOf(finish: string): string {
  return PRINTINGS[finish] ?? finish.charAt(0).toUpperCase() + finish.slice(1);
}

const MAGIC = findGame('mtg');

/** The full label of a rarity: `mythic` is `Mythic`. */
export function magicRarity(raw: string): string {
  return MAGIC ? rarityLabel(MAGIC, raw) : raw;
}
