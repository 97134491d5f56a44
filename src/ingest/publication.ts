import type { Kysely } from 'kysely';
import type { Store } from '../store/connect.ts';
import { publish, readPublication, startWriting } from '../store/imports.ts';
import type { Database } from '../store/schema.ts';
import { refreshFigures } from '../store/sync.ts';

/** What an import writes for readers to see: all of it at the end, or nothing yet. */
export class NextPublication {
  /** What rows that are written for it carry. */
  readonly revision: number;
  readonly #store: Store;
  /** Also when an import that was killed has left rows for it. */
  #begun: boolean;

  private constructor(store: Store, revision: number, begun: boolean) {
    this.#store = store;
    this.revision = revision;
    this.#begun = begun;
  }

  static async open(store: Store): Promise<NextPublication> {
    const { published, unfinished } = await readPublication(store.db);
    return new NextPublication(store, published + 1, unfinished);
  }

  /** To be called before rows are written, or in each transaction that writes any. */
  async begin(db: Kysely<Database>): Promise<void> {
    this.#begun = true;
    await startWriting(db, this.revision);
  }

  /** Lets readers see what was written, if anything was, and counts what there is now. */
  async finish(): Promise<void> {
    if (this.#begun) await publish(this.#store.db, this.revision);
    // Also without a publication: what is not served may have been observed again.
    await refreshFigures(this.#store);
  }
}
