import { findGame, rarityLabel } from '../../domain/games.ts';
import type { CardReference, IdSpace } from '../../sources/contract/feed.ts';
import {
  cardsById,
  externalIdsOfCards,
  readExternalIds,
  setsById,
  upsertCardExternalIds,
  upsertCards,
  upsertSets,
} from '../../store/catalogue/catalogue.ts';
import type { StoredCard, StoredExternalId, StoredSet } from '../../store/catalogue/records.ts';
import type { Transaction } from '../../store/connect.ts';
import type { ImportRun } from '../run.ts';
import type { ExternalIdOwner } from '../validation/index.ts';

/** The source that owns the ids of each id space, by its name in the store. */
export const ID_SPACE_OWNERS: Readonly<Record<IdSpace, string>> = {
  tcgplayer: 'tcgcsv',
  scryfall: 'scryfall',
  cardmarket: 'cardmarket',
};

export const ID_SPACES = Object.keys(ID_SPACE_OWNERS) as readonly IdSpace[];

/** An external id of a card that is not known yet, or belongs to another card. */
export type NewExternalId = Omit<StoredExternalId, 'revision'>;

/** The dependencies for storing external ids. */
type IdRun = Pick<ImportRun, 'store' | 'publication'>;

/** Stores a source's own ids of cards, so the next import finds the cards by id. */
export async function learnExternalIds(
  run: IdRun,
  transaction: Transaction,
  source: string,
  described: readonly DescribedCard[],
): Promise<void> {
  const own = new Map(described.map(({ card, reference }) => [reference.externalId, card]));
  const known = await readExternalIds(transaction, source, [...own.keys()]);
  const changed = [...own].filter(([externalId, card]) => known.get(externalId) !== card);
  const ids = changed.map(([externalId, cardRowId]) => ({
    idSpace: source,
    externalId,
    cardRowId,
  }));
  await rememberExternalIds(run, transaction, ids);
}

/** Writes external ids of cards. */
export async function rememberExternalIds(
  { store, publication }: IdRun,
  transaction: Transaction,
  ids: readonly NewExternalId[],
): Promise<void> {
  if (ids.length === 0) return;
  await publication.begin(transaction);
  const { revision } = publication;
  const dated = ids.map((id) => ({ ...id, revision }));
  await upsertCardExternalIds(store, transaction, dated);
}

/** Ids in one transaction. */
const AT_ONCE = 10_000;

/**
 * Collects a feed's new ids of other sources for cards. An id that two cards claim belongs to
 * neither: Cardmarket has one product for several arts of a card. Such conflicts show only at the
 * end of the feed, so new ids stay in memory until then.
 */
export class NewExternalIds {
  readonly #source: string;
  readonly #ownerOf: ExternalIdOwner;
  /** Card row ids by the owner of the id and by the id; null if different cards claim it. */
  readonly #claims = new Map<string, Map<string, number | null>>();

  constructor(source: string, ownerOf: ExternalIdOwner) {
    this.#source = source;
    this.#ownerOf = ownerOf;
  }

  /** Notes the new ids of some cards. */
  note(described: readonly DescribedCard[]): void {
    for (const { card, reference } of described) {
      for (const idSpace of ID_SPACES) {
        const id = reference.externalIds[idSpace];
        const owner = ID_SPACE_OWNERS[idSpace];
        if (id === undefined || owner === this.#source) continue;
        if (this.#ownerOf(idSpace, id) === undefined) this.#claim(owner, id, card);
      }
    }
  }

  #claim(owner: string, id: string, card: number): void {
    const claims = this.#claims.get(owner) ?? new Map<string, number | null>();
    this.#claims.set(owner, claims);
    const other = claims.get(id);
    claims.set(id, other === undefined || other === card ? card : null);
  }

  /** Stores the noted ids. A card keeps its existing id, and an id keeps its existing card. */
  async learn(run: IdRun): Promise<void> {
    for (const [owner, claims] of this.#claims) {
      const ids = [...claims].flatMap(([externalId, cardRowId]) => {
        return cardRowId === null ? [] : [{ idSpace: owner, externalId, cardRowId }];
      });
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        await learnSome(run, owner, ids.slice(at, at + AT_ONCE));
      }
    }
  }
}

async function learnSome(
  run: IdRun,
  owner: string,
  claimed: readonly NewExternalId[],
): Promise<void> {
  await run.store.db.transaction().execute(async (transaction) => {
    const known = await readExternalIds(
      transaction,
      owner,
      claimed.map(({ externalId }) => externalId),
    );
    const cards = [...new Set(claimed.map(({ cardRowId }) => cardRowId))];
    const named = new Set<number>();
    for (const { idSpace, cardRowId } of await externalIdsOfCards(transaction, cards)) {
      if (idSpace === owner) named.add(cardRowId);
    }
    const learned: NewExternalId[] = [];
    for (const id of claimed) {
      if (known.has(id.externalId) || named.has(id.cardRowId)) continue;
      named.add(id.cardRowId);
      learned.push(id);
    }
    await rememberExternalIds(run, transaction, learned);
  });
}

/** A card of ours with the source's reference to it. */
export interface DescribedCard {
  /** Row id. */
  readonly card: number;
  readonly reference: CardReference;
}

/**
 * Fills in the image, rarity and release date that the catalogue lacks, inside `transaction`.
 * Existing values stay.
 */
export async function fillGaps(
  { store, publication }: Pick<ImportRun, 'store' | 'publication'>,
  transaction: Transaction,
  described: readonly DescribedCard[],
): Promise<void> {
  const informative = described.filter(({ reference }) => fillsGaps(reference));
  const cards = await cardsById(transaction, unique(informative.map(({ card }) => card)));
  const sets = await setsById(transaction, unique([...cards.values()].map((one) => one.setRowId)));
  const { revision } = publication;
  const changed = new Map<number, StoredCard>();
  const dated = new Map<number, StoredSet>();
  for (const { card, reference } of informative) {
    const stored = changed.get(card) ?? cards.get(card);
    const filled = stored && filledCard(stored, reference);
    if (filled) changed.set(card, { ...filled, revision });
    const set = stored && (dated.get(stored.setRowId) ?? sets.get(stored.setRowId));
    const { releaseDate } = reference;
    if (set && set.releaseDate === null && releaseDate !== null) {
      dated.set(set.rowId, { ...set, releaseDate, revision });
    }
  }
  if (changed.size + dated.size === 0) return;
  await publication.begin(transaction);
  await upsertCards(store, transaction, [...changed.values()]);
  await upsertSets(store, transaction, [...dated.values()]);
}

function fillsGaps({ image, rarity, releaseDate }: CardReference): boolean {
  return image !== null || rarity !== null || releaseDate !== null;
}

/** Returns the card with missing fields filled in; undefined if the reference adds nothing. */
function filledCard(
  card: StoredCard,
  { game, image, rarity }: CardReference,
): StoredCard | undefined {
  const newImage = card.image === null && image !== null;
  const newRarity = card.rarity === null && rarity !== null && !card.product;
  if (!newImage && !newRarity) return undefined;
  const known = findGame(game);
  const label = rarity !== null && known ? rarityLabel(known, rarity) : rarity;
  return { ...card, image: card.image ?? image, rarity: card.rarity ?? label };
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}
