import type { Millis } from '../../domain/day.ts';
import type { FeedItem } from '../contract/feed.ts';
import { BadRecord } from '../io/bad-record.ts';
import { type AdaptedRecord, combine } from '../kit/feed-batcher.ts';
import { EMPTY_REFERENCE, observationsFrom } from '../kit/observations.ts';
import { parseCents } from '../kit/schema.ts';
import { parsePrinting, type RawCard, type RawPrinting } from './raw.ts';

/** Adapts a card: one item for each set and rarity in which it was printed. */
export function adaptCard(raw: RawCard, observedAt: Millis): AdaptedRecord {
  const listed = raw.card_sets ?? [];
  if (listed.length === 0) return { items: [], skipped: ['card that is in no set'] };
  const { printings, broken } = parsePrintings(listed);
  const byId = Map.groupBy(printings, (printing) => externalIdOf(raw, printing));
  const adapted = [...byId.values()].map((same) => adaptSame(raw, same, observedAt));
  return combine([...adapted, { items: [], broken }]);
}

/** Parses the printings of a card one by one: a bad one spoils no other. */
function parsePrintings(listed: readonly unknown[]) {
  const printings: RawPrinting[] = [];
  const broken: string[] = [];
  for (const [index, value] of listed.entries()) {
    try {
      printings.push(parsePrinting(value));
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error;
      broken.push(`card_sets.${index} ${error.message}`);
    }
  }
  return { printings, broken };
}

/** Adapts one set and rarity, which the source may list several times. */
function adaptSame(card: RawCard, same: readonly RawPrinting[], observedAt: Millis): AdaptedRecord {
  const [printing] = same;
  if (!printing) return { items: [] };
  try {
    const prices = new Set(same.map(({ set_price }) => parseCents(set_price)));
    // Of contradictory prices, none is taken.
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
 * Makes an id of a card in one set at one rarity, for which the source has none. A set and its
 * reprint share their codes, so that the name of the set is a part of the id.
 */
function externalIdOf(card: RawCard, { set_code, set_rarity, set_name }: RawPrinting): string {
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
      externalId: externalIdOf(card, printing),
      game: 'yugioh',
      name: card.name,
      number: code || null,
      setCode: /^([^-]+)-/.exec(code)?.[1] ?? null,
      setName,
      rarity: rarity || null,
      // No image: YGOPRODeck asks that its pictures are not linked to.
    },
    observations: observationsFrom({
      // YGOPRODeck distinguishes rarities, but not 1st Edition from Unlimited.
      printing: undefined,
      marketplace: 'tcgplayer',
      currency: 'USD',
      observedAt,
      amounts: { market: amount },
    }),
  };
}
