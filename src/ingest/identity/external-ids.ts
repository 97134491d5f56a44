import type { Kysely } from 'kysely';
import type { IdSpace } from '../../sources/contract/feed.ts';
import { CARD_EXTERNAL_IDS, externalIdsOfCards, readExternalIds } from '../../store/catalogue.ts';
import type { Store } from '../../store/connect.ts';
import type { BulkRow } from '../../store/engine.ts';
import type { CardExternalIdRow, Database } from '../../store/schema.ts';
import type { ExternalIdOwner } from '../validation/index.ts';
import type { DescribedCard } from './facts.ts';
import { OWNER_OF } from './match.ts';

/** Remembers what a source calls cards, so that they are found by it the next time. */
export async function learnExternalIds(
  { engine }: Store,
  transaction: Kysely<Database>,
  source: string,
  described: readonly DescribedCard[],
): Promise<void> {
  const own = new Map(described.map(({ card, reference }) => [reference.externalId, card]));
  const known = await readExternalIds(transaction, source, [...own.keys()]);
  const rows = [...own].filter(([key, card]) => known.get(key) !== card);
  await engine.upsert(
    transaction,
    CARD_EXTERNAL_IDS,
    rows.map(([key, card]) => [source, key, card]),
  );
}

/** How many ids go into one transaction. */
const AT_ONCE = 10_000;

/**
 * The ids of other sources that a feed tells of cards and that nobody has told before. One that two
 * cards claim is of neither alone, which is only known at the end: Cardmarket has one product for
 * several arts of a card. Only ids that are new are kept in memory.
 */
export class NewExternalIds {
  readonly #source: string;
  readonly #ownerOf: ExternalIdOwner;
  /** By the id and by whose it is; null where cards have claimed it that are not the same. */
  readonly #claims = new Map<string, Map<string, number | null>>();

  constructor(source: string, ownerOf: ExternalIdOwner) {
    this.#source = source;
    this.#ownerOf = ownerOf;
  }

  note(described: readonly DescribedCard[]): void {
    for (const { card, reference } of described) {
      for (const kind of Object.keys(OWNER_OF) as IdSpace[]) {
        const id = reference.externalIds[kind];
        if (id === undefined || OWNER_OF[kind] === this.#source) continue;
        if (this.#ownerOf(kind, id) === undefined) this.#claim(OWNER_OF[kind], id, card);
      }
    }
  }

  #claim(keeper: string, id: string, card: number): void {
    const claims = this.#claims.get(keeper) ?? new Map<string, number | null>();
    this.#claims.set(keeper, claims);
    const other = claims.get(id);
    claims.set(id, other === undefined || other === card ? card : null);
  }

  /** Remembers them. What somebody else told of a card, or of an id, stays. */
  async learn(store: Store): Promise<void> {
    for (const [keeper, claims] of this.#claims) {
      const rows = [...claims].flatMap(([key, card]) => {
        return card === null ? [] : [{ source: keeper, key, card_id: card }];
      });
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        await learnIds(store, keeper, rows.slice(at, at + AT_ONCE));
      }
    }
  }
}

async function learnIds(
  { engine, db }: Store,
  keeper: string,
  told: readonly CardExternalIdRow[],
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const keys = told.map(({ key }) => key);
    const known = await readExternalIds(transaction, keeper, keys);
    const cards = [...new Set(told.map(({ card_id }) => card_id))];
    const named = new Set<number>();
    for (const { source, card_id } of await externalIdsOfCards(transaction, cards)) {
      if (source === keeper) named.add(card_id);
    }
    const rows: BulkRow[] = [];
    for (const { key, card_id } of told) {
      if (known.has(key) || named.has(card_id)) continue;
      named.add(card_id);
      rows.push([keeper, key, card_id]);
    }
    await engine.upsert(transaction, CARD_EXTERNAL_IDS, rows);
  });
}
