import { closeSync, openSync, writeSync } from 'node:fs';
import Papa from 'papaparse';
import { OperatorError } from '../../domain/errors.ts';
import type { Unmatched } from '../../ingest/identity/match.ts';
import type { CardReference } from '../../sources/contract/feed.ts';

const COLUMNS = [
  'source_key',
  'game',
  'set_code',
  'set',
  'number',
  'name',
  'variant',
  'rarity',
  'reason',
  'candidates',
] as const;

type ReportRow = Readonly<Record<(typeof COLUMNS)[number], string | null>>;

/** How many rows are written at a time. */
const ROWS_AT_ONCE = 500;

/** A CSV file of the cards of a source that none of ours was found for. */
export class UnmatchedReport {
  readonly #file: string;
  readonly #descriptor: number;
  #rows: ReportRow[] = [];
  /** How many cards are in it. */
  count = 0;

  /** @throws OperatorError when the file cannot be written. */
  constructor(file: string) {
    this.#file = file;
    this.#descriptor = this.#try(() => openSync(file, 'w'));
    this.#write(Papa.unparse([COLUMNS]));
  }

  add(card: CardReference, { reason, candidates }: Unmatched): void {
    const { externalId, game, setCode, setName, number, name, variant, rarity } = card;
    this.#rows.push({
      source_key: externalId,
      game,
      set_code: setCode,
      set: setName,
      number,
      name,
      variant,
      rarity,
      reason,
      candidates: candidates.join(' '),
    });
    this.count += 1;
    if (this.#rows.length >= ROWS_AT_ONCE) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#descriptor);
  }

  #flush(): void {
    if (this.#rows.length === 0) return;
    // Names come from others, and spreadsheets take some texts for formulas.
    const options = { columns: [...COLUMNS], header: false, escapeFormulae: true };
    this.#write(Papa.unparse(this.#rows, options));
    this.#rows = [];
  }

  #write(text: string): void {
    this.#try(() => writeSync(this.#descriptor, `${text}\r\n`));
  }

  #try<Result>(write: () => Result): Result {
    try {
      return write();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OperatorError(`--report ${this.#file} cannot be written: ${reason}.`, {
        cause: error,
      });
    }
  }
}
