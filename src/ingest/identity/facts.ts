import type { Kysely } from 'kysely';
import { findGame, rarityLabel } from '../../domain/games.ts';
import type { CardReference } from '../../sources/contract/feed.ts';
import { cardsById, setsById, upsertCards, upsertSets } from '../../store/catalogue/catalogue.ts';
import type { CardRow, Database, SetRow } from '../../store/catalogue/schema.ts';
import type { ImportRun } from '../run.ts';

/** A card of ours with a source's reference that means it. */
export interface DescribedCard {
  /** Row id. */
  readonly card: number;
  readonly reference: CardReference;
}

/**
 * Fills in the image, rarity and release date that the catalogue lacks, inside of `transaction`.
 * What it has stays.
 */
export async function fillFacts(
  { store, publication }: Pick<ImportRun, 'store' | 'publication'>,
  transaction: Kysely<Database>,
  described: readonly DescribedCard[],
): Promise<void> {
  const informative = described.filter(({ reference }) => hasFacts(reference));
  const cards = await cardsById(transaction, unique(informative.map(({ card }) => card)));
  const sets = await setsById(transaction, unique([...cards.values()].map((row) => row.set_id)));
  const { revision } = publication;
  const changed = new Map<number, CardRow>();
  const dated = new Map<number, SetRow>();
  for (const { card, reference } of informative) {
    const row = changed.get(card) ?? cards.get(card);
    const filled = row && filledCard(row, reference);
    if (filled) changed.set(card, { ...filled, revision });
    const set = row && (dated.get(row.set_id) ?? sets.get(row.set_id));
    const { releaseDate } = reference;
    if (set && set.release_date === null && releaseDate !== null) {
      dated.set(set.id, { ...set, release_date: releaseDate, revision });
    }
  }
  if (changed.size + dated.size === 0) return;
  await publication.begin(transaction);
  await upsertCards(store, transaction, [...changed.values()]);
  await upsertSets(store, transaction, [...dated.values()]);
}

function hasFacts({ image, rarity, releaseDate }: CardReference): boolean {
  return image !== null || rarity !== null || releaseDate !== null;
}

/** Returns the card with what it lacked, or undefined when the reference adds nothing. */
function filledCard(row: CardRow, { game, image, rarity }: CardReference): CardRow | undefined {
  const newImage = row.image === null && image !== null;
  const newRarity = row.rarity === null && rarity !== null;
  if (!newImage && !newRarity) return undefined;
  const known = findGame(game);
  const label = rarity !== null && known ? rarityLabel(known, rarity) : rarity;
  return { ...row, image: row.image ?? image, rarity: row.rarity ?? label };
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}
