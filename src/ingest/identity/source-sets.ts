import { isDeepStrictEqual } from 'node:util';
import type { PokemonTcgSet } from '../../domain/pokemontcg.ts';
import type { DescribedSet } from '../../sources/contract/feed.ts';
import { readSourceSets, upsertSourceSets } from '../../store/catalogue/source-facts.ts';
import type { ImportRun } from '../run.ts';

/** Collects a feed's descriptions of its own sets until the whole feed has been read. */
export class SourceSets {
  readonly #sets = new Map<string, PokemonTcgSet>();

  add({ id, facts }: DescribedSet): void {
    this.#sets.set(id, facts);
  }

  /** Writes the sets that are new or have changed. */
  async write({ store, publication }: ImportRun, source: string): Promise<void> {
    if (this.#sets.size === 0) return;
    await store.db.transaction().execute(async (transaction) => {
      const known = await readSourceSets(transaction, source);
      const changed = [...this.#sets].filter(([id, facts]) => {
        return !isDeepStrictEqual(facts, known.get(id));
      });
      if (changed.length === 0) return;
      await publication.begin(transaction);
      await upsertSourceSets(store, transaction, source, changed);
    });
  }
}
