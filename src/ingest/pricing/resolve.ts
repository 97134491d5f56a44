import { comparePrintings, UNSPECIFIED } from '../../domain/card.ts';
import { NO_PRICES } from '../../domain/price.ts';
import { meantPrinting } from '../../domain/printings.ts';
import type { StoredObservation } from '../../store/observations.ts';
import { hasAmounts } from '../validation/figures.ts';
import type { Finding, ResolvedObservation } from '../validation/index.ts';
import { givesCatalogue } from '../validation/printing.ts';
import type { CardObservation, PriceRun } from './pipeline.ts';
import { isSameSeries, type PrintingBook } from './printings.ts';
import type { AcceptedObservation } from './serve.ts';

/** Which printing a quote is of, and what it takes to judgeObservations it there. */

/** A quote that has found its printing, as the guard sees it. */
export interface PlacedObservation extends ResolvedObservation {
  readonly told: CardObservation;
  readonly rival?: StoredObservation | undefined;
}

const NOTHING = { prices: NO_PRICES, conditions: {}, graded: {}, past: [] };

/** Finds quotes their printings: those that name none are of the card's default printing. */
export function resolve(
  run: PriceRun,
  book: PrintingBook,
  told: readonly CardObservation[],
): PlacedObservation[] {
  return told.flatMap((one) => {
    const { observation, card } = one;
    if (observation.printing !== undefined) return [named(run, book, one, observation.printing)];
    const known = book.defaultName(card.id);
    if (known === undefined && !hasAmounts(observation)) return [];
    const name = known ?? plainestOf(one.statedPrintings);
    const placed = candidate(run, book, one, name);
    const before = book.find(card.id, UNSPECIFIED);
    if (name === UNSPECIFIED || !before?.quotes.some((other) => isOf(one, other))) return [placed];
    // It has moved on to a printing that has become known since.
    const gone = { ...observation, ...NOTHING };
    return [placed, candidate(run, book, { ...one, observation: gone }, UNSPECIFIED)];
  });
}

/**
 * A quote of a printing by its source's name for it. Sources that give the catalogue mean what they
 * say, as does one that has another name for the printing that would be meant.
 */
function named(
  run: PriceRun,
  book: PrintingBook,
  told: CardObservation,
  name: string,
): PlacedObservation {
  const known = book.names(told.card.id);
  const meant = givesCatalogue(told.source) ? name : meantPrinting(name, known);
  if (meant === name) return candidate(run, book, told, name);
  const { statedPrintings: stated } = told;
  const others = stated?.filter((other) => other !== name) ?? [];
  if (others.some((other) => meantPrinting(other, known) === meant)) {
    return candidate(run, book, told, name);
  }
  const statedPrintings = stated?.map((one) => (one === name ? meant : one)) ?? null;
  return candidate(run, book, { ...told, statedPrintings }, meant);
}

function plainestOf(names: readonly string[] | null | undefined): string {
  return names?.toSorted(comparePrintings)[0] ?? UNSPECIFIED;
}

function isOf({ source, observation }: CardObservation, known: StoredObservation): boolean {
  return isSameSeries(known, { source, marketplace: observation.marketplace });
}

function candidate(
  run: PriceRun,
  book: PrintingBook,
  told: CardObservation,
  printing: string,
): PlacedObservation {
  const { source, card, externalId, observation, conflict, statedPrintings = null } = told;
  const known = book.find(card.id, printing)?.quotes ?? [];
  const isUnspecified = printing === UNSPECIFIED;
  const before = known.find((one) => isOf(told, one));
  const placed = {
    told,
    source,
    card: card.id,
    cardName: card.name,
    printing,
    externalId,
    knownPrintings: book.names(card.id).filter((name) => isUnspecified || name !== UNSPECIFIED),
    statedPrintings: isUnspecified ? null : statedPrintings,
    observation,
    before,
    rival: before && isRival(run, told, before) ? before : undefined,
    others: known.filter((one) => one.source !== source),
  };
  return { ...placed, conflict: conflict ?? run.twice?.get(slotOf(placed)) };
}

/** Whether what is known is what this import told in an earlier batch, by another key. */
function isRival(
  { twice, startedAt }: PriceRun,
  { externalId }: CardObservation,
  known: StoredObservation,
): boolean {
  const isOther =
    externalId !== null && known.externalId !== null && known.externalId !== externalId;
  return twice !== undefined && isOther && known.fetchedAt === startedAt;
}

/** What a source says only one thing of. */
function slotOf({
  card,
  printing,
  observation,
}: Pick<ResolvedObservation, 'card' | 'printing' | 'observation'>): string {
  return `${card} ${observation.marketplace} ${printing}`;
}

/**
 * Remembers that a source contradicts itself, and takes back what it said of the printing in an
 * earlier batch: what it had said before the import is not known any more.
 */
export function retract(
  { twice }: PriceRun,
  {
    candidate: placed,
    finding,
  }: { readonly candidate: PlacedObservation; readonly finding: Finding },
): AcceptedObservation[] {
  const isNew = twice?.has(slotOf(placed)) === false;
  twice?.set(slotOf(placed), finding);
  const { told, printing, rival } = placed;
  if (!isNew || !rival) return [];
  const { currency, observedAt, externalId } = rival;
  const quote = { ...told.observation, currency, observedAt, ...NOTHING };
  return [{ told: { ...told, externalId }, observation: quote, printing }];
}
