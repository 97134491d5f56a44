import type { Kysely } from 'kysely';
import { findGame, rarityLabel } from '../../domain/games.ts';
import type { CardReference } from '../../sources/contract/feed.ts';
import { CARDS, cardsById, SETS, setsById } from '../../store/catalogue.ts';
import type { BulkRow } from '../../store/engine.ts';
import type { CardRow, Database, SetRow } from '../../store/schema.ts';
import type { ImportRun } from '../run.ts';

/** A card of ours that a source describes. */
export interface DescribedCard {
  /** Row id. */
  readonly card: number;
  readonly reference: CardReference;
}

/** Fills in what the catalogue does not know of cards and their sets. What it knows stays. */
export async function fillFacts(
  { store, publication }: Pick<ImportRun, 'store' | 'publication'>,
  transaction: Kysely<Database>,
  described: readonly DescribedCard[],
): Promise<void> {
  const telling = described.filter(({ reference }) => tells(reference));
  const cards = await cardsById(transaction, unique(telling.map(({ card }) => card)));
  const sets = await setsById(transaction, unique([...cards.values()].map((row) => row.set_id)));
  const { revision } = publication;
  const changed = new Map<number, CardRow>();
  const dated = new Map<number, SetRow>();
  for (const { card, reference } of telling) {
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
  await store.engine.upsert(transaction, CARDS, [...changed.values()].map(cardRow));
  await store.engine.upsert(transaction, SETS, [...dated.values()].map(setRow));
}

function tells({ image, rarity, releaseDate }: CardReference): boolean {
  return image !== null || rarity !== null || releaseDate !== null;
}

/** The card with what it lacked, or undefined when it lacks nothing that is told. */
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

function cardRow(row: CardRow): BulkRow {
  const { id, public_id, set_id, name, number, rarity, image, revision } = row;
  return [id, public_id, set_id, name, number, rarity, image, revision];
}

function setRow({ id, game, code, name, release_date, revision }: SetRow): BulkRow {
  return [id, game, code, name, release_date, revision];
}
