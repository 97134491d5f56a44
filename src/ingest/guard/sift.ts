import type { Kysely } from 'kysely';
import { dayOf, type Millis, startOfDay } from '../../domain/day.ts';
import type { DayPrices } from '../../domain/price.ts';
import type { Quote } from '../../domain/quote.ts';
import type { Store } from '../../store/connect.ts';
import type { Database } from '../../store/schema.ts';
import { addCounts } from '../counts.ts';
import { type GuardLimits, guard } from '../guard.ts';
import type { Candidate, Finding, Held, StoredQuote } from './candidate.ts';
import { hasAmounts } from './figures.ts';
import { dayFinding, HoldBook } from './holds.ts';
import { unknownPrinting } from './printing.ts';
import { isNear, type JudgedDays, judgeDays } from './series.ts';

/** Lets through what may be served and puts the rest into quarantine. */

export interface SiftOptions {
  readonly limits: GuardLimits;
  readonly now: Millis;
}

/** A candidate with its quote as it may be: without the days that are held back. */
export interface Passed<C extends Candidate> {
  readonly candidate: C;
  readonly quote: Quote;
}

export interface Sifted<C extends Candidate> {
  /** What may be served. */
  readonly passed: readonly Passed<C>[];
  /** What had a price of its source and has none any more: for `settleLosses`. */
  readonly lost: readonly Passed<C>[];
  /** What is held back because its source says two things of it, and how that reads. */
  readonly twice: readonly { readonly candidate: C; readonly finding: Finding }[];
  /** How many prices are held back, by reason. */
  readonly heldBack: Readonly<Record<string, number>>;
}

/**
 * Judges what sources say of printings, inside of `transaction`. What is held back is listed for
 * the operator, and what was and is sound now is struck off. All printings of a card that a source
 * tells must be in one batch.
 */
export async function sift<C extends Candidate>(
  store: Store,
  transaction: Kysely<Database>,
  batch: readonly C[],
  { limits, now }: SiftOptions,
): Promise<Sifted<C>> {
  const book = await HoldBook.open(transaction, batch, now);
  const judged = batch.map((candidate) => judge(candidate, book, limits));
  const candidates = judged.map(({ candidate }) => candidate);
  const held = guard(candidates, limits, now);
  const sifted = { passed: [], lost: [], twice: [], heldBack: {} } as Sifting<C>;
  for (const one of judged) place(one, held.get(one.candidate), book, sifted);
  await book.save(store, transaction);
  return sifted;
}

/** What becomes `Sifted`, on its way. */
interface Sifting<C extends Candidate> {
  readonly passed: Passed<C>[];
  readonly lost: Passed<C>[];
  readonly twice: { candidate: C; finding: Finding }[];
  readonly heldBack: Record<string, number>;
}

function place<C extends Candidate>(
  one: Judged<C>,
  finding: Held | undefined,
  book: HoldBook,
  { passed, lost, twice, heldBack }: Sifting<C>,
): void {
  const { original, candidate } = one;
  const { quote, dropped } = soundQuote(one, finding !== undefined);
  if (finding) {
    book.hold(candidate, finding);
    addCounts(heldBack, { [finding.reason]: 1 });
    if (finding.reason === 'told-twice') twice.push({ candidate: original, finding });
  } else if (hasAmounts(candidate.quote)) book.pass(candidate);
  for (const day of dropped) {
    const wrong = dayFinding(candidate, day);
    book.holdDay(candidate, wrong, day);
    addCounts(heldBack, { [wrong.reason]: 1 });
  }
  if (quote && isLost(original)) lost.push({ candidate: original, quote });
  else if (quote && isOfUse(original)) passed.push({ candidate: original, quote });
}

function isLost({ before, quote }: Candidate): boolean {
  return before !== undefined && hasAmounts(before) && !hasAmounts(quote);
}

/** Whether a candidate tells a price, or at least a printing that is one. */
function isOfUse(candidate: Candidate): boolean {
  return hasAmounts(candidate.quote) || unknownPrinting(candidate) === undefined;
}

interface Judged<C extends Candidate> {
  readonly original: C;
  /** With what is held back of it, and with the newest sound day of its past as what was before. */
  readonly candidate: C;
  readonly past: JudgedDays | undefined;
}

function judge<C extends Candidate>(original: C, book: HoldBook, limits: GuardLimits): Judged<C> {
  const candidate = book.complete(original);
  const { quote, before } = candidate;
  if (!quote.past || quote.past.length === 0) return { original, candidate, past: undefined };
  const accepted = book.acceptedDays(candidate);
  const judged = judgeDays(quote.past, before, limits);
  const isAccepted = ({ day }: DayPrices) => accepted.has(day);
  const past = {
    sound: [...judged.sound, ...judged.held.filter(isAccepted)],
    held: judged.held.filter((day) => !isAccepted(day)),
    tail: judged.tail,
    good: judged.good,
  };
  const latest = laterOf(before, past.good, candidate);
  const known = { ...candidate, before: latest, quote: { ...quote, past: past.tail } };
  return { original, candidate: known, past };
}

/** What the source said last before the candidate: what is stored, or a day of its own past. */
function laterOf(
  before: StoredQuote | undefined,
  good: DayPrices | undefined,
  { source, quote }: Candidate,
): StoredQuote | undefined {
  const isOutdated = before && before.observedAt > quote.observedAt;
  if (!good || (before && !isOutdated && dayOf(before.observedAt) >= good.day)) return before;
  const { conditions = {}, graded = {} } = before ?? {};
  const { market, currency } = quote;
  const observedAt = startOfDay(good.day);
  return { source, market, currency, observedAt, prices: good, conditions, graded };
}

/** What of a quote may be taken, and the days of its past that are held back for good. */
function soundQuote<C extends Candidate>(
  { original: { quote }, past }: Judged<C>,
  isHeld: boolean,
): { quote: Quote | undefined; dropped: readonly DayPrices[] } {
  if (!past) return { quote: isHeld ? undefined : quote, dropped: [] };
  const { sound, tail, held } = past;
  if (!isHeld) {
    const last = tail.at(-1);
    const goesOn = last !== undefined && isNear(last, quote.prices);
    return goesOn
      ? { quote: { ...quote, past: [...sound, ...tail] }, dropped: held }
      : { quote: { ...quote, past: sound }, dropped: [...held, ...tail] };
  }
  return { quote: newestOf(quote, sound), dropped: held };
}

/** What a source said last that is sound, when what it says now is not. */
function newestOf(quote: Quote, sound: readonly DayPrices[]): Quote | undefined {
  const newest = sound.reduce<DayPrices | undefined>((last, day) => {
    return last && last.day > day.day ? last : day;
  }, undefined);
  const isWhole = Object.keys(quote.conditions).length + Object.keys(quote.graded).length === 0;
  if (!newest || !isWhole) return undefined;
  const { day, ...prices } = newest;
  const past = sound.filter((one) => one !== newest);
  return { ...quote, observedAt: startOfDay(day), prices, past };
}
