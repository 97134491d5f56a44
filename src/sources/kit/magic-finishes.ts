import { findGame, rarityLabel } from '../../domain/games.ts';
import type { Observation } from '../../domain/observation.ts';
import { hasPrice } from '../../domain/price.ts';
import type { CardReference, FeedItem } from '../contract/feed.ts';

/**
 * Finishes of Magic cards. Scryfall and MTGJSON have one entry for all finishes of a card. The
 * catalogue follows TCGplayer, which often lists the etched finish as a separate product, `Fiery
 * Confluence (Foil Etched)`, whose only printing it calls `Foil`.
 */

/** The finishes that both sources price. Others exist, such as `glossy`. */
export type Finish = 'nonfoil' | 'foil' | 'etched';

const PRINTINGS: Readonly<Record<string, string>> = {
  nonfoil: 'Normal',
  foil: 'Foil',
  etched: 'Etched',
};

/** The printing and the variant of a product for the etched finish of a card. */
const ETCHED_PRODUCT = { printing: 'Foil', variant: 'Foil Etched' };

/** An entry of Scryfall or MTGJSON. */
export interface MagicCard {
  /** The entry's reference; variant and printings depend on the product. */
  readonly reference: Omit<CardReference, 'game' | 'variant' | 'printings'>;
  readonly finishes: readonly string[];
  /** TCGplayer's product id of the etched finish, if known. */
  readonly etchedId: string | null;
}

/** An observation of one finish. */
export type FinishObservation = Omit<Observation, 'printing'> & { readonly finish: Finish };

/**
 * Returns the feed items of an entry: one card of the catalogue, or two if the etched finish is a
 * separate card.
 */
export function magicFeedItems(
  card: MagicCard,
  observations: readonly FinishObservation[],
): FeedItem[] {
  const { reference, finishes, etchedId } = card;
  const { tcgplayer, ...otherIds } = reference.externalIds;
  const isOnlyEtched = finishes.length === 1 && finishes[0] === 'etched';
  if (isOnlyEtched) {
    const product = etchedId ?? tcgplayer;
    const externalIds = product === undefined ? otherIds : { ...otherIds, tcgplayer: product };
    return [etchedItem({ ...reference, externalIds }, observations)];
  }
  if (etchedId === null || etchedId === tcgplayer) {
    return [plainItem(reference, finishes, observations)];
  }
  const isEtched = (finish: string) => finish === 'etched';
  const plainFinishes = finishes.filter((finish) => !isEtched(finish));
  const plain = observations.filter(({ finish }) => !isEtched(finish));
  const etched = observations.filter(({ finish }) => isEtched(finish));
  const etchedReference = {
    ...reference,
    externalId: `${reference.externalId}/etched`,
    externalIds: { tcgplayer: etchedId },
  };
  return [plainItem(reference, plainFinishes, plain), etchedItem(etchedReference, etched)];
}

function plainItem(
  reference: MagicCard['reference'],
  finishes: readonly string[],
  observations: readonly FinishObservation[],
): FeedItem {
  const printings = finishes.map(printingName);
  return {
    card: { ...reference, game: 'mtg', variant: null, printings },
    observations: observations.map(({ finish, ...observation }) => ({
      ...observation,
      printing: printingName(finish),
    })),
  };
}

function etchedItem(
  reference: MagicCard['reference'],
  observations: readonly FinishObservation[],
): FeedItem {
  const { printing, variant } = ETCHED_PRODUCT;
  return {
    card: { ...reference, game: 'mtg', variant, printings: [printing] },
    observations: bestByMarketplace(observations).map(({ finish, ...observation }) => {
      // A price of the finish `nonfoil`, which such a card does not have, keeps its wrong printing.
      return { ...observation, printing: finish === 'nonfoil' ? printingName(finish) : printing };
    }),
  };
}

/**
 * Keeps one foil or etched observation for each marketplace: marketplaces without etched prices
 * report prices of etched cards as prices of foils.
 */
function bestByMarketplace(observations: readonly FinishObservation[]): FinishObservation[] {
  const best = new Map<string, FinishObservation>();
  for (const observation of observations) {
    const { finish, marketplace } = observation;
    const key = finish === 'nonfoil' ? `${marketplace} ${finish}` : marketplace;
    const before = best.get(key);
    if (!before || isBetter(observation, before)) best.set(key, observation);
  }
  return [...best.values()];
}

/**
 * An observation with a price precedes one without; between two prices, the etched one is first.
 */
function isBetter(observation: FinishObservation, before: FinishObservation): boolean {
  const [isPriced, wasPriced] = [hasPrice(observation.prices), hasPrice(before.prices)];
  return isPriced === wasPriced ? observation.finish === 'etched' : isPriced;
}

/** Returns the catalogue's name of a finish: `Normal`, `Foil`, `Etched`, `Glossy`. */
function printingName(finish: string): string {
  return PRINTINGS[finish] ?? finish.charAt(0).toUpperCase() + finish.slice(1);
}

/** Returns the name of a card with its size. It has the number of the card that it shows. */
export function magicName(name: string, isOversized: boolean | null | undefined): string {
  return isOversized ? `${name} (Oversized)` : name;
}

const MAGIC = findGame('mtg');

/** Returns the full label of a rarity: `mythic` becomes `Mythic`. */
export function magicRarity(raw: string): string {
  return MAGIC ? rarityLabel(MAGIC, raw) : raw;
}
