import type { Kysely } from 'kysely';
import type { FactsBySource, SourceFacts } from '../../domain/facts.ts';
import type { PokemonTcgSet } from '../../domain/pokemontcg.ts';
import type { Store } from '../connect.ts';
import type { BulkTable, Opened } from '../engine/engine.ts';
import { readFactsJson } from './facts.ts';
import type { Database, SourceSetRow } from './schema.ts';

/** SQL of a source's own data about its cards and sets, without other sources. */

type Db = Kysely<Database>;

const SOURCE_SETS: BulkTable<SourceSetRow> = {
  name: 'source_sets',
  columns: { source: 'text', external_id: 'text', facts: 'text' },
  key: ['source', 'external_id'],
};

/** Inserts sets of a source, and overwrites existing ones. */
export function upsertSourceSets(
  { engine }: Store,
  transaction: Db,
  source: string,
  sets: readonly (readonly [id: string, facts: PokemonTcgSet])[],
): Promise<void> {
  const rows = sets.map(([id, facts]) => {
    return { source, external_id: id, facts: JSON.stringify(facts) };
  });
  return engine.upsert(transaction, SOURCE_SETS, rows);
}

/** Returns the sets of a source by its own ids. */
export async function readSourceSets(
  db: Db,
  source: string,
): Promise<ReadonlyMap<string, PokemonTcgSet>> {
  const query = db.selectFrom('source_sets').where('source', '=', source);
  const rows = await query.select(['external_id', 'facts']).execute();
  return new Map(
    rows.map(({ external_id, facts }) => [external_id, JSON.parse(facts) as PokemonTcgSet]),
  );
}

/** Reads the data of one source. Facts of a running import may appear early. */
export interface SourceFactsReader {
  /** Returns the facts of cards by row id. Omits cards that the source does not describe. */
  ofCards(source: string, cards: readonly number[]): Promise<ReadonlyMap<number, SourceFacts>>;
  /** Returns the sets by the source's own ids. */
  ofSets(source: string): Promise<ReadonlyMap<string, PokemonTcgSet>>;
}

export function sourceFactsReader({ db }: Opened<Database>): SourceFactsReader {
  return {
    async ofCards(source, cards) {
      const rows = await readFactsJson(db, cards);
      const found = rows.flatMap(({ card_id, facts }) => {
        const own = (JSON.parse(facts) as FactsBySource)[source];
        return own ? [[card_id, own] as const] : [];
      });
      return new Map(found);
    },
    ofSets: (source) => readSourceSets(db, source),
  };
}
