import type { ConfidenceLevel } from '../../../src/domain/confidence.ts';
import { type CsvCell, csvLine } from '../../../src/domain/csv.ts';
import type { Currency } from '../../../src/domain/currencies.ts';
import type { Condition } from '../../../src/domain/price.ts';
import type { CandidateBody, ResolvedBody } from '../api/responses.ts';
import { formatConversion } from '../ui/format.ts';

/** The most lines per call; the API refuses more. */
export const MAX_LINES = 500;

/** A line of the reader's list. */
export interface ListLine {
  /** Its place in the list, from 1 on. */
  readonly number: number;
  readonly text: string;
}

/** A line with its answer. */
export interface ListRow extends ListLine {
  readonly answer: ResolvedBody;
  /** The candidate that the reader has chosen. */
  readonly chosen?: CandidateBody | undefined;
}

/** The card of a line, in the printing that the line means. */
export interface ListedCard {
  readonly id: string;
  readonly name: string;
  readonly setCode: string;
  readonly number: string | null;
  readonly printing: string | null;
  /** The code of the language, if it is not the one in which the card is catalogued. */
  readonly language?: string | undefined;
  readonly quantity: number;
  readonly condition: Condition | null;
  /** As its company writes it; null for a card without a grade. */
  readonly grade: string | null;
  /** For one such copy, in the currency of the list; null when unknown. */
  readonly price: number | null;
  /** Whether that price is thin or disputed. */
  readonly isUnsure: boolean;
  /** Why such a copy has no price. */
  readonly noPrice?: string | undefined;
}

/** Returns the lines of a text without the empty ones. */
export function linesOf(text: string): ListLine[] {
  const lines = text.split(/\r\n|\n|\r/).map((line, i) => ({ number: i + 1, text: line.trim() }));
  return lines.filter((line) => line.text !== '');
}

/** Returns the card of a row, matched or chosen; undefined if there is none. */
export function listedCard({ text, answer, chosen }: ListRow): ListedCard | undefined {
  if (chosen) {
    const { prices, priceOf, price = prices.market } = chosen;
    const isUnsure = priceOf === undefined && isUnsureLevel(prices.confidence?.level);
    const { condition = null, grade = null } = answer;
    const quantity = countInFront(text);
    return { ...chosen, quantity, condition, grade, price, isUnsure };
  }
  if (answer.status !== 'matched' || !answer.card) return undefined;
  const { card, printing = null, quantity = 1, grade = null, market: price = null } = answer;
  const { condition = null, noPrice } = answer;
  const isUnsure = price !== null && isUnsureLevel(answer.priceConfidence?.level);
  return { ...card, printing, quantity, condition, grade, price, isUnsure, noPrice };
}

function isUnsureLevel(level: ConfidenceLevel | undefined): boolean {
  return level === 'thin' || level === 'disputed';
}

/**
 * Returns the count at the start of a line, as in `4x Duress` and `4 Duress`; 1 if there is none.
 */
function countInFront(text: string): number {
  return Number(/^(\d{1,3})x? /i.exec(text)?.[1] ?? 1) || 1;
}

/** The totals of a list. */
export interface ListTotal {
  /** The lines whose card is known. */
  readonly lines: number;
  readonly copies: number;
  /** The copies without a price, which the value leaves out. */
  readonly unpriced: number;
  /** In the currency of the list. */
  readonly value: number;
  /** The part of the value that is of thin or disputed prices. */
  readonly unsure: number;
}

export function totalOf(rows: readonly ListRow[]): ListTotal {
  const cards = rows.flatMap((row) => listedCard(row) ?? []);
  const count = (some: readonly ListedCard[]) => some.reduce((sum, card) => sum + card.quantity, 0);
  // Whole cents: sums of amounts with decimals would not be exact.
  const worth = (some: readonly ListedCard[]) => {
    const cents = some.reduce((sum, { price, quantity }) => {
      return sum + Math.round((price ?? 0) * 100) * quantity;
    }, 0);
    return cents / 100;
  };
  return {
    lines: cards.length,
    copies: count(cards),
    unpriced: count(cards.filter(({ price }) => price === null)),
    value: worth(cards),
    unsure: worth(cards.filter(({ isUnsure }) => isUnsure)),
  };
}

const COLUMNS = [
  'line',
  'text',
  'status',
  'card',
  'name',
  'set code',
  'number',
  'printing',
  'language',
  'condition',
  'grade',
  'quantity',
  'market',
  'currency',
  'reasons',
] as const;

/** Returns the rows as CSV with a header. Cards that the reader chose have the status `chosen`. */
export function listCsv(rows: readonly ListRow[], currency: Currency): string {
  const cells = rows.map((row) => cellsOf(row, currency));
  return [COLUMNS, ...cells].map((line) => csvLine(line)).join('');
}

function cellsOf(row: ListRow, currency: Currency): readonly CsvCell[] {
  const { number, text, answer, chosen } = row;
  const card = listedCard(row);
  return [
    number,
    text,
    chosen ? 'chosen' : answer.status,
    ...[card?.id, card?.name, card?.setCode, card?.number],
    ...[card?.printing, answer.language, card?.condition, card?.grade, card?.quantity],
    ...[card?.price, typeof card?.price === 'number' ? currency : null],
    [...(chosen ?? answer).reasons, card?.noPrice].filter(Boolean).join(' '),
  ];
}

/** Lines as they were sent. */
export interface SentList {
  readonly lines: readonly ListLine[];
  /** The slug of the game for lines that name none; empty for any game. */
  readonly game: string;
  /** The currency of all prices. */
  readonly currency: Currency;
}

/** The answers to lines. */
export interface ResolvedList extends SentList {
  readonly rows: readonly ListRow[];
}

/** A pasted list, and its answers once it has been sent. */
export interface List {
  readonly text: string;
  /** The game that the reader has selected, as in {@link SentList}. */
  readonly game: string;
  readonly resolved?: ResolvedList | undefined;
}

/** Joins lines with their answers. Of the candidates, those chosen `before` stay chosen. */
export function answered(
  sent: SentList,
  answers: readonly ResolvedBody[],
  before: readonly ListRow[] = [],
): ResolvedList {
  const choices = new Map(before.map(({ number, chosen }) => [number, chosen?.id]));
  const rows = sent.lines.flatMap((line, i): ListRow[] => {
    const answer = answers[i];
    if (!answer) return [];
    const choice = choices.get(line.number);
    return [{ ...line, answer, chosen: answer.candidates?.find(({ id }) => id === choice) }];
  });
  return { ...sent, rows };
}

/** Says how the prices of a list were converted, or why they are missing, if they were or are. */
export function conversionNote({ rows, currency }: ResolvedList): string | undefined {
  const prices = rows.flatMap(({ answer, chosen }) => chosen?.prices ?? answer);
  const converted = prices.find((price) => price.converted)?.converted;
  if (!converted) return prices.find(({ reason }) => reason !== undefined)?.reason;
  return `Prices that no source has in ${currency} are ${formatConversion(converted)}.`;
}
