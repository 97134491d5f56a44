import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { BulkList } from '../../src/domain/bulk.ts';
import { CONDITIONS, FIGURES } from '../../src/domain/price.ts';
import type { Change } from '../../src/http/v1/change-view.ts';

/** A copy of the catalogue that starts from bulk files and follows the changes. */

type Amounts = Record<string, number>;
type Row = Readonly<Record<string, unknown>>;

const DESCRIPTION = ['name', 'game', 'setId', 'number', 'rarity', 'image'] as const;
const SET = ['name', 'game', 'code', 'releaseDate'] as const;

/** An answer of `/v1/changes`. */
export interface ChangesPage {
  readonly data: readonly Change[];
  readonly nextCursor: string;
  readonly more: boolean;
}

export class CopiedRows {
  readonly cursor: string;
  readonly #sets = new Map<string, Row>();
  readonly #cards = new Map<string, Row>();
  /** By id of the card and name of the printing. */
  readonly #prices = new Map<string, Amounts>();

  /** Reads the files of a folder. */
  constructor(folder: string) {
    const list: BulkList = JSON.parse(readFileSync(join(folder, 'bulk.json'), 'utf8'));
    this.cursor = list.cursor;
    for (const row of rowsOf(folder, list, 'sets')) this.#sets.set(text(row.setId), part(row, SET));
    for (const row of rowsOf(folder, list, 'cards')) {
      // Sealed products are not in the feed.
      if (row.product !== null) continue;
      this.#cards.set(text(row.id), part(row, DESCRIPTION));
      if (row.printing !== null) this.#prices.set(keyOf(row.id, row.printing), amountsIn(row));
    }
  }

  /** Every row, in an order independent of its origin. */
  get rows(): readonly string[] {
    const all = [...this.#sets, ...this.#cards, ...this.#prices];
    return all.map(([key, row]) => `${key} ${JSON.stringify(sorted(row))}`).sort();
  }

  /** The number of printings. */
  get size(): number {
    return this.#prices.size;
  }

  apply(change: Change): void {
    const { id } = change;
    if (change.type === 'set') {
      this.#sets.set(id, part(change, SET));
      return;
    }
    if (change.type !== 'price') this.#cards.set(id, part(change, DESCRIPTION));
    for (const { name, prices } of change.printings ?? []) {
      this.#prices.set(keyOf(id, name), flat(prices));
    }
    if (change.type !== 'price') return;
    const key = keyOf(id, change.printing);
    const known = { ...this.#prices.get(key) };
    for (const name of Object.keys(flat(change.old))) delete known[name];
    this.#prices.set(key, { ...known, ...flat(change.new) });
  }
}

function* rowsOf(folder: string, { data }: BulkList, type: 'sets' | 'cards'): Generator<Row> {
  const file = data.find((one) => {
    return one.type === type && one.format === 'ndjson' && one.game === null;
  });
  assert.ok(file, type);
  const lines = gunzipSync(readFileSync(join(folder, file.url)))
    .toString()
    .trimEnd();
  for (const line of lines === '' ? [] : lines.split('\n')) yield JSON.parse(line);
}

function part(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

function amountsIn(row: Row): Amounts {
  return flat({ ...part(row, [...FIGURES, ...CONDITIONS]), graded: row.graded ?? {} });
}

/** Puts conditions and grades among the figures; omits null values. */
function flat(figures: object = {}): Amounts {
  const entries = Object.entries(figures).flatMap(([name, value]) => {
    return typeof value === 'object' && value !== null ? Object.entries(value) : [[name, value]];
  });
  return Object.fromEntries(entries.filter(([, amount]) => amount !== null));
}

function sorted(row: object): object {
  return Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function keyOf(id: unknown, printing: unknown): string {
  return `${text(id)}|${text(printing)}`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : assert.fail(`${value} is not a text`);
}
