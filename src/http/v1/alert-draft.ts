import type { Static } from 'typebox';
import type { StartedLine } from '../../accounts/alerts/alert-sql.ts';
import type { NewAlert, Watch } from '../../accounts/alerts/alerts.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { type AlertLine, beginWith, rangeOf, readRule } from '../../domain/alerts.ts';
import { type Card, type CardSet, defaultPrinting, type Printing } from '../../domain/card.ts';
import type { CopyName } from '../../domain/copy.ts';
import type { Day } from '../../domain/day.ts';
import { ApiError } from '../../domain/errors.ts';
import { isGrade } from '../../domain/grades.ts';
import { type Cents, centsFromDollars } from '../../domain/money.ts';
import type { HistoryDay } from '../../domain/price.ts';
import type { AlertBody } from '../alert-schemas.ts';
import { invalidBody } from '../errors.ts';
import { shown } from '../validation.ts';
import { requireCard } from './card.ts';
import { askedCopy } from './copy-parameters.ts';
import type { PlanHistory } from './endpoint.ts';

/** Reads the subject of an alert, and the history with which it begins. */

type Body = Static<typeof AlertBody>;
type SentLine = NonNullable<Body['lines']>[number];

/** A card's price from the catalogue. */
export interface FoundLine extends AlertLine {
  readonly subject: Card;
  readonly found: Printing;
}

/** An unsaved alert, with the prices that it watches now. */
export interface AlertDraft extends Pick<NewAlert, 'rule' | 'name' | 'mail'> {
  readonly set: CardSet | null;
  readonly lines: readonly FoundLine[];
}

/** @throws ApiError INVALID_BODY, CARD_NOT_FOUND or SET_NOT_FOUND */
export function readDraft(catalog: Catalog, body: Body): AlertDraft {
  const { name = '', mail = 'off' } = body;
  const { set, lines } = watchedIn(catalog, body);
  return { rule: ruleIn(body), name: name.trim(), mail, set, lines };
}

function ruleIn({ kind, amount, percent, days }: Body) {
  const cents = amount === undefined ? undefined : centsFromDollars(amount);
  const read = readRule({ kind, amount: cents, percent, days });
  if ('rule' in read) return read.rule;
  throw invalidBody('kind', read.problem, KIND_HINT);
}

const KIND_HINT =
  'Send "amount" with above and below, "percent" and "days" with rise and fall, and none with the others.';
const WATCH_HINT = 'Send one of "card", "lines" and "set".';

function watchedIn(catalog: Catalog, { card, lines, set, ...copy }: Body) {
  if ([card, lines, set].filter((one) => one !== undefined).length !== 1) {
    throw invalidBody('card', 'what to watch is missing or not clear.', WATCH_HINT);
  }
  if (set !== undefined) {
    const found = catalog.set(set)?.set;
    if (found) return { set: found, lines: linesOfSet(catalog, found) };
    throw new ApiError('SET_NOT_FOUND', `No set has the setId "${shown(set)}".`);
  }
  const { printing, condition, grade } = copy;
  const sent = lines ?? [{ card: card ?? '', printing, condition, grade } as SentLine];
  const found = sent.map((line) => findLine(catalog, line));
  const keys = new Set(found.map(lineKey));
  if (keys.size === found.length) return { set: null, lines: found };
  throw invalidBody('lines', 'a price is in it twice.', 'Send each card, printing and copy once.');
}

/** How many days a last known price remains comparable with the next one. */
export const LOOK_BACK = 90;

/** A key that distinguishes lines. */
export function lineKey({ card, printing, copy }: AlertLine): string {
  return `${card} ${copy} ${printing}`;
}

/** Returns the lines of every printing of a set. */
export function linesOfSet(catalog: Catalog, set: CardSet): FoundLine[] {
  return catalog.cardsOf(set).flatMap((card) => {
    return card.printings.map((found) => lineOf(card, found, ''));
  });
}

function lineOf(subject: Card, found: Printing, copy: CopyName | ''): FoundLine {
  return { card: subject.id, printing: found.name, copy, subject, found };
}

function findLine(catalog: Catalog, { card: id, printing, ...copy }: SentLine): FoundLine {
  const card = requireCard(catalog, id);
  const name = printing?.toLowerCase();
  const found =
    name === undefined
      ? defaultPrinting(card)
      : card.printings.find((one) => one.name.toLowerCase() === name);
  if (found) return lineOf(card, found, askedCopy(copy) ?? '');
  const names = card.printings.map((one) => one.name).join(', ') || 'none';
  const problem =
    printing === undefined
      ? 'the card has no printing in its language.'
      : `"${shown(printing)}" is not a printing of the card.`;
  throw invalidBody('printing', problem, `The printings of ${card.id}: ${names}.`);
}

/** Finds the stored lines of an alert. Omits lines of cards that no longer exist. */
export function foundLines(catalog: Catalog, lines: readonly AlertLine[]): FoundLine[] {
  return lines.flatMap(({ card: id, printing, copy }) => {
    const card = catalog.card(id);
    const found = card?.printings.find(({ name }) => name === printing);
    return card && found ? [lineOf(card, found, copy)] : [];
  });
}

/** Returns the current price of a line. */
export function priceOf({ copy, found: { prices } }: FoundLine): Cents | null {
  if (copy === '') return prices.market;
  return (isGrade(copy) ? prices.graded[copy] : prices.conditions[copy]) ?? null;
}

/**
 * Returns the lines of an alert at the moment it is saved. Lines whose rule depends on the whole
 * history begin with it, as far as the plan includes it. Lines without a price begin with the last
 * one, if it is at most {@link LOOK_BACK} days old. The others begin with the price before their
 * first change.
 *
 * @throws ApiError PLAN_RESTRICTION if the rule needs history, and the plan has none.
 */
export async function startOf(
  catalog: Catalog,
  { rule, set, lines }: AlertDraft,
  history: PlanHistory,
): Promise<Watch> {
  const { kind } = rule;
  const asked = lines.filter((line) => {
    return kind === 'high' || kind === 'low' || priceOf(line) === null;
  });
  const started = new Map<string, StartedLine>();
  const longest = asked.length === 0 ? null : history.longest();
  for await (const [line, days] of historiesOf(catalog, asked, history, longest)) {
    const { card, printing, copy } = line;
    const past = pricesOf(days);
    const state = beginWith(rule, priceOf(line) ?? lastOf(catalog, line, past), rangeOf(past));
    started.set(lineKey(line), { card, printing, copy, state });
  }
  if (set) return { set: set.id, lines: [...started.values()] };
  const all = lines.map(({ card, printing, copy }) => {
    return started.get(lineKey({ card, printing, copy })) ?? { card, printing, copy, state: null };
  });
  return { set: null, lines: all };
}

/** Returns the last price of a line without a current price, unless it is too old to compare. */
function lastOf(catalog: Catalog, { subject }: FoundLine, past: DatedPrice[]): Cents | null {
  const newest = catalog.asOf(subject.set.game);
  const last = past.at(-1);
  return last && newest !== null && last.day >= newest - LOOK_BACK ? last.price : null;
}

/** A known price of a day. */
export interface DatedPrice {
  readonly day: Day;
  readonly price: Cents;
}

export function pricesOf(days: readonly HistoryDay[]): DatedPrice[] {
  return days.flatMap(({ day, market: price }) => (price === null ? [] : [{ day, price }]));
}

/** How far back to read the history; null for all of it. */
type Days = number | null;

type LineHistory = readonly [line: FoundLine, days: readonly HistoryDay[]];

/** Yields each line with the last days of its history, a few lines at a time. */
export async function* historiesOf(
  catalog: Catalog,
  lines: readonly FoundLine[],
  history: PlanHistory,
  days: Days,
): AsyncGenerator<LineHistory> {
  const plain = lines.filter(({ copy }) => copy === '');
  for (const [game, own] of Map.groupBy(plain, ({ subject }) => subject.set.game)) {
    const newest = catalog.asOf(game);
    if (newest !== null) yield* historiesOfGame(own, history, days, newest);
  }
  for (const line of lines) {
    if (line.copy === '') continue;
    const newest = catalog.asOf(line.subject.set.game);
    const asked = { printing: line.found.rowId, copy: line.copy };
    const read = await history.lastOfCopy(days, newest, asked);
    if (read) yield [line, read.days];
  }
}

/** Yields the histories of the market prices of a game. */
async function* historiesOfGame(
  lines: readonly FoundLine[],
  history: PlanHistory,
  days: Days,
  newest: Day,
): AsyncGenerator<LineHistory> {
  const byPrinting = new Map(lines.map((line) => [line.found.rowId, line]));
  const parts = history.inParts(days ?? newest + 1, newest, [...byPrinting.keys()]);
  for await (const part of parts) {
    for (const [printing, read] of part) {
      const line = byPrinting.get(printing);
      if (line) yield [line, read];
    }
  }
}
