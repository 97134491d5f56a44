import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BULK_FORMATS, type BulkFile, type BulkList } from '../../domain/bulk.ts';
import type { GameSlug } from '../../domain/games.ts';
import { BULK_COLUMNS } from './columns.ts';
import type { SeriesDays } from './rows.ts';

/** Months of the history that did not change keep their files. */

/** A digest of the days of a month. Days that look the same in files have the same digest. */
export class MonthDigest {
  readonly #hash = createHash('sha256').update(JSON.stringify(BULK_COLUMNS.history));
  /** Numbers in the order in which provenances first appear. */
  readonly #provenances = new Map<string, number>();

  add(series: readonly SeriesDays[]): void {
    for (const { id, printing, copy, days } of series) {
      this.#hash.update(`${id}\n${printing}\n${copy ?? ''}\n`);
      const numbers = new Int32Array(days.length * VALUES_PER_DAY);
      for (const [index, { day, market, low, mid, high, provenance }] of days.entries()) {
        const { source, marketplace, repeated } = provenance;
        const origin = this.#numberOf(`${source}\n${marketplace}\n${repeated}`);
        const values = [day, market ?? -1, low ?? -1, mid ?? -1, high ?? -1, origin];
        numbers.set(values, index * VALUES_PER_DAY);
      }
      this.#hash.update(numbers);
    }
  }

  end(): string {
    return this.#hash.digest('hex');
  }

  #numberOf(provenance: string): number {
    const known = this.#provenances.get(provenance);
    if (known !== undefined) return known;
    this.#hash.update(provenance);
    this.#provenances.set(provenance, this.#provenances.size);
    return this.#provenances.size - 1;
  }
}

const VALUES_PER_DAY = 6;

/** Returns the files of a month in a list, if all of them exist. */
export function filesOfMonth(
  folder: string,
  list: BulkList | undefined,
  game: GameSlug,
  month: string,
): readonly BulkFile[] | undefined {
  const files = (list?.data ?? []).filter((file) => {
    return file.type === 'history' && file.game === game && file.month === month;
  });
  const areWhole = files.every(({ url }) => existsSync(join(folder, url)));
  return areWhole && files.length === Object.keys(BULK_FORMATS).length ? files : undefined;
}
