import { comparePrintings, UNSPECIFIED } from '../domain/card.ts';
import { NO_PRICES } from '../domain/price.ts';
import { meantPrinting } from '../domain/printings.ts';
import type { KnownQuote } from '../store/quotes.ts';
import { hasAmounts } from './guard/figures.ts';
import { givesCatalogue } from './guard/printing.ts';
import type { Candidate, Finding } from './guard.ts';
import { isSameOrigin, type PrintingBook } from './printings.ts';
import type { QuoteRun, ToldQuote } from './quotes.ts';
import type { SoundQuote } from './serve.ts';

/** Which printing a quote is of, and what it takes to judge it there. */

/** A quote that has found its printing, as the guard sees it. */
export interface PlacedQuote extends Candidate {
  readonly told: ToldQuote;
  readonly rival?: KnownQuote | undefined;
}

const NOTHING = { prices: NO_PRICES, conditions: {}, graded: {}, past: [] };

/** Finds quotes their printings: those that name none are of the card's default printing. */
export function place(
  run: QuoteRun,
  book: PrintingBook,
  told: readonly ToldQuote[],
): PlacedQuote[] {
  return told.flatMap((one) => {
    const { quote, card } = one;
    if (quote.printing !== undefined) return [named(run, book, one, quote.printing)];
    const known = book.defaultName(card.id);
    if (known === undefined && !hasAmounts(quote)) return [];
    const name = known ?? plainestOf(one.statedPrintings);
    const placed = candidate(run, book, one, name);
    const before = book.find(card.id, UNSPECIFIED);
    if (name === UNSPECIFIED || !before?.quotes.some((other) => isOf(one, other))) return [placed];
    // It has moved on to a printing that has become known since.
    const gone = { ...quote, ...NOTHING };
    return [placed, candidate(run, book, { ...one, quote: gone }, UNSPECIFIED)];
  });
}

/**
 * A quote of a printing by its source's name for it. Sources that give the catalogue mean what they
 * say, as does one that has another name for the printing that would be meant.
 */
function named(run: QuoteRun, book: PrintingBook, told: ToldQuote, name: string): PlacedQuote {
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

function isOf({ source, quote }: ToldQuote, known: KnownQuote): boolean {
  return isSameOrigin(known, { source, market: quote.market });
}

function candidate(
  run: QuoteRun,
  book: PrintingBook,
  told: ToldQuote,
  printing: string,
): PlacedQuote {
  const { source, card, key, quote, conflict, statedPrintings = null } = told;
  const known = book.find(card.id, printing)?.quotes ?? [];
  const isUnspecified = printing === UNSPECIFIED;
  const before = known.find((one) => isOf(told, one));
  const placed = {
    told,
    source,
    card: card.id,
    cardName: card.name,
    printing,
    key,
    knownPrintings: book.names(card.id).filter((name) => isUnspecified || name !== UNSPECIFIED),
    statedPrintings: isUnspecified ? null : statedPrintings,
    quote,
    before,
    rival: before && isRival(run, told, before) ? before : undefined,
    others: known.filter((one) => one.source !== source),
  };
  return { ...placed, conflict: conflict ?? run.twice?.get(slotOf(placed)) };
}

/** Whether what is known is what this import told in an earlier batch, by another key. */
function isRival({ twice, startedAt }: QuoteRun, { key }: ToldQuote, known: KnownQuote): boolean {
  const isOther = key !== null && known.key !== null && known.key !== key;
  return twice !== undefined && isOther && known.fetchedAt === startedAt;
}

/** What a source says only one thing of. */
function slotOf({ card, printing, quote }: Pick<Candidate, 'card' | 'printing' | 'quote'>): string {
  return `${card} ${quote.market} ${printing}`;
}

/**
 * Remembers that a source contradicts itself, and takes back what it said of the printing in an
 * earlier batch: what it had said before the import is not known any more.
 */
export function retract(
  { twice }: QuoteRun,
  { candidate: placed, finding }: { readonly candidate: PlacedQuote; readonly finding: Finding },
): SoundQuote[] {
  const isNew = twice?.has(slotOf(placed)) === false;
  twice?.set(slotOf(placed), finding);
  const { told, printing, rival } = placed;
  if (!isNew || !rival) return [];
  const { currency, observedAt, key } = rival;
  const quote = { ...told.quote, currency, observedAt, ...NOTHING };
  return [{ told: { ...told, key }, quote, printing }];
}
