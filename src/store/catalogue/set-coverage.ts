import { type Kysely, sql } from 'kysely';
import type { Millis } from '../../domain/day.ts';
import type { GameSlug } from '../../domain/games.ts';
import type { Database } from './schema.ts';

/** The number of a set's cards with a price. */
export interface SetCoverage {
  readonly game: GameSlug;
  readonly code: string;
  readonly name: string;
  /** `YYYY-MM-DD`; null if no source has it. */
  readonly releaseDate: string | null;
  readonly cards: number;
  /** Cards with a printing that has a market price. */
  readonly priced: number;
  /** When the newest figures of the set were observed; null if it has none. */
  readonly figuresAt: Millis | null;
}

/** Returns the coverage of all sets, or of the sets of a game. Reads every printing. */
export async function readSetCoverage(
  db: Kysely<Database>,
  game?: GameSlug,
): Promise<SetCoverage[]> {
  const byCard = db
    .selectFrom('cards')
    .leftJoin('printings', 'printings.card_id', 'cards.id')
    .where('cards.product_type', 'is', null)
    .groupBy(['cards.id', 'cards.set_id'])
    .select(({ fn }) => [
      'cards.set_id',
      sql<number>`max(case when market is null then 0 else 1 end)`.as('priced'),
      fn.max('printings.figures_at').as('figures_at'),
    ])
    .as('by_card');
  let rows = db
    .selectFrom('sets')
    .innerJoin(byCard, 'by_card.set_id', 'sets.id')
    .groupBy(['sets.id', 'sets.game', 'sets.code', 'sets.name', 'sets.release_date'])
    .orderBy('sets.id')
    .select(({ fn }) => [
      ...(['sets.game', 'sets.code', 'sets.name', 'sets.release_date'] as const),
      fn.countAll().as('cards'),
      fn.sum('by_card.priced').as('priced'),
      fn.max('by_card.figures_at').as('figures_at'),
    ]);
  if (game !== undefined) rows = rows.where('sets.game', '=', game);
  return (await rows.execute()).map(({ release_date, cards, priced, figures_at, ...set }) => ({
    ...set,
    releaseDate: release_date,
    cards: Number(cards),
    priced: Number(priced),
    figuresAt: figures_at,
  }));
}
