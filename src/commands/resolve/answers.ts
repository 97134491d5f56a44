import { type Card, defaultPrinting } from '../../domain/card.ts';
import { type Cents, dollarsFromCents } from '../../domain/money.ts';
import type { Condition } from '../../domain/price.ts';
import type { Candidate, Matched, Resolution } from '../../resolve/types.ts';
import type { InputRow, NotAsked } from './rows.ts';

/** What is told of a line or row, beside its own columns. */
export interface Answer {
  readonly line: number;
  readonly status: Resolution['status'] | Exclude<NotAsked['status'], 'empty'>;
  /** The card id. */
  readonly card: string | null;
  readonly name: string | null;
  /** The name of the set. */
  readonly set: string | null;
  readonly number: string | null;
  readonly printing: string | null;
  readonly quantity: number | null;
  readonly condition: Condition | null;
  readonly grade: string | null;
  /** From 0 to 1. */
  readonly confidence: number | null;
  /** The market price of the printing, of one copy, in US dollars. */
  readonly market: number | null;
  readonly reasons: readonly string[];
  readonly candidates: readonly CandidateAnswer[];
}

/** A card that the line or row may mean. */
interface CandidateAnswer {
  readonly card: string;
  readonly name: string;
  readonly set: string;
  readonly number: string | null;
  readonly market: number | null;
  readonly reasons: readonly string[];
}

/** A row with its answer. */
export interface AnsweredRow {
  readonly row: InputRow;
  readonly answer: Answer;
}

const NO_CARD = {
  card: null,
  name: null,
  set: null,
  number: null,
  printing: null,
  quantity: null,
  condition: null,
  grade: null,
  confidence: null,
  market: null,
} as const;

/** Answers a row that was not asked about. */
export function refusal(line: number, status: Answer['status'], reason: string): Answer {
  return { line, status, ...NO_CARD, reasons: [reason], candidates: [] };
}

/** Answers a row by what the resolver found. */
export function answerOf(line: number, resolution: Resolution): Answer {
  if (resolution.status === 'matched') return matchedAnswer(line, resolution);
  const { status, reasons, candidates } = resolution;
  return { line, status, ...NO_CARD, reasons, candidates: candidates.map(candidateAnswer) };
}

function matchedAnswer(line: number, matched: Matched): Answer {
  const { status, card, printing, quantity, condition, grade, confidence, reasons } = matched;
  return {
    line,
    status,
    ...described(card),
    printing: printing?.name ?? null,
    quantity,
    condition,
    grade,
    confidence: Number(confidence.toFixed(2)),
    market: dollars(printing?.prices.market),
    reasons,
    candidates: [],
  };
}

function candidateAnswer({ card, reasons }: Candidate): CandidateAnswer {
  return { ...described(card), market: dollars(defaultPrinting(card)?.prices.market), reasons };
}

function described({ id, name, set, number }: Card) {
  return { card: id, name, set: set.name, number };
}

function dollars(cents: Cents | null | undefined): number | null {
  return cents === null || cents === undefined ? null : dollarsFromCents(cents);
}
