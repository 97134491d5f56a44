import type { Millis } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type {
  BulkCard,
  BulkDay,
  BulkFileEnd,
  BulkRows,
  BulkSet,
  BulkSource,
} from '../../sources/contract/bulk.ts';
import type { KnownFile } from '../../sources/contract/files.ts';
import {
  externalIdsOfCards,
  findCardsById,
  printingsOf,
  readSets,
  upsertCardExternalIds,
  upsertCards,
  upsertSets,
} from '../../store/catalogue/catalogue.ts';
import { importedSources, upsertSourceFiles } from '../../store/catalogue/imports.ts';
import type { StoredCard, StoredSet } from '../../store/catalogue/records.ts';
import type { Store, Transaction } from '../../store/connect.ts';
import type { CopyDay } from '../../store/history/index.ts';
import {
  type ImportOptions,
  type ImportProgress,
  knownFiles,
  type OpenDriver,
  runImport,
} from '../import.ts';
import { judgeAgain, writeCopies } from '../pricing/copied.ts';
import { recordDays } from '../pricing/merge.ts';
import type { ImportRun } from '../run.ts';
import type { ImportSummary, ImportTally } from '../summary.ts';

/** The outcome of an import of bulk files. */
export interface BulkSummary extends ImportSummary {
  readonly files: number;
  readonly filesUnchanged: number;
  readonly setsAdded: number;
  readonly cardsAdded: number;
  readonly cardsChanged: number;
  readonly brokenCount: number;
}

/** The name under which imports of bulk files are recorded. */
const SOURCE = 'bulk';

/** Printings judged in one transaction. */
const JUDGED_AT_ONCE = 1000;

/**
 * Makes a database a copy of the service that wrote these bulk files, with the same ids, prices and
 * history. A later publication updates the copy. Nothing is validated, because the other service
 * has already done so.
 *
 * @throws OperatorError if the database has prices of other imports, or another import is running.
 */
export async function importBulk(
  store: Store,
  source: BulkSource,
  options: ImportOptions,
): Promise<BulkSummary> {
  const others = (await importedSources(store.db)).filter((name) => name !== SOURCE);
  if (others.length > 0) {
    throw new OperatorError(
      `The database has imports of ${others.sort().join(', ')}. Import bulk files into a database ` +
        'of their own: CARDPRICE_DATABASE names a new one.',
    );
  }
  const open = (run: ImportRun, tally: ImportTally) => BulkDriver.open(run, tally, source);
  return runImport(store, { source: SOURCE, open }, options);
}

class BulkDriver implements OpenDriver<BulkRows | BulkFileEnd, BulkSummary> {
  readonly observedAt: Millis | null;
  readonly #run: ImportRun;
  readonly #tally: ImportTally;
  readonly #source: BulkSource;
  /** By public id. */
  readonly #sets: Map<string, StoredSet>;
  /** The row ids of the printings whose prices or history were read. */
  readonly #touched = new Set<number>();
  readonly #files: KnownFile[] = [];
  readonly #counts = { files: 0, filesUnchanged: 0, setsAdded: 0, cardsAdded: 0, cardsChanged: 0 };

  private constructor(
    run: ImportRun,
    tally: ImportTally,
    source: BulkSource,
    sets: readonly StoredSet[],
  ) {
    this.#run = run;
    this.#tally = tally;
    this.#source = source;
    this.#sets = new Map(sets.map((set) => [set.id, set]));
    this.observedAt = source.observedAt;
  }

  static async open(run: ImportRun, tally: ImportTally, source: BulkSource) {
    return new BulkDriver(run, tally, source, await readSets(run.store.db));
  }

  async *parts(): AsyncGenerator<BulkRows | BulkFileEnd> {
    yield* this.#source.read(await knownFiles(this.#run.store, SOURCE));
  }

  async write(part: BulkRows | BulkFileEnd): Promise<ImportProgress> {
    if (part.type === 'end') return this.#endFile(part);
    await this.#run.store.db.transaction().execute(async (transaction) => {
      if (part.type === 'sets') await this.#writeSets(transaction, part.sets);
      else if (part.type === 'cards') await this.#writeCards(transaction, part.cards);
      else await this.#writeDays(transaction, part.days);
    });
    return this.#progress(part.type);
  }

  /**
   * Files are marked as imported at the end: until then, another run has to judge their printings.
   */
  async finish(): Promise<void> {
    const { store } = this.#run;
    const touched = [...this.#touched];
    for (let start = 0; start < touched.length; start += JUDGED_AT_ONCE) {
      const some = touched.slice(start, start + JUDGED_AT_ONCE);
      await store.db.transaction().execute((transaction) => {
        return judgeAgain(this.#run, transaction, some);
      });
      await this.#run.lock.renew();
    }
    await store.db.transaction().execute((transaction) => {
      return upsertSourceFiles(store, transaction, SOURCE, this.#files);
    });
  }

  #endFile({ isUnchanged, file }: BulkFileEnd): ImportProgress {
    this.#counts.files += 1;
    if (isUnchanged) this.#counts.filesUnchanged += 1;
    this.#files.push(file);
    return this.#progress(file.path);
  }

  #progress(name: string): ImportProgress {
    return { done: this.#counts.files, total: this.#source.fileCount, name };
  }

  async #writeSets(transaction: Transaction, sets: readonly BulkSet[]): Promise<void> {
    const { store, nextIds, publication } = this.#run;
    const { revision } = publication;
    const changed: StoredSet[] = [];
    for (const set of sets) {
      const known = this.#sets.get(set.id);
      if (known && isSameSet(known, set)) continue;
      if (!known) this.#counts.setsAdded += 1;
      changed.push({ ...set, rowId: known?.rowId ?? nextIds.set++, revision });
    }
    if (changed.length === 0) return;
    await publication.begin(transaction);
    await upsertSets(store, transaction, changed);
    for (const set of changed) this.#sets.set(set.id, set);
  }

  async #writeCards(transaction: Transaction, cards: readonly BulkCard[]): Promise<void> {
    const rowIds = await this.#upsertCards(transaction, cards);
    await this.#upsertExternalIds(transaction, cards, rowIds);
    const copies = cards.map(({ id, printings }) => ({ card: rowIds.get(id) ?? 0, printings }));
    const { touched, printingsAdded, pricesChanged } = await writeCopies(
      this.#run,
      transaction,
      copies,
    );
    for (const id of touched) this.#touched.add(id);
    this.#tally.counts.printingsAdded += printingsAdded;
    this.#tally.counts.pricesChanged += pricesChanged;
  }

  /** Returns the row ids of cards, by their public ids. */
  async #upsertCards(transaction: Transaction, cards: readonly BulkCard[]) {
    const { store, nextIds, publication } = this.#run;
    const { revision } = publication;
    const known = await findCardsById(
      transaction,
      cards.map(({ id }) => id),
    );
    const rowIds = new Map<string, number>();
    const changed: StoredCard[] = [];
    for (const card of cards) {
      const before = known.get(card.id);
      const rowId = before?.rowId ?? nextIds.card++;
      rowIds.set(card.id, rowId);
      const after = { ...this.#cardOf(card), rowId, revision };
      if (before && isSameCard(before, after)) continue;
      this.#counts[before ? 'cardsChanged' : 'cardsAdded'] += 1;
      changed.push(after);
    }
    if (changed.length > 0) {
      await publication.begin(transaction);
      await upsertCards(store, transaction, changed);
    }
    return rowIds;
  }

  #cardOf({ id, setId, name, number, rarity, image, product }: BulkCard) {
    const set = this.#sets.get(setId);
    if (!set) throw new OperatorError(`The card ${id} is of a set that is not in the files.`);
    return {
      id,
      setRowId: set.rowId,
      name,
      number,
      rarity,
      image,
      ...(product && { product: { ...product, contents: null } }),
    };
  }

  async #upsertExternalIds(
    transaction: Transaction,
    cards: readonly BulkCard[],
    rowIds: ReadonlyMap<string, number>,
  ): Promise<void> {
    const { store, publication } = this.#run;
    const stored = await externalIdsOfCards(transaction, [...rowIds.values()]);
    const known = new Set(stored.map((id) => `${id.cardRowId} ${id.idSpace} ${id.externalId}`));
    const added = cards.flatMap(({ id, externalIds }) => {
      const cardRowId = rowIds.get(id) ?? 0;
      const isKnown = ({ idSpace, externalId }: BulkCard['externalIds'][number]) => {
        return known.has(`${cardRowId} ${idSpace} ${externalId}`);
      };
      const { revision } = publication;
      return externalIds
        .filter((one) => !isKnown(one))
        .map((one) => ({ ...one, cardRowId, revision }));
    });
    if (added.length === 0) return;
    await publication.begin(transaction);
    await upsertCardExternalIds(store, transaction, added);
  }

  async #writeDays(transaction: Transaction, days: readonly BulkDay[]): Promise<void> {
    const { store, publication, startedAt } = this.#run;
    const printings = await printingIds(store, transaction, days);
    const wanted = days.flatMap(({ card, printing, copy, prices, provenance }): CopyDay[] => {
      const id = printings.get(keyOf(card, printing));
      if (id === undefined) return [];
      this.#touched.add(id);
      return [{ printing: id, prices, provenance, ...(copy !== undefined && { copy }) }];
    });
    this.#tally.addSkipped(
      wanted.length < days.length
        ? { 'day of a printing that is not in the files': days.length - wanted.length }
        : {},
    );
    const recorded = await recordDays(store, transaction, wanted, startedAt);
    this.#tally.counts.historyAdded += recorded.historyAdded;
    this.#tally.counts.historyCorrected += recorded.historyCorrected;
    this.#tally.addDamaged(recorded.damaged);
    const written = recorded.historyAdded + recorded.historyCorrected;
    if (written > 0) await publication.begin(transaction);
  }

  summarise(seconds: number): BulkSummary {
    const { counts, skipped, broken, brokenCount } = this.#tally;
    const { printingsAdded, pricesChanged, historyAdded, historyCorrected } = counts;
    return {
      source: SOURCE,
      ...this.#counts,
      printingsAdded,
      pricesChanged,
      historyAdded,
      historyCorrected,
      skipped,
      quarantined: {},
      broken,
      brokenCount,
      seconds,
    };
  }
}

async function printingIds(store: Store, transaction: Transaction, days: readonly BulkDay[]) {
  const ids = [...new Set(days.map(({ card }) => card))];
  const cards = await findCardsById(transaction, ids);
  const names = new Map([...cards.values()].map(({ rowId, id }) => [rowId, id]));
  const printings = await printingsOf(store, transaction, [...names.keys()]);
  return new Map(
    printings.map(({ rowId, cardRowId, name }) => [keyOf(names.get(cardRowId) ?? '', name), rowId]),
  );
}

/** Ids of cards have no spaces. */
function keyOf(card: string, printing: string): string {
  return `${card} ${printing}`;
}

function isSameSet(a: StoredSet, b: BulkSet): boolean {
  return (
    a.game === b.game && a.code === b.code && a.name === b.name && a.releaseDate === b.releaseDate
  );
}

function isSameCard(a: StoredCard, b: StoredCard): boolean {
  const isSameProduct = a.product?.type === b.product?.type && a.product?.upc === b.product?.upc;
  return (
    isSameProduct &&
    a.setRowId === b.setRowId &&
    a.name === b.name &&
    a.number === b.number &&
    a.rarity === b.rarity &&
    a.image === b.image
  );
}
