import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { type BackfillSummary, importBackfill } from '../../src/ingest/drivers/backfill.ts';
import { findDays, openArchive } from '../../src/sources/tcgcsv-archive/read.ts';
import { Unpacker } from '../../src/sources/tcgcsv-archive/unpack.ts';
import type { Store } from '../../src/store/connect.ts';
import { NOW } from './tcgcsv.ts';

/** Two real days of TCGCSV's archive, reduced to three Lorcana cards. */
export const PACKED = 'test/fixtures/archive';

/** A price as TCGCSV lists it, in dollars. */
export interface ListedPrice {
  readonly productId: number;
  readonly subTypeName: string;
  readonly market?: number | null;
  readonly low?: number | null;
  readonly mid?: number | null;
  readonly high?: number | null;
}

/** An unpacked archive for a test to fill. Removed when the test ends. */
export class ArchiveFolder {
  readonly folder = mkdtempSync(join(tmpdir(), 'cardprice-archive-'));

  constructor() {
    after(() => rmSync(this.folder, { recursive: true }));
  }

  /** The prices of one group (`3/604`) on one day. */
  day(date: string, group: string, prices: readonly ListedPrice[]): this {
    const results = prices.map(({ productId, subTypeName, market, low, mid, high }) => ({
      productId,
      subTypeName,
      marketPrice: market ?? null,
      lowPrice: low ?? null,
      midPrice: mid ?? null,
      highPrice: high ?? null,
    }));
    return this.write(`${date}/${group}/prices`, JSON.stringify({ results }));
  }

  write(path: string, content: string | Uint8Array): this {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return this;
  }
}

export interface ArchiveImport {
  readonly again?: boolean;
  readonly pointsAtOnce?: number;
  /** Null accepts all prices without validation. */
  readonly limits?: null;
}

/** Imports an archive like the command. */
export async function importArchive(
  store: Store,
  location: string,
  { again = false, ...options }: ArchiveImport = {},
): Promise<BackfillSummary> {
  const unpacker = new Unpacker();
  try {
    const days = await findDays(location, unpacker);
    const backfill = openArchive({ days, now: NOW, again });
    return await importBackfill(store, backfill, { clock: () => NOW, ...options });
  } finally {
    await unpacker.close();
  }
}
