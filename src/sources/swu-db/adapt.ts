import type { Millis } from '../../domain/day.ts';
import type { Observation } from '../../domain/observation.ts';
import type { CardReference } from '../contract/feed.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { EMPTY_REFERENCE, observationsFrom } from '../kit/observations.ts';
import type { RawCard } from './raw.ts';

/** Adapts a card with its prices at TCGplayer, which SWU-DB repeats. */
export function adaptCard(raw: RawCard, observedAt: Millis): AdaptedRecord {
  return { items: [{ card: adaptReference(raw), observations: adaptPrices(raw, observedAt) }] };
}

function adaptReference(raw: RawCard): CardReference {
  const variant = variantOf(raw);
  return {
    ...EMPTY_REFERENCE,
    externalId: [raw.Set, raw.Number, ...(isPlain(raw) ? [] : [raw.VariantType])].join('/'),
    game: 'swu',
    name: nameOf(raw),
    number: raw.Number,
    setCode: raw.Set,
    rarity: raw.Rarity || null,
    variant,
    image: raw.FrontArt || null,
  };
}

/** Returns `Director Krennic - Aspiring to Authority`, or the name alone. */
export function nameOf({ Name, Subtitle }: RawCard): string {
  return Subtitle ? `${Name} - ${Subtitle}` : Name;
}

function isPlain({ VariantType }: RawCard): boolean {
  return VariantType === 'Normal' || VariantType === 'Standard';
}

/** Returns the art without the finish: `Hyperspace Foil` is the foil of the card `Hyperspace`. */
function variantOf(raw: RawCard): string | null {
  if (isPlain(raw)) return null;
  const art = raw.VariantType.replace(/\bFoil\b/, '').trim();
  return art === '' || art === 'Standard' ? null : art;
}

function adaptPrices(raw: RawCard, observedAt: Millis): Observation[] {
  const basis = { marketplace: 'tcgplayer', currency: 'USD', observedAt } as const;
  return [
    ...observationsFrom({
      ...basis,
      printing: ownPrinting(raw),
      amounts: { market: raw.MarketPrice, low: raw.LowPrice },
    }),
    ...observationsFrom({
      ...basis,
      printing: 'Foil',
      amounts: { market: raw.FoilPrice, low: raw.LowFoilPrice },
    }),
  ];
}

/** Returns the printing of the price that is not of a foil. Some arts exist as foils only. */
function ownPrinting(raw: RawCard): string | undefined {
  if (/\bFoil\b/.test(raw.VariantType)) return 'Foil';
  return isPlain(raw) || raw.VariantType === 'Hyperspace' ? 'Normal' : undefined;
}
