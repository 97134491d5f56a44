import type { NextRowIds } from '../store/catalogue/catalogue.ts';
import type { Store } from '../store/connect.ts';

/** Tables of so few cards are read as fast whole as by an index. */
const FEW_CARDS = 500;

/** What is known of a quarter of a table tells how the whole of it is best read. */
const GROWTH = 4;

/** What the parts of an import look up, and fill. */
const TABLES = [
  ...(['sets', 'set_external_ids', 'cards', 'card_external_ids', 'printings'] as const),
  ...(['observations', 'history_recent', 'quarantine'] as const),
];

/** Keeps the statistics of the database up with tables that an import fills within seconds. */
export class Statistics {
  readonly #store: Store;
  /** Row ids that are free; the import counts them up. */
  readonly #nextIds: Readonly<NextRowIds>;
  /** The number of cards from which on they are gathered again. */
  #dueAt: number;

  constructor(store: Store, nextIds: Readonly<NextRowIds>) {
    this.#store = store;
    this.#nextIds = nextIds;
    this.#dueAt = Math.max(FEW_CARDS, GROWTH * nextIds.card);
  }

  /** Gathers them whenever there are four times as many cards; to be called between transactions. */
  async keepUp(): Promise<void> {
    if (this.#nextIds.card < this.#dueAt) return;
    this.#dueAt = GROWTH * this.#nextIds.card;
    await this.#store.engine.analyze(this.#store.db, TABLES);
  }
}
