import { CARD_ID_SPACES } from '../domain/id-spaces.ts';
import type { Store } from './connect.ts';
import { queryInChunks } from './paging.ts';

/** An external id of a card, with its id space as callers know it: `tcgplayer`, `scryfall`. */
export interface ExternalId {
  readonly space: string;
  readonly id: string;
}

/** Returns the row ids of the cards that have external ids, by space and id: `scryfall\n<id>`. */
export type CardFinder = (ids: readonly ExternalId[]) => Promise<Map<string, number[]>>;

/** Finds cards by external ids, with one statement for some thousands of them. */
export function cardFinder({ db }: Store): CardFinder {
  return async (ids) => {
    const rows = await queryInChunks(ids.filter(isStorable), (chunk) =>
      db
        .selectFrom('card_external_ids')
        .where(({ and, eb, or }) => {
          const bySpace = [...Map.groupBy(chunk, storedSpace)].map(([space, own]) => {
            const externalIds = own.map(({ id }) => id);
            return and([eb('id_space', '=', space), eb('external_id', 'in', externalIds)]);
          });
          return or(bySpace);
        })
        .selectAll()
        .execute(),
    );
    const stored = Map.groupBy(rows, (row) => `${row.id_space}\n${row.external_id}`);
    const found = new Map<string, number[]>();
    for (const sent of ids) {
      const own = stored.get(`${storedSpace(sent)}\n${sent.id}`);
      if (own)
        found.set(
          `${sent.space}\n${sent.id}`,
          own.map((row) => row.card_id),
        );
    }
    return found;
  };
}

function storedSpace({ space }: ExternalId): string {
  return CARD_ID_SPACES.get(space) ?? space;
}

/** PostgreSQL refuses NUL in text. */
function isStorable({ id }: ExternalId): boolean {
  return !id.includes('\0');
}
