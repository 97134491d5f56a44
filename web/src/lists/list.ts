import type { ConfidenceLevel } from '../../../src/domain/confidence.ts';
import { type CsvCell, csvLine } from '../../../src/domain/csv.ts';
import type { Currency } from '../../../src/domain/currencies.ts';
import { formatGrade } from '../../../src/domain/grade-names.ts';
import type { Condition } from '../../../src/domain/price.ts';
import type { Watched, WatchedLine } from '../alerts/watched.ts';
import { cardHref, productHref } from '../api/links.ts';
import type { CandidateBody, CardSummaryBody, ResolvedBody } from '../api/responses.ts';
import { formatConversion, formatCounted } from '../ui/format.ts';
import { hundredthsOf, shareOf } from './amounts.ts';
import { type PickedCopy, priceOfCopy, printingOf } from './copies.ts';

/** The most lines per call. The API refuses more. */
export const MAX_LINES = 500;

/** The most copies of a line. */
export const MAX_COPIES = 9999;

/** A line of the reader's list. */
export interface ListLine {
  /** Its number in the list, from 1. */
  readonly number: number;
  readonly text: string;
}

/** The reader's changes to a line. */
interface Edits {
  /** The candidate that the reader has chosen. */
  readonly chosen?: CandidateBody | undefined;
  /** Replaces the copy that the line names. */
  readonly picked?: PickedCopy | undefined;
  /** Replaces the quantity that the line gives. */
  readonly quantity?: number | undefined;
  /** Replaces the percentage to pay for all lines. */
  readonly percent?: number | undefined;
}

/** A line with its answer. */
export interface ListRow extends ListLine, Edits {
  readonly answer: ResolvedBody;
}

/** The card or product of a line, in the copy that the line means. */
export interface ListedCard
  extends Pick<
    CardSummaryBody,
    'id' | 'name' | 'game' | 'set' | 'setCode' | 'number' | 'rarity' | 'image'
  > {
  /** The link to its page. */
  readonly href: string;
  readonly isProduct: boolean;
  readonly printing: string | null;
  /** The code of the language, if it differs from the card's language in the catalogue. */
  readonly language?: string | undefined;
  readonly quantity: number;
  readonly condition: Condition | null;
  /** In its company's notation; null for a card without a grade. */
  readonly grade: string | null;
  /** The price of one such copy, in the currency of the list; null if unknown. */
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

/** Adds a line to the text of a list. */
export function withLine(list: List, line: string): List {
  const text = list.text.trimEnd();
  return { ...list, text: text === '' ? line : `${text}\n${line}` };
}

/** Returns the card of a row, in the copy that the reader picked; undefined if there is none. */
export function listedCard(row: ListRow): ListedCard | undefined {
  const card = row.chosen ? chosenCard(row, row.chosen) : matchedCard(row.answer);
  if (!card) return undefined;
  const { picked, quantity = card.quantity } = row;
  return { ...card, ...(picked && pickedCopy(picked)), quantity };
}

function chosenCard({ text, answer }: ListRow, chosen: CandidateBody): ListedCard {
  const { prices, priceOf, price = prices.market, printing } = chosen;
  const { condition = null, grade = null } = answer;
  return {
    ...chosen,
    href: cardHref(chosen.id, { printing: printing ?? undefined }),
    isProduct: false,
    quantity: countInFront(text),
    condition,
    grade,
    price,
    isUnsure: priceOf === undefined && isUnsureLevel(prices.confidence?.level),
  };
}

function matchedCard(answer: ResolvedBody): ListedCard | undefined {
  const { card, product, printing = null, quantity = 1, market: price = null, noPrice } = answer;
  const { condition = null, grade = null, priceConfidence } = answer;
  const isUnsure = price !== null && isUnsureLevel(priceConfidence?.level);
  const line = { printing, quantity, condition, grade, price, isUnsure, noPrice };
  if (answer.status !== 'matched') return undefined;
  if (card) {
    const href = cardHref(card.id, { printing: printing ?? undefined });
    return { ...card, ...line, href, isProduct: false };
  }
  if (!product) return undefined;
  const href = productHref(product.id);
  return { ...product, number: null, rarity: null, ...line, href, isProduct: true };
}

/** The changes to a line by a picked copy. */
function pickedCopy(picked: PickedCopy) {
  const { card, condition, grade } = picked;
  const printing = printingOf(card, picked);
  const isRaw = condition === null && grade === null;
  return {
    href: cardHref(card.id, { printing: picked.printing ?? undefined }),
    printing: picked.printing,
    language: printing?.language,
    condition,
    grade: grade && formatGrade(grade),
    isUnsure: isRaw && isUnsureLevel(printing?.prices.confidence?.level),
    noPrice: undefined,
    ...priceOfCopy(picked),
  };
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

/** The payment for the lines of a list. */
export interface Terms {
  /** The percentage of the value; undefined for a reader who buys nothing. */
  readonly percent: number | undefined;
  readonly currency: Currency;
}

/** The value of a line and the payment for it; null if the price is unknown. */
export interface LineAmounts {
  readonly value: number | null;
  readonly pay: number | null;
}

/** Returns the amounts of a line with this card. */
export function amountsOf(
  { price, quantity }: ListedCard,
  { percent: ownPercent }: ListRow,
  { percent = 0, currency }: Terms,
): LineAmounts {
  if (price === null) return { value: null, pay: null };
  const value = hundredthsOf(price) * quantity;
  return { value: value / 100, pay: shareOf(value, ownPercent ?? percent, currency) / 100 };
}

/**
 * Returns the subjects of an alert for a list: each card, printing and copy once. Products have no
 * alerts.
 */
export function watchedOf(rows: readonly ListRow[]): Watched {
  const lines = new Map<string, WatchedLine>();
  for (const row of rows) {
    const card = listedCard(row);
    if (!card || card.isProduct) continue;
    const { id, printing, condition } = card;
    const grade = (row.picked ?? (row.chosen ?? row.answer).priceOf)?.grade ?? undefined;
    const line = {
      card: id,
      printing: printing ?? undefined,
      ...(grade === undefined ? { condition: condition ?? undefined } : { grade }),
    };
    lines.set(JSON.stringify(line), line);
  }
  const name = `List of ${formatCounted(lines.size, 'card')}`;
  return { label: name, name, target: { lines: [...lines.values()] } };
}

/** The totals of a list. */
export interface ListTotal {
  /** The lines whose card is known. */
  readonly lines: number;
  readonly copies: number;
  /** The cards of lines without a price, which the amounts omit. */
  readonly unpriced: readonly ListedCard[];
  /** In the currency of the list. */
  readonly value: number;
  /** The part of the value that comes from thin or disputed prices. */
  readonly unsure: number;
  readonly pay: number;
}

export function totalOf(rows: readonly ListRow[], terms: Terms): ListTotal {
  const lines = rows.flatMap((row) => {
    const card = listedCard(row);
    return card ? [{ card, ...amountsOf(card, row, terms) }] : [];
  });
  const unsure = lines.filter(({ card }) => card.isUnsure);
  return {
    lines: lines.length,
    copies: lines.reduce((sum, { card }) => sum + card.quantity, 0),
    unpriced: lines.flatMap(({ card }) => (card.price === null ? [card] : [])),
    value: sumOf(lines.map(({ value }) => value)),
    unsure: sumOf(unsure.map(({ value }) => value)),
    pay: sumOf(lines.map(({ pay }) => pay)),
  };
}

/** Missing amounts count as zero. */
function sumOf(amounts: readonly (number | null)[]): number {
  return amounts.reduce<number>((sum, amount) => sum + hundredthsOf(amount ?? 0), 0) / 100;
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
  'value',
  'percent',
  'pay',
  'currency',
  'reasons',
] as const;

/** Returns the rows as CSV with a header. Cards that the reader chose have the status `chosen`. */
export function listCsv(rows: readonly ListRow[], terms: Terms): string {
  const cells = rows.map((row) => cellsOf(row, terms));
  return [COLUMNS, ...cells].map((line) => csvLine(line)).join('');
}

function cellsOf(row: ListRow, terms: Terms): readonly CsvCell[] {
  const { number, text, answer, chosen, percent = terms.percent } = row;
  const card = listedCard(row);
  const amounts = card && amountsOf(card, row, terms);
  const hasPrice = typeof card?.price === 'number';
  const isBought = hasPrice && percent !== undefined;
  return [
    number,
    text,
    chosen ? 'chosen' : answer.status,
    ...[card?.id, card?.name, card?.setCode, card?.number],
    ...[card?.printing, card?.language ?? answer.language, card?.condition, card?.grade],
    ...[card?.quantity, card?.price, amounts?.value],
    ...(isBought ? [percent, amounts?.pay] : [null, null]),
    hasPrice ? terms.currency : null,
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

/** A pasted list, with its answers once it was sent. */
export interface List {
  readonly text: string;
  /** The game that the reader has selected, as in {@link SentList}. */
  readonly game: string;
  /** The percentage to pay, as typed; empty for a reader who buys nothing. */
  readonly percent: string;
  readonly resolved?: ResolvedList | undefined;
}

/** Joins lines with their answers. Edits made `before` stay, with chosen candidates by their id. */
export function answered(
  sent: SentList,
  answers: readonly ResolvedBody[],
  before: readonly ListRow[] = [],
): ResolvedList {
  const edits = new Map(before.map((row) => [row.number, row]));
  const rows = sent.lines.flatMap((line, i): ListRow[] => {
    const answer = answers[i];
    if (!answer) return [];
    const { chosen, picked, quantity, percent } = edits.get(line.number) ?? {};
    const choice = answer.candidates?.find(({ id }) => id === chosen?.id);
    return [{ ...line, answer, chosen: choice, picked, quantity, percent }];
  });
  return { ...sent, rows };
}

/**
 * Explains how the prices of a list were converted, or why they are missing, if either is the case.
 */
export function conversionNote({ rows, currency }: ResolvedList): string | undefined {
  const prices = rows.flatMap(({ answer, chosen }) => chosen?.prices ?? answer);
  const converted = prices.find((price) => price.converted)?.converted;
  if (!converted) return prices.find(({ reason }) => reason !== undefined)?.reason;
  return `Prices that no source has in ${currency} are ${formatConversion(converted)}.`;
}
