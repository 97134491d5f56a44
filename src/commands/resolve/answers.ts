import {
  type Card,
  defaultPrinting,
  type Printing,
  printingInLanguageOf,
} from '../../domain/card.ts';
import { isNamed, priceOfCopy } from '../../domain/copy.ts';
import type { Currency } from '../../domain/currencies.ts';
import type { GameSlug } from '../../domain/games.ts';
import { formatGrade } from '../../domain/grade-names.ts';
import type { LanguageCode } from '../../domain/languages.ts';
import type { LocalPrices } from '../../domain/local-prices.ts';
import { dollarsOrNull } from '../../domain/money.ts';
import type { Condition } from '../../domain/price.ts';
import type { Product } from '../../domain/products.ts';
import type { ProductResolution } from '../../resolve/index.ts';
import type { Candidate, Matched, Resolution, ResolveItem } from '../../resolve/item.ts';
import { formatCount } from '../output.ts';
import type { Asked, InputRow, NotAsked } from './rows.ts';

/** The columns that are added to a line or row. */
export interface Answer {
  readonly line: number;
  readonly status: Resolution['status'] | Exclude<NotAsked['status'], 'empty'>;
  /** The card id. */
  readonly card: string | null;
  /** The id of a sealed product. A line or row means a card or a product, never both. */
  readonly product: string | null;
  readonly name: string | null;
  /** The name of the set. */
  readonly set: string | null;
  readonly number: string | null;
  readonly printing: string | null;
  /** The language that the line or row names. */
  readonly language: LanguageCode | null;
  readonly quantity: number | null;
  readonly condition: Condition | null;
  readonly grade: string | null;
  /** From 0 to 1. */
  readonly confidence: number | null;
  /** The price of one copy as the row names it. */
  readonly market: number | null;
  /** The currency of the price, if the caller has chosen one. */
  readonly currency?: Currency;
  readonly reasons: readonly string[];
  readonly candidates: readonly CandidateAnswer[];
}

/** A card or a product that the line or row may mean. */
interface CandidateAnswer {
  readonly card: string | null;
  readonly product: string | null;
  readonly name: string;
  readonly set: string;
  readonly number: string | null;
  readonly market: number | null;
  readonly currency?: Currency;
  readonly reasons: readonly string[];
}

/** A row with its answer. */
export interface AnsweredRow {
  readonly row: InputRow;
  readonly answer: Answer;
}

type AnyResolution = Resolution | ProductResolution;

const NO_CARD = {
  card: null,
  product: null,
  name: null,
  set: null,
  number: null,
  printing: null,
  language: null,
  quantity: null,
  condition: null,
  grade: null,
  confidence: null,
  market: null,
} as const;

/** Answers a row that was not passed to the resolver. */
function refusal(line: number, status: Answer['status'], reason: string): Answer {
  return { line, status, ...NO_CARD, reasons: [reason], candidates: [] };
}

/** Converts the resolver's answer. */
function answerOf(line: number, resolution: AnyResolution, local?: LocalPrices): Answer {
  if ('kind' in resolution) return productAnswer(line, resolution, local);
  if (resolution.status === 'matched') return matchedAnswer(line, resolution, local);
  const { status, reasons, candidates, language } = resolution;
  return {
    line,
    status,
    ...NO_CARD,
    language: language ?? null,
    reasons,
    candidates: candidates.map((candidate) => candidateAnswer(candidate, language, local)),
  };
}

function matchedAnswer(line: number, matched: Matched, local?: LocalPrices): Answer {
  const { status, card, quantity, copy, confidence, reasons } = matched;
  const printing = matched.printing && (local?.printing(matched.printing) ?? matched.printing);
  const found = priceOfCopy(printing, copy, false);
  return {
    line,
    status,
    ...described(card),
    printing: printing?.name ?? null,
    language: matched.language ?? null,
    quantity,
    condition: copy.condition,
    grade: copy.grade && formatGrade(copy.grade),
    confidence: Number(confidence.toFixed(2)),
    market: dollarsOrNull(found.price),
    ...currencyOf(printing),
    reasons: found.price === null && isNamed(copy) ? [...reasons, found.noPrice] : reasons,
    candidates: [],
  };
}

function productAnswer(line: number, resolution: ProductResolution, local?: LocalPrices): Answer {
  const { status, reasons } = resolution;
  if (status !== 'matched') {
    const candidates = resolution.products.map((product) => ({
      ...describedProduct(product),
      ...marketOf(defaultPrinting(product), local),
      reasons: [],
    }));
    return { line, status, ...NO_CARD, reasons, candidates };
  }
  const { product, printing, quantity, confidence } = resolution;
  return {
    line,
    status,
    ...NO_CARD,
    ...describedProduct(product),
    printing: printing?.name ?? null,
    quantity,
    confidence,
    ...marketOf(printing, local),
    reasons,
    candidates: [],
  };
}

function candidateAnswer(
  { card, reasons }: Candidate,
  language: LanguageCode | undefined,
  local?: LocalPrices,
): CandidateAnswer {
  return {
    ...described(card),
    ...marketOf(printingInLanguageOf(card, language), local),
    reasons,
  };
}

function marketOf(found: Printing | null | undefined, local?: LocalPrices) {
  const printing = found && (local?.printing(found) ?? found);
  return { market: dollarsOrNull(printing?.prices.market), ...currencyOf(printing) };
}

function currencyOf(printing: Printing | null | undefined) {
  return printing?.money && { currency: printing.money.currency };
}

function described({ id, name, set, number }: Card) {
  return { card: id, product: null, name, set: set.name, number };
}

function describedProduct({ id, name, set }: Product) {
  return { card: null, product: id, name, set: set.name, number: null };
}

/** The resolver, as the command uses it. */
export interface Asking {
  resolve(
    items: readonly ResolveItem[],
    options: { readonly game?: GameSlug },
  ): Promise<readonly AnyResolution[]>;
  /** Whether a line of text may be a card, and not a heading or a comment. */
  isCard(text: string): boolean;
  readonly game?: GameSlug;
  /** The currency of prices; US dollars by default. */
  readonly local?: LocalPrices;
}

/** Rows resolved at a time. */
const BATCH = 200;

/** Answers rows in order. Skips the empty lines of tables. */
export async function* answerRows(
  rows: AsyncIterable<InputRow> | Iterable<InputRow>,
  asking: Asking,
): AsyncGenerator<AnsweredRow> {
  let batch: InputRow[] = [];
  for await (const row of rows) {
    if (isEmpty(row)) continue;
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield* answerBatch(batch, asking);
    batch = [];
  }
  yield* answerBatch(batch, asking);
}

/** Whether a row is an empty line of a table. */
function isEmpty({ asks }: InputRow): boolean {
  return 'status' in asks && asks.status === 'empty';
}

async function* answerBatch(
  batch: readonly InputRow[],
  asking: Asking,
): AsyncGenerator<AnsweredRow> {
  const asked = batch.flatMap(({ asks }) => ('item' in asks ? [asks] : []));
  const options = asking.game === undefined ? {} : { game: asking.game };
  const resolutions = await resolveAsked(asked, (items) => asking.resolve(items, options));
  const next = resolutions[Symbol.iterator]();
  for (const row of batch) yield { row, answer: answer(row, asking, next) };
}

function answer(
  { line, asks }: InputRow,
  asking: Asking,
  resolutions: Iterator<AnyResolution>,
): Answer {
  if (!('item' in asks)) return refuse(line, asks);
  const { value, done } = resolutions.next();
  if (done) throw new Error('the resolver gave fewer answers than it was asked for');
  const answered = answerOf(line, value, asking.local);
  const { text } = asks.item;
  if (answered.status === 'unknown' && text !== undefined && !asking.isCard(text)) {
    return { ...answered, status: 'not_a_card' };
  }
  return withCopies(answered, asks);
}

function refuse(line: number, { status, reason }: NotAsked): Answer {
  // Empty lines of tables never get this far.
  return refusal(line, status === 'empty' ? 'not_a_card' : status, reason);
}

function withCopies(answered: Answer, { copies }: Asked): Answer {
  const counts = copies !== undefined && answered.status === 'matched';
  return counts ? { ...answered, quantity: copies } : answered;
}

type Resolve = (items: readonly ResolveItem[]) => Promise<readonly AnyResolution[]>;

const REASON =
  "The set and the number are this card's, and the program identifies cards only by these.";

/**
 * Resolves items. Without a name the resolver abstains, because people mistype numbers. Programs
 * that identify cards by set and number do not mistype, so the only card with both matches.
 */
async function resolveAsked(
  asked: readonly Asked[],
  resolve: Resolve,
): Promise<readonly AnyResolution[]> {
  if (asked.length === 0) return [];
  const resolutions = await resolve(asked.map(({ item }) => item));
  const named = new Map<number, ResolveItem>();
  for (const [place, { item, isNameless }] of asked.entries()) {
    const name = isNameless ? nameOfOnly(resolutions[place]) : undefined;
    if (name !== undefined) named.set(place, { ...item, name });
  }
  if (named.size === 0) return resolutions;
  const again = await resolve([...named.values()]);
  const matched = new Map([...named.keys()].map((place, index) => [place, again[index]]));
  return resolutions.map((resolution, place) => {
    const second = matched.get(place);
    return second?.status === 'matched' ? { ...second, reasons: [REASON] } : resolution;
  });
}

/** Returns the name of the only candidate. */
function nameOfOnly(resolution: AnyResolution | undefined): string | undefined {
  if (resolution?.status !== 'ambiguous' || 'kind' in resolution) return undefined;
  const [only, ...others] = resolution.candidates;
  return others.length === 0 ? only?.card.name : undefined;
}

/** The words for each status, in the order of the summary. */
const WORDS: Readonly<Record<Answer['status'], string>> = {
  matched: 'matched',
  ambiguous: 'ambiguous',
  unknown: 'unknown',
  not_a_card: 'not cards',
  unreadable: 'unreadable',
};

/** The most unreadable lines to name. */
const MOST_NAMED = 5;

/** Counts the answers to the lines of a file. */
export class Tally {
  readonly #counts = new Map<Answer['status'], number>();
  readonly #unreadable: string[] = [];
  #empty = 0;

  get unreadable(): number {
    return this.#counts.get('unreadable') ?? 0;
  }

  /** Counts the empty lines of tables and passes all rows on. */
  async *countEmpty(rows: AsyncIterable<InputRow> | Iterable<InputRow>): AsyncGenerator<InputRow> {
    for await (const row of rows) {
      if (isEmpty(row)) this.#empty += 1;
      yield row;
    }
  }

  /** Counts answers, calls `onLine` with the line of each, and passes them on. */
  async *count(
    rows: AsyncIterable<AnsweredRow>,
    onLine: (line: number) => void,
  ): AsyncGenerator<AnsweredRow> {
    for await (const answered of rows) {
      const { line, status, reasons } = answered.answer;
      this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
      if (status === 'unreadable') this.#unreadable.push(`Line ${line}: ${reasons.join(' ')}`);
      onLine(line);
      yield answered;
    }
  }

  /** Returns sentences for people: the counts and the unreadable lines. */
  notes(): string[] {
    const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    const parts = Object.entries(WORDS).flatMap(([status, words]) => {
      const count = this.#counts.get(status as Answer['status']) ?? 0;
      return count === 0 ? [] : [`${formatCount(count)} ${words}`];
    });
    const rows = `${formatCount(total)} ${total === 1 ? 'row' : 'rows'}`;
    return [
      ...this.#namedUnreadable(),
      total === 0 ? `${rows}.` : `${rows}: ${parts.join(', ')}.`,
      ...this.#emptyNote(),
    ];
  }

  #namedUnreadable(): string[] {
    const more = this.#unreadable.length - MOST_NAMED;
    const rest = more > 0 ? [`${formatCount(more)} more lines could not be read.`] : [];
    return [...this.#unreadable.slice(0, MOST_NAMED), ...rest];
  }

  #emptyNote(): string[] {
    if (this.#empty === 0) return [];
    const lines = this.#empty === 1 ? 'line is' : 'lines are';
    return [`${formatCount(this.#empty)} empty ${lines} left out.`];
  }
}
