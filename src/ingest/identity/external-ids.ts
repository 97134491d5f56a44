import type { Kysely } from 'kysely';
import {
  externalIdsOfCards,
  readExternalIds,
  upsertCardExternalIds,
} from '../../store/catalogue/catalogue.ts';
import type { CardExternalIdRow, Database } from '../../store/catalogue/schema.ts';
import type { ImportRun } from '../run.ts';
import type { ExternalIdOwner } from '../validation/index.ts';
import type { DescribedCard } from './facts.ts';
import { ID_SPACE_OWNERS, ID_SPACES } from './id-spaces.ts';

/** An external id of a card that is not known yet, or belongs to another card. */
export type NewExternalId = Omit<CardExternalIdRow, 'revision'>;

/** What remembering external ids works with. */
type IdRun = Pick<ImportRun, 'store' | 'publication'>;

/** Remembers a source's own ids of cards, so that the cards are found by them the next time. */
export async function learnExternalIds(
  run: IdRun,
  transaction: Kysely<Database>,
  source: string,
  described: readonly DescribedCard[],
): Promise<void> {
  const own = new Map(described.map(({ card, reference }) => [reference.externalId, card]));
  const known = await readExternalIds(transaction, source, [...own.keys()]);
  const changed = [...own].filter(([externalId, card]) => known.get(externalId) !== card);
  const rows = changed.map(([external_id, card]) => {
    return { id_space: source, external_id, card_id: card };
  });
  await rememberExternalIds(run, transaction, rows);
}

/** Writes external ids of cards. */
export async function rememberExternalIds(
  { store, publication }: IdRun,
  transaction: Kysely<Database>,
  ids: readonly NewExternalId[],
): Promise<void> {
  if (ids.length === 0) return;
  await publication.begin(transaction);
  const { revision } = publication;
  const rows = ids.map((id) => ({ ...id, revision }));
  await upsertCardExternalIds(store, transaction, rows);
}

/** How many ids go into one transaction. */
const AT_ONCE = 10_000;

/**
 * Gathers the ids of other sources that a feed gives for cards and that are not known yet. An id
 * that two cards claim is of neither alone: Cardmarket has one product for several arts of a card.
 * That is known only at the end of the feed; only new ids are kept in memory until then.
 */
export class NewExternalIds {
  readonly #source: string;
  readonly #ownerOf: ExternalIdOwner;
  /** Card row ids by the owner of the id and by the id; null where different cards claim it. */
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

  /** Remembers the noted ids. A card keeps the id that it has, and an id the card. */
  async learn(run: IdRun): Promise<void> {
    for (const [owner, claims] of this.#claims) {
      const rows = [...claims].flatMap(([external_id, card]) => {
        return card === null ? [] : [{ id_space: owner, external_id, card_id: card }];
      });
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        await learnSome(run, owner, rows.slice(at, at + AT_ONCE));
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
      claimed.map(({ external_id }) => external_id),
    );
    const cards = [...new Set(claimed.map(({ card_id }) => card_id))];
    const named = new Set<number>();
    for (const { id_space, card_id } of await externalIdsOfCards(transaction, cards)) {
      if (id_space === owner) named.add(card_id);
    }
    const rows: NewExternalId[] = [];
    for (const row of claimed) {
      if (known.has(row.external_id) || named.has(row.card_id)) continue;
      named.add(row.card_id);
      rows.push(row);
    }
    await rememberExternalIds(run, transaction, rows);
  });
}
