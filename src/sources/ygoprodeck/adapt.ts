import type { Millis } from '../../domain/day.ts';
import type { FeedItem } from '../contract/feed.ts';
import { type AdaptedRecord, combine } from '../kit/feed-batcher.ts';
import { EMPTY_REFERENCE, observationsFrom } from '../kit/observations.ts';
import { BadRecord, parseCents } from '../kit/schema.ts';
import type { RawCard, RawPrinting } from './raw.ts';

/** A card's printings in sets: an offer for each. */
export function adaptCard(raw: RawCard, observedAt: Millis): AdaptedRecord {
  const printings = raw.card_sets ?? [];
  if (printings.length === 0) return { items: [], skipped: ['card that is in no set'] };
  const byKey = Map.groupBy(printings, (printing) => keyOf(raw, printing));
  return combine([...byKey.values()].map((same) => adaptSame(raw, same, observedAt)));
}

/** One printing, which the source may list several times. */
function adaptSame(card: RawCard, same: readonly RawPrinting[], observedAt: Millis): AdaptedRecord {
  const [printing] = same;
  if (!printing) return { items: [] };
  try {
    const prices = new Set(same.map(({ set_price }) => parseCents(set_price)));
    // Of several that contradict each other nothing tells which is true.
    const amount = prices.size === 1 ? printing.set_price : undefined;
    return {
      items: [adaptPrinting(card, printing, amount, observedAt)],
      skipped: prices.size === 1 ? [] : ['contradictory price'],
    };
  } catch (error) {
    if (!(error instanceof BadRecord)) throw error;
    const { set_code, set_rarity } = printing;
    return { items: [], broken: [`${set_code} (${set_rarity}): ${error.message}`] };
  }
}

/**
 * What the source has no id for: one card in one set at one rarity. The same code stands for a set
 * and its reprint years later, so that the name of the set is a part of it.
 */
function keyOf(card: RawCard, { set_code, set_rarity, set_name }: RawPrinting): string {
  return [card.id ?? card.name, set_code, set_rarity, set_name].join('|');
}

function adaptPrinting(
  card: RawCard,
  printing: RawPrinting,
  amount: RawPrinting['set_price'],
  observedAt: Millis,
): FeedItem {
  const { set_code: code, set_name: setName, set_rarity: rarity } = printing;
  return {
    card: {
      ...EMPTY_REFERENCE,
      externalId: keyOf(card, printing),
      game: 'yugioh',
      name: card.name,
      number: code || null,
      setCode: /^([^-]+)-/.exec(code)?.[1] ?? null,
      setName,
      rarity: rarity || null,
      // No image: YGOPRODeck asks that its pictures are not linked to.
    },
    observations: observationsFrom({
      // It tells rarities apart, but not 1st Edition from Unlimited.
      printing: undefined,
      marketplace: 'tcgplayer',
      currency: 'USD',
      observedAt,
      amounts: { market: amount },
    }),
  };
}
