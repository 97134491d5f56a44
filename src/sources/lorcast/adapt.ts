import { formatDay, type Millis } from '../../domain/day.ts';
import type { Observation } from '../../domain/observation.ts';
import type { CardReference } from '../contract/feed.ts';
import type { AdaptedRecord } from '../kit/feed-batcher.ts';
import { EMPTY_REFERENCE, observationsFrom } from '../kit/observations.ts';
import { parseDayPrefix } from '../kit/schema.ts';
import type { RawCard } from './raw.ts';

/** Adapts a card with its prices at TCGplayer, which Lorcast repeats. */
export function adaptCard(raw: RawCard, observedAt: Millis): AdaptedRecord {
  const language = raw.lang ?? 'en';
  if (language !== 'en') return { items: [], skipped: ['card in another language than English'] };
  return { items: [{ card: adaptReference(raw), observations: adaptPrices(raw, observedAt) }] };
}

function adaptReference(raw: RawCard): CardReference {
  return {
    ...EMPTY_REFERENCE,
    externalId: raw.id,
    game: 'lorcana',
    name: raw.version ? `${raw.name} - ${raw.version}` : raw.name,
    number: raw.collector_number,
    setCode: raw.set.code,
    setName: raw.set.name,
    rarity: raw.rarity ? rarityName(raw.rarity) : null,
    externalIds: raw.tcgplayer_id ? { tcgplayer: String(raw.tcgplayer_id) } : {},
    image: raw.image_uris?.digital?.large ?? null,
    releaseDate: releaseDate(raw.set.released_at),
  };
}

/** Turns `Super_rare` into `Super Rare`. */
function rarityName(rarity: string): string {
  return rarity.replaceAll('_', ' ').replace(/(?<= )\p{Ll}/gu, (letter) => letter.toUpperCase());
}

function releaseDate(text: string | null | undefined): string | null {
  const day = parseDayPrefix(text ?? '');
  return day === undefined ? null : formatDay(day);
}

/** All foils of Lorcana are cold foils, and TCGplayer's printing has that name. */
function adaptPrices({ prices }: RawCard, observedAt: Millis): Observation[] {
  const basis = { marketplace: 'tcgplayer', currency: 'USD', observedAt } as const;
  return [
    ...observationsFrom({ ...basis, printing: 'Normal', amounts: { market: prices?.usd } }),
    ...observationsFrom({ ...basis, printing: 'Cold Foil', amounts: { market: prices?.usd_foil } }),
  ];
}
