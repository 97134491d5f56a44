import type { Millis } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import { safeText } from '../domain/text.ts';
import { addCounts } from '../lib/counts.ts';
import type { BrokenPart } from '../sources/contract/files.ts';
import {
  type PartFault,
  readFailedParts,
  replaceFailedParts,
} from '../store/catalogue/failed-parts.ts';
import type { Store } from '../store/connect.ts';
import type { WrittenObservations } from './pricing/write.ts';

/** The outcome of any import. The stored and printed JSON has the same names. */
export interface ImportSummary {
  readonly source: string;
  readonly printingsAdded: number;
  /** Printings whose served prices changed. */
  readonly pricesChanged: number;
  /** Days of printings that are new in the history, and days whose prices changed. */
  readonly historyAdded: number;
  readonly historyCorrected: number;
  /** Items omitted on purpose, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Quarantined prices, by validation rule. */
  readonly quarantined: Readonly<Record<string, number>>;
  /** Unreadable parts: rows, and whole groups or files. */
  readonly broken: readonly BrokenPart[];
  readonly seconds: number;
}

/** Broken parts of a feed or backfill to name. The count covers all of them. */
const MAX_NAMED = 100;

/** In characters. */
const MAX_NAME = 200;
const MAX_REASON = 400;

/** The reason for omitting a row whose printing has another price in a later row. */
const OVERRULED = 'price of a printing that a later row prices differently';

/** Counts the results of an import. */
export class ImportTally {
  readonly counts = {
    observations: 0,
    prices: 0,
    printingsAdded: 0,
    pricesChanged: 0,
    historyAdded: 0,
    historyCorrected: 0,
    withoutRate: 0,
  };
  /** The first hundred names of printings with another price in a later row. */
  readonly overruled: string[] = [];
  /** By reason. */
  readonly skipped: Record<string, number> = {};
  /** By validation rule. */
  readonly quarantined: Record<string, number> = {};
  readonly broken: BrokenPart[] = [];
  brokenCount = 0;
  /** Unreadable parts, by their part of the source. */
  readonly failed = new FailedParts();

  /** Counts written data. {@link addDamaged} counts damaged histories. */
  addWritten({ counts, overruled, quarantined }: WrittenObservations): void {
    addCounts(this.counts, counts);
    addCounts(this.quarantined, quarantined);
    if (overruled.length > 0) addCounts(this.skipped, { [OVERRULED]: overruled.length });
    const free = MAX_NAMED - this.overruled.length;
    this.overruled.push(...overruled.slice(0, free).map((one) => safeText(one, MAX_NAME)));
  }

  /** Counts damaged histories and reports them under `name`. */
  addDamaged(
    damaged: WrittenObservations['damaged'],
    name = 'history',
    maxNamed = MAX_NAMED,
  ): void {
    for (const { message } of damaged) this.#addBroken({ name, reason: message }, maxNamed);
  }

  /** Counts an unreadable row, and marks its part of the source as failed. */
  addBadRow(part: FailedPart, row: BrokenPart, maxNamed = MAX_NAMED): void {
    this.failed.addRow(part, this.#addBroken(row, maxNamed));
  }

  /** Counts a part of the source that is entirely unreadable. */
  addBroken(part: FailedPart, whole: BrokenPart, maxNamed = MAX_NAMED): void {
    this.failed.addWhole(part, this.#addBroken(whole, maxNamed));
  }

  addSkipped(skipped: Readonly<Record<string, number>>): void {
    addCounts(this.skipped, skipped);
  }

  /** Text from sources goes into logs and terminals, so it is escaped and shortened. */
  #addBroken({ name, reason }: BrokenPart, maxNamed: number): BrokenPart {
    const broken = { name: safeText(name, MAX_NAME), reason: safeText(reason, MAX_REASON) };
    if (this.brokenCount < maxNamed) this.broken.push(broken);
    this.brokenCount += 1;
    return broken;
  }
}

/** A part of a source with unreadable content. */
export interface FailedPart {
  /** Its permanent name within the source: the path of a group or a file. */
  readonly part: string;
  /** Null if it does not belong to one game. */
  readonly game: GameSlug | null;
}

/** Stored faults of a part. The count covers all of them. */
const MAX_EXAMPLES = 3;

/** Collects the unreadable parts of an import, and stores them until they are fixed. */
export class FailedParts {
  readonly #faults = new Map<string, PartFault>();
  readonly #read = new Set<string>();

  /** Notes a part that was read, possibly without some rows. */
  addRead(part: string): void {
    this.#read.add(part);
  }

  addRow(part: FailedPart, row: BrokenPart): void {
    const { badRows, examples } = this.#faultOf(part);
    this.#set(part, badRows === null ? null : badRows + 1, examples, row);
  }

  addWhole(part: FailedPart, whole: BrokenPart): void {
    this.#set(part, null, this.#faultOf(part).examples, whole);
  }

  #faultOf(part: FailedPart): PartFault {
    return this.#faults.get(part.part) ?? { ...part, badRows: 0, examples: [] };
  }

  #set(
    part: FailedPart,
    badRows: number | null,
    examples: readonly BrokenPart[],
    fault: BrokenPart,
  ): void {
    const all = examples.length < MAX_EXAMPLES ? [...examples, fault] : examples;
    this.#faults.set(part.part, { ...part, badRows, examples: all });
  }

  /**
   * Saves the unreadable parts of a source. Forgets earlier faults of parts that were read this
   * time, or that are gone according to `isGone`.
   */
  async save(
    store: Store,
    source: string,
    now: Millis,
    isGone: (part: string) => boolean = () => false,
  ): Promise<void> {
    const known = (await readFailedParts(store.db)).filter((one) => one.source === source);
    if (known.length === 0 && this.#faults.size === 0) return;
    const readAgain = known
      .map(({ part }) => part)
      .filter((part) => !this.#faults.has(part) && (this.#read.has(part) || isGone(part)));
    await replaceFailedParts(store, source, { failed: [...this.#faults.values()], readAgain, now });
  }
}
