import type { Card } from '../../src/domain/card.ts';
import type { Resolution, ResolveItem } from '../../src/resolve/types.ts';
import { SearchIndex } from '../../src/search/index.ts';

/** What is measured. */
export interface MeasuredResolver {
  resolve(items: readonly ResolveItem[]): Promise<readonly Resolution[]>;
}

/** Builds the resolver over the cards, with their ids at TCGplayer and Scryfall. */
export function buildResolver(
  cards: readonly Card[],
  _scryfallIds: ReadonlyMap<string, string>,
): MeasuredResolver {
  const index = new SearchIndex();
  for (const card of cards) index.add(card);
  index.commit();
  return {
    resolve: async (items) =>
      items.map(({ text, name }) => {
        const q = (text ?? name ?? '').slice(0, 200);
        const found = index.search({ q, sort: 'relevance', limit: 5, offset: 0 }).cards;
        const [card] = found;
        return card !== undefined && found.length === 1
          ? {
              ...({ status: 'matched', card, printing: null, quantity: 1 } as const),
              ...{ condition: null, grade: null, confidence: 1, reasons: [] },
            }
          : {
              status: found.length > 0 ? 'ambiguous' : 'unknown',
              candidates: found.map((each) => ({ card: each, reasons: [] })),
              reasons: [],
            };
      }),
  };
}
