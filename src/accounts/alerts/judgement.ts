import { hash } from 'node:crypto';
import { setImmediate as yieldToRequests } from 'node:timers/promises';
import { type AlertLine, beginWith, judge } from '../../domain/alerts.ts';
import type { ServedPrices } from '../../domain/card.ts';
import type { CopyName } from '../../domain/copy.ts';
import { dayOf, type Millis } from '../../domain/day.ts';
import { isGrade } from '../../domain/grades.ts';
import type { Cents } from '../../domain/money.ts';
import type { Store } from '../../store/connect.ts';
import type { AlertRecord } from './alert-sql.ts';
import { type FiredEvent, recordEvents } from './event-sql.ts';
import {
  alertsOnSets,
  moveProgress,
  type Progress,
  saveLines,
  type WatchedLine,
  watchedLines,
} from './judgement-sql.ts';

/** Lines judged in one tick of the event loop, in a few milliseconds. */
const LINES_PER_TICK = 150;

/** The prices of a printing that alerts watch. */
export type WatchedPrices = Pick<ServedPrices, 'market' | 'conditions' | 'graded'>;

/** A printing whose prices a publication changes. */
export interface ChangedPrinting {
  /** The public ids of its card and set. */
  readonly card: string;
  readonly set: string;
  readonly cardName: string;
  readonly printing: string;
  /** Whether a source reports a price of it that is in quarantine. */
  readonly isDisputed: boolean;
  readonly before: WatchedPrices;
  readonly after: WatchedPrices;
}

/** A part of a publication, and the progress made by judging it. */
export interface JudgedPart {
  readonly publication: {
    readonly revision: number;
    readonly id: string;
    readonly publishedAt: Millis;
  };
  readonly from: Progress;
  readonly to: Progress;
  readonly changed: readonly ChangedPrinting[];
  /** The cursor at which the changes after the publication begin, for `/v1/changes`. */
  readonly cursor: string;
  readonly now: Millis;
}

/**
 * Judges a part of a publication, and records what fires. Everything shares one transaction with
 * the progress, so each part is judged exactly once, even if processes fail. Returns false if
 * another process has judged it.
 */
export function judgePart({ accounts }: Store, part: JudgedPart): Promise<boolean> {
  const { publication, from, to, changed } = part;
  return accounts.db.transaction().execute(async (transaction) => {
    if (!(await moveProgress(transaction, from, to))) return false;
    if (changed.length === 0) return true;
    const cards = [...new Set(changed.map(({ card }) => card))];
    const sets = [...new Set(changed.map(({ set }) => set))];
    const lines = await watchedLines(transaction, publication.revision, cards);
    const onSets = await alertsOnSets(transaction, publication.revision, sets);
    for (const watched of inParts(concerned(changed, lines, onSets))) {
      const judged = watched.map(([line, printing]) => judgeLine(line, printing, part));
      await saveLines(
        transaction,
        judged.flatMap(({ line }) => line ?? []),
      );
      await recordEvents(
        transaction,
        judged.flatMap(({ event }) => event ?? []),
      );
      await yieldToRequests();
    }
    return true;
  });
}

type Concerned = readonly [line: WatchedLine, printing: ChangedPrinting];

/** Yields each line that a change concerns; for an alert on a set, also lines without a state. */
function* concerned(
  changed: readonly ChangedPrinting[],
  lines: readonly WatchedLine[],
  onSets: readonly AlertRecord[],
): Generator<Concerned> {
  const byPrinting = Map.groupBy(lines, printingKey);
  const bySet = Map.groupBy(onSets, ({ set }) => set);
  for (const printing of changed) {
    const own = byPrinting.get(printingKey(printing)) ?? [];
    for (const line of own) yield [line, printing];
    const known = new Set(own.map(({ alert }) => alert.id));
    for (const alert of bySet.get(printing.set) ?? []) {
      if (known.has(alert.id)) continue;
      const { card, printing: name } = printing;
      yield [{ alert, card, printing: name, copy: '', state: null, isHeld: false }, printing];
    }
  }
}

function printingKey({ card, printing }: Pick<AlertLine, 'card' | 'printing'>): string {
  return `${card} ${printing}`;
}

function* inParts(lines: Iterable<Concerned>): Generator<readonly Concerned[]> {
  let part: Concerned[] = [];
  for (const line of lines) {
    part.push(line);
    if (part.length < LINES_PER_TICK) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** Returns the line with its new state, if that differs, and the event, if it fires. */
function judgeLine(
  line: WatchedLine,
  printing: ChangedPrinting,
  part: JudgedPart,
): { readonly line?: WatchedLine; readonly event?: FiredEvent } {
  const { alert, copy } = line;
  const before = line.state ?? beginWith(alert, priceIn(printing.before, copy));
  const price = priceIn(printing.after, copy);
  if (printing.isDisputed) {
    // Judged by the first publication that serves the printing without a price in quarantine.
    return line.isHeld || price === before.price
      ? {}
      : { line: { ...line, state: before, isHeld: true } };
  }
  const day = dayOf(part.publication.publishedAt);
  const { state, fires } = judge(alert, before, { day, price });
  // The next price must be compared with this one, even if no price is known in between.
  const isUnchanged = state === before && (line.state !== null || price === before.price);
  if (isUnchanged && !line.isHeld) return {};
  const judged = { line: { ...line, state, isHeld: false } };
  if (!fires || price === null) return judged;
  return {
    ...judged,
    event: eventOf(line, printing, part, { before: before.price, after: price }),
  };
}

function priceIn({ market, conditions, graded }: WatchedPrices, copy: CopyName | ''): Cents | null {
  if (copy === '') return market;
  return (isGrade(copy) ? graded[copy] : conditions[copy]) ?? null;
}

function eventOf(
  { alert, card, printing, copy }: WatchedLine,
  { cardName }: ChangedPrinting,
  { publication, cursor, now }: JudgedPart,
  prices: { readonly before: Cents | null; readonly after: Cents },
): FiredEvent {
  const { revision, id, publishedAt } = publication;
  const parts = JSON.stringify([id, alert.id, card, printing, copy]);
  return {
    id: `alert_${hash('sha256', parts, 'hex').slice(0, 32)}`,
    alertId: alert.id,
    accountId: alert.accountId,
    at: now,
    publishedAt,
    publication: { revision, id },
    card,
    printing,
    copy,
    ...prices,
    rule: alert,
    name: alert.name,
    mail: alert.mail,
    cardName,
    cursor,
  };
}
