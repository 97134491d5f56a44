import type { Kysely } from 'kysely';
import type { Day, Millis } from '../../domain/day.ts';
import type { Observation } from '../../domain/observation.ts';
import { hasPrice, type PriceFigures } from '../../domain/price.ts';
import type { Rates } from '../../domain/rates.ts';
import { addCounts } from '../../lib/counts.ts';
import { type NextRowIds, PRINTINGS, printingsById, printingsOf } from '../../store/catalogue.ts';
import type { Store } from '../../store/connect.ts';
import type { DamagedHistory } from '../../store/history.ts';
import { OBSERVATIONS, observationsOf } from '../../store/observations.ts';
import type { Database, PrintingRow } from '../../store/schema.ts';
import type { NextPublication } from '../publication.ts';
import type { Finding, ValidationLimits } from '../validation/index.ts';
import { settleDelistings } from '../validation/losses.ts';
import { type Accepted, validate } from '../validation/sift.ts';
import { type RecordedDays, recordDays } from './history.ts';
import { PrintingBook } from './printings.ts';
import { type PlacedObservation, resolve, retract } from './resolve.ts';
import { type AcceptedObservation, serveAll, takeIn, type UpdatedPrinting } from './serve.ts';

/** The way of every price: it is guarded, kept as what its source says, merged, and recorded. */

/** What all imports of prices work with. */
export interface PriceRun {
  readonly store: Store;
  readonly startedAt: Millis;
  readonly next: NextRowIds;
  readonly publication: NextPublication;
  readonly rates: Rates;
  /** By what quotes are held back; null lets everything through. */
  readonly limits: ValidationLimits | null;
  /**
   * Gathers what had a price and has none any more, until all is told that there is of its sets;
   * `settleLost` is for the end. Without it each batch is all that there is.
   */
  readonly lost?: PlacedObservation[];
  /**
   * Where one import tells of a card in several batches: the printings of which it has told two
   * prices that contradict each other, by `slotOf`. Whatever else it tells of them is held back.
   */
  readonly twice?: Map<string, Finding>;
}

/** A part of a observation. */
export type Part = keyof PriceFigures | 'conditions' | 'graded';

/** What a source says of a printing of one of our cards. */
export interface CardObservation {
  /** By its name in the table of sources. */
  readonly source: string;
  readonly card: { readonly id: number; readonly name: string };
  /** The source's own id of the card. */
  readonly externalId: string | null;
  readonly observation: Observation;
  /** What the source cannot tell here: what it told of it on the same day stays. */
  readonly missing?: readonly Part[];
  /** Every printing that the card has, where the source says so. */
  readonly statedPrintings?: readonly string[] | null;
  /** Why the card may not be the one that the source means. */
  readonly conflict?: Finding | undefined;
  /**
   * The day of the newest price of the source. What it has not listed since has no price now: of a
   * printing that it is new for, earlier days are only for the history.
   */
  readonly presentFrom?: Day;
}

/** What taking in quotes did. */
export interface PriceCounts {
  /** Those that were told, and those of them with a price. */
  quotes: number;
  prices: number;
  printingsAdded: number;
  pricesChanged: number;
  historyAdded: number;
  historyCorrected: number;
}

export interface WrittenObservations {
  readonly counts: PriceCounts;
  /** How many were held back, by reason. */
  readonly heldBack: Readonly<Record<string, number>>;
  /** Where the history cannot be read: it got no new day there. */
  readonly damaged: readonly DamagedHistory[];
}

/**
 * Takes in quotes, inside of `transaction`. All that a source tells of a card must be in one batch.
 * Of two quotes for one printing the later in order counts.
 */
export async function writeObservations(
  run: PriceRun,
  transaction: Kysely<Database>,
  told: readonly CardObservation[],
): Promise<WrittenObservations> {
  const cards = new Set(told.map(({ card }) => card.id));
  const book = await openBook(run, transaction, await printingsOf(transaction, [...cards]));
  const placed = resolve(run, book, told);
  const { sound, heldBack } = await holdBack(run, transaction, placed);
  const touched = takeIn(book, sound, run.startedAt);
  const { damaged, ...written } = await write(run, transaction, book, touched);
  const priced = placed.filter(({ observation }) => hasPrice(observation.prices));
  const counts = { quotes: placed.length, prices: priced.length, ...book.counts, ...written };
  return { counts, heldBack, damaged };
}

/** What settling losses did. */
export type SettledPrices = Pick<WrittenObservations, 'heldBack' | 'damaged'> & {
  readonly counts: Pick<PriceCounts, 'pricesChanged' | 'historyAdded' | 'historyCorrected'>;
};

/**
 * The end of a run that told prices of a source: those that are gone are taken away, unless they
 * are too many, and what was held back for being too many and has come back is struck off.
 */
export async function settleDelisted(run: PriceRun, source: string): Promise<SettledPrices> {
  const { store, lost = [], startedAt } = run;
  return store.db.transaction().execute(async (transaction) => {
    const cards = new Set(lost.map(({ card }) => card));
    const { passed, heldBack } = await settle(run, transaction, source, lost);
    const book = await openBook(run, transaction, await printingsOf(transaction, [...cards]));
    const touched = takeIn(book, passed, startedAt);
    const { damaged, ...written } = await write(run, transaction, book, touched);
    const { pricesChanged } = book.counts;
    return { counts: { pricesChanged, ...written }, heldBack, damaged };
  });
}

/** Merges what is said of printings once more, as after a rate of exchange has changed. */
export async function mergeAnew(
  run: PriceRun,
  transaction: Kysely<Database>,
  printings: readonly number[],
): Promise<void> {
  const book = await openBook(run, transaction, await printingsById(transaction, printings));
  const touched = book.all().map((printing) => ({ printing, told: [] }));
  await write(run, transaction, book, touched);
}

async function openBook(
  { store, next, publication, rates }: PriceRun,
  transaction: Kysely<Database>,
  rows: readonly PrintingRow[],
): Promise<PrintingBook> {
  const ids = rows.map(({ id }) => id);
  const quotes = await observationsOf(store, transaction, ids);
  return new PrintingBook(rows, quotes, { next, revision: publication.revision, rates });
}

interface Judged {
  readonly sound: readonly AcceptedObservation[];
  readonly heldBack: Record<string, number>;
}

/** Holds back what cannot be right. */
async function holdBack(
  run: PriceRun,
  transaction: Kysely<Database>,
  placed: readonly PlacedObservation[],
): Promise<Judged> {
  const { store, limits, startedAt, lost } = run;
  if (limits === null) return { sound: placed, heldBack: {} };
  const sifted = await validate(store, transaction, placed, { limits, now: startedAt });
  const retracted = sifted.twice.flatMap((one) => retract(run, one));
  const sound = [...sifted.passed.map(soundQuote), ...retracted];
  const heldBack = { ...sifted.heldBack };
  if (retracted.length > 0) addCounts(heldBack, { 'told-twice': retracted.length });
  lost?.push(...sifted.lost.map(({ candidate: one, observation }) => ({ ...one, observation })));
  if (lost) return { sound, heldBack };
  for (const [source, ofSource] of Map.groupBy(sifted.lost, (one) => one.candidate.source)) {
    const candidates = ofSource.map(({ candidate: one, observation }) => ({ ...one, observation }));
    const settled = await settle(run, transaction, source, candidates);
    sound.push(...settled.passed);
    addCounts(heldBack, settled.heldBack);
  }
  return { sound, heldBack };
}

async function settle(
  { store, limits, startedAt }: PriceRun,
  transaction: Kysely<Database>,
  source: string,
  lost: readonly PlacedObservation[],
): Promise<{ passed: readonly AcceptedObservation[]; heldBack: Record<string, number> }> {
  if (limits === null) return { passed: lost, heldBack: {} };
  const options = { limits, now: startedAt };
  const { passed, heldBack } = await settleDelistings(store, transaction, source, lost, options);
  return { passed, heldBack: heldBack > 0 ? { 'lost-prices': heldBack } : {} };
}

function soundQuote({
  candidate: { told, printing },
  observation,
}: Accepted<PlacedObservation>): AcceptedObservation {
  return { told, observation, printing };
}

/** Serves what was taken in, and writes all that has changed by it. */
async function write(
  { store, publication, rates, startedAt }: PriceRun,
  transaction: Kysely<Database>,
  book: PrintingBook,
  touched: Iterable<UpdatedPrinting>,
): Promise<RecordedDays> {
  const days = serveAll(book, touched, rates);
  const rows = book.changedRows();
  await store.engine.upsert(transaction, PRINTINGS, rows);
  await store.engine.upsert(transaction, OBSERVATIONS, book.changedQuotes());
  const recorded = await recordDays(store, transaction, days, startedAt);
  // Also for a past alone: answers about it are kept until the next publication.
  const written = rows.length + recorded.historyAdded + recorded.historyCorrected;
  if (written > 0) await publication.begin(transaction);
  return recorded;
}
