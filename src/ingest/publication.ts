import type { Kysely } from 'kysely';
import type { Store } from '../store/connect.ts';
import { publish, readPublication, startWriting } from '../store/imports.ts';
import type { Database } from '../store/schema.ts';
import { refreshFigures } from '../store/sync.ts';

/**
 * The publication that an import writes: readers see all of it once it is finished, or nothing
 * (docs/glossary.md#publication).
 */
export class NextPublication {
  /** The revision that rows of this publication carry. */
  readonly revision: number;
  readonly #store: Store;
  /** Whether there is something to publish; true, too, after an import that was killed. */
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

  /** Notes that rows of it are being written; to be called in, or before, each such transaction. */
  async begin(db: Kysely<Database>): Promise<void> {
    this.#begun = true;
    await startWriting(db, this.revision);
  }

  /** Publishes what was written, if anything was, and counts anew what each source has. */
  async finish(): Promise<void> {
    if (this.#begun) await publish(this.#store.db, this.revision);
    // Even if nothing is published: a price that is not served may have been observed again.
    await refreshFigures(this.#store);
  }
}
