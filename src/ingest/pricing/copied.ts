import type { Origins, ServedPrices } from '../../domain/card.ts';
import type { Millis } from '../../domain/day.ts';
import type { SourceObservation } from '../../domain/observation.ts';
import { NO_PRICES } from '../../domain/price.ts';
import { findSource, UNKNOWN_SOURCE } from '../../domain/sources.ts';
import { compareText } from '../../domain/text.ts';
import type { BulkPrinting } from '../../sources/contract/bulk.ts';
import { printingsById, printingsOf, upsertPrintings } from '../../store/catalogue/catalogue.ts';
import { upsertObservations } from '../../store/catalogue/observations.ts';
import type { Transaction } from '../../store/connect.ts';
import type { ImportRun } from '../run.ts';
import { judgeByHistory } from './merge.ts';
import type { KnownPrintings, PrintingState } from './printings.ts';
import { openPrintings } from './write.ts';

/** Writes prices as another service merged and serves them. */

/** The printings of a card, by row id of the card. */
export interface CopiedPrintings {
  readonly card: number;
  readonly printings: readonly BulkPrinting[];
}

export interface WrittenCopies {
  /** The row ids of the printings, in the given order. */
  readonly touched: readonly number[];
  readonly printingsAdded: number;
  readonly pricesChanged: number;
}

/** Writes the served prices of cards, inside `transaction`. */
export async function writeCopies(
  run: ImportRun,
  transaction: Transaction,
  copies: readonly CopiedPrintings[],
): Promise<WrittenCopies> {
  const cards = copies.map(({ card }) => card);
  const known = await printingsOf(run.store, transaction, cards);
  const printings = await openPrintings(run, transaction, known);
  const touched: number[] = [];
  for (const { card, printings: copied } of copies) {
    for (const one of copied) {
      const printing = printings.findOrAdd(card, one.name);
      touched.push(printing.stored.rowId);
      serve(printings, printing, one, run.startedAt);
    }
  }
  await upsertObservations(run.store, transaction, printings.changedObservations());
  await writeChanged(run, transaction, printings);
  const { printingsAdded, pricesChanged } = printings.counts;
  return { touched, printingsAdded, pricesChanged };
}

/** Judges printings again after writing their history, inside `transaction`. */
export async function judgeAgain(
  run: ImportRun,
  transaction: Transaction,
  ids: readonly number[],
): Promise<void> {
  const known = await printingsById(transaction, ids);
  const printings = await openPrintings(run, transaction, known);
  await judgeByHistory(run.store, transaction, printings, printings.all());
  await writeChanged(run, transaction, printings);
}

async function writeChanged(
  { store, publication }: ImportRun,
  transaction: Transaction,
  printings: KnownPrintings,
): Promise<void> {
  const changed = printings.changedPrintings();
  if (changed.length === 0) return;
  await publication.begin(transaction);
  await upsertPrintings(store, transaction, changed);
}

function serve(
  printings: KnownPrintings,
  printing: PrintingState,
  { prices, origins, sources }: BulkPrinting,
  fetchedAt: Millis,
): void {
  const only = prices.figuresAt === null ? null : (prices.sources[0] ?? null);
  const marketplace = (origins ? origins.figures : only) ?? printing.stored.marketplace;
  printings.serve(printing, { prices, origins, marketplace });
  for (const one of observationsOf({ prices, origins, sources })) {
    printings.keep(printing, { ...one, currency: 'USD', externalId: null, fetchedAt });
  }
}

/**
 * Returns the possible reports behind a price. Files do not show which source gave which figures:
 * they are attributed to the most trusted of the sources that give this kind of figures.
 */
function observationsOf({ prices, origins, sources }: Omit<BulkPrinting, 'name'>) {
  const { market, low, mid, high, conditions, graded } = prices;
  const trusted = [...sources].sort((a, b) => rankOf(a) - rankOf(b) || compareText(a, b));
  const [only] = prices.sources;
  const has = (kind: Kind, { source, marketplace }: Series) => {
    const giving = trusted.find((name) => findSource(name)?.gives.includes(kind)) ?? trusted[0];
    const from = marketplaceOf(kind, origins) ?? only;
    return source === giving && marketplace === from;
  };
  const all = prices.sources.flatMap((marketplace) => {
    return trusted.map((source) => ({ source, marketplace }));
  });
  return all.map((series) => ({
    ...series,
    observedAt: observedAt(prices, (kind) => has(kind, series)),
    prices: has('market', series) ? { market, low, mid, high } : NO_PRICES,
    conditions: has('conditions', series) ? conditions : {},
    graded: has('graded', series) ? graded : {},
  }));
}

type Kind = 'market' | 'conditions' | 'graded';
type Series = Pick<SourceObservation, 'source' | 'marketplace'>;

function marketplaceOf(kind: Kind, origins: Origins | undefined): string | null | undefined {
  if (kind === 'graded') return origins?.graded[0];
  return kind === 'market' ? origins?.figures : origins?.conditions;
}

/** Returns when the first kind of prices was observed; if there is none, when any price was. */
function observedAt(
  { figuresAt, conditionsAt, gradedAt }: ServedPrices,
  has: (kind: Kind) => boolean,
): Millis {
  const own = [
    has('market') ? figuresAt : null,
    has('conditions') ? conditionsAt : null,
    has('graded') ? gradedAt : null,
  ];
  return [...own, figuresAt, conditionsAt, gradedAt].find((moment) => moment !== null) ?? 0;
}

function rankOf(source: string): number {
  return (findSource(source) ?? UNKNOWN_SOURCE).rank;
}
