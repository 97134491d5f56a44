import { centsFromDollars } from '../../../../src/domain/money.ts';
import type { CandidateBody, ResolvedBody } from '../responses.ts';

/** The most lines that are resolved at once: the API refuses more. */
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
  readonly quantity: number;
  /** As its company writes it; null for a card without a grade. */
  readonly grade: string | null;
  /** Dollars for one copy; null when unknown, as it is for graded cards. */
  readonly price: number | null;
}

/** Returns the lines of a text without the empty ones. */
export function linesOf(text: string): ListLine[] {
  const lines = text.split(/\r\n|\n|\r/).map((line, i) => ({ number: i + 1, text: line.trim() }));
  return lines.filter((line) => line.text !== '');
}

/** Returns the card of a row: the matched or the chosen one; undefined without any. */
export function listedCard({ text, answer, chosen }: ListRow): ListedCard | undefined {
  if (chosen) {
    const price = chosen.prices.market;
    return { ...chosen, quantity: countInFront(text), grade: null, price };
  }
  if (answer.status !== 'matched' || !answer.card) return undefined;
  const { card, printing = null, quantity = 1, grade = null, market = null } = answer;
  return { ...card, printing, quantity, grade, price: grade === null ? market : null };
}

/** The count in front of a line, as in `4x Duress` and `4 Duress`; 1 without one. */
function countInFront(text: string): number {
  return Number(/^(\d{1,3})x? /i.exec(text)?.[1] ?? 1) || 1;
}

/** What the cards of a list come to. */
export interface ListTotal {
  /** The lines whose card is known. */
  readonly lines: number;
  readonly copies: number;
  /** The copies without a price, which the value leaves out. */
  readonly unpriced: number;
  /** Dollars. */
  readonly value: number;
}

export function totalOf(rows: readonly ListRow[]): ListTotal {
  const cards = rows.flatMap((row) => listedCard(row) ?? []);
  const count = (some: readonly ListedCard[]) => some.reduce((sum, card) => sum + card.quantity, 0);
  // Whole cents: sums of dollars would not be exact.
  const cents = cards.reduce((sum, { price, quantity }) => {
    return sum + (centsFromDollars(price ?? 0) ?? 0) * quantity;
  }, 0);
  return {
    lines: cards.length,
    copies: count(cards),
    unpriced: count(cards.filter(({ price }) => price === null)),
    value: cents / 100,
  };
}
