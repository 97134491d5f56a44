import type { Millis } from '../domain/day.ts';
import type { GameSlug } from '../domain/games.ts';
import type { BrokenPart } from '../sources/contract/broken.ts';
import {
  type PartFault,
  readFailedParts,
  replaceFailedParts,
} from '../store/catalogue/failed-parts.ts';
import type { Store } from '../store/connect.ts';

/** A part of a source with something that could not be read. */
export interface FailedPart {
  /** What identifies it within its source for good: a group's or a file's path. */
  readonly part: string;
  /** Null where it is not of one game. */
  readonly game: GameSlug | null;
}

/** The faults of a part that are kept; all are counted. */
const MAX_EXAMPLES = 3;

/** Collects what an import could not read, and keeps it in the store until it is mended. */
export class FailedParts {
  readonly #faults = new Map<string, PartFault>();
  readonly #read = new Set<string>();

  /** Notes a part that was read, perhaps but for some rows. */
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
   * Keeps what could not be read of a source, and forgets earlier faults of parts that were read
   * now, or that are no more according to `isGone`.
   */
  async save(
    store: Store,
    source: string,
    now: Millis,
    isGone: (part: string) => boolean = () => false,
  ): Promise<void> {
    const known = (await readFailedParts(store.db)).filter((one) => one.source === source);
    if (known.length === 0 && this.#faults.size === 0) return;
    const mended = known
      .map(({ part }) => part)
      .filter((part) => !this.#faults.has(part) && (this.#read.has(part) || isGone(part)));
    await replaceFailedParts(store, source, { failed: [...this.#faults.values()], mended, now });
  }
}
