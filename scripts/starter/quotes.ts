import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Catalog } from '../../src/catalog/catalog.ts';
import { importStarter } from '../../src/commands/starter.ts';
import { csvLine } from '../../src/domain/csv.ts';
import { dayOf, formatDay, type Millis } from '../../src/domain/day.ts';
import { dollarsFromCents, dollarsOrNull } from '../../src/domain/money.ts';
import { importFeed } from '../../src/ingest/drivers/feed.ts';
import { openPriceCharting } from '../../src/sources/pricecharting/read.ts';
import { openStore } from '../../src/store/connect.ts';
import type { NearMintPrice } from './near-mint.ts';

/** The file of quotes of the starter catalogue: prices by condition and grade. */

/** A file, with the time at which its prices were observed. */
export interface DatedFile {
  readonly file: string;
  readonly observedAt: Millis;
}

export interface QuoteSources {
  readonly nearMint: readonly NearMintPrice[];
  /** A price guide of PriceCharting. */
  readonly guide: DatedFile | undefined;
}

/** Writes the file of quotes of the catalogue in `folder`. */
export async function writeQuotes(
  folder: string,
  { nearMint, guide }: QuoteSources,
): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'make-starter-'));
  const store = await openStore(join(work, 'starter.db'));
  try {
    await importStarter(store, pathToFileURL(`${folder}/`), Date.now);
    if (guide) await importGuide(store, guide);
    const catalog = new Catalog(store);
    await catalog.refresh();
    const rows = [...nearMintRows(catalog, nearMint), ...gradedRows(catalog)];
    const grades = [...new Set(rows.flatMap(({ graded = {} }) => Object.keys(graded)))].sort();
    const lines = rows.map(({ id, date, nearMint, printing, marketplace, graded = {} }) => {
      return [id, date, nearMint, printing, marketplace, ...grades.map((grade) => graded[grade])];
    });
    const names = ['tcgplayer', 'date', 'near_mint', 'printing', 'marketplace', ...grades];
    const text = [names, ...lines].map((line) => csvLine(line)).join('');
    await writeFile(join(folder, 'quotes.csv'), text);
  } finally {
    await store.close();
    await rm(work, { recursive: true });
  }
}

/** A row of quotes. Prices are in dollars. */
interface QuoteRow {
  readonly id: string;
  readonly date: string;
  readonly nearMint?: number;
  readonly printing?: string;
  readonly marketplace?: string;
  readonly graded?: Readonly<Record<string, number | null>>;
}

async function importGuide(
  store: Awaited<ReturnType<typeof openStore>>,
  { file, observedAt }: DatedFile,
): Promise<void> {
  const options = { now: Date.now(), games: null, observedAt, files: {} };
  await importFeed(store, await openPriceCharting(file, options), { clock: Date.now });
}

function nearMintRows(catalog: Catalog, prices: readonly NearMintPrice[]): QuoteRow[] {
  return prices
    .filter(({ id }) => catalog.cardByExternalId(idOf(id)))
    .map(({ id, day, price }) => ({ id, date: formatDay(day), nearMint: dollarsFromCents(price) }));
}

function gradedRows(catalog: Catalog): QuoteRow[] {
  return [...catalog.cards()].flatMap((card) => {
    const id = catalog.externalIds(card).find(({ space }) => space === 'tcgplayer')?.id;
    return card.printings.flatMap(({ name, prices: { graded, gradedAt } }) => {
      if (id === undefined || gradedAt === null) return [];
      const amounts = Object.entries(graded).map(([grade, cents]) => [grade, dollarsOrNull(cents)]);
      return {
        id,
        date: formatDay(dayOf(gradedAt)),
        printing: name,
        marketplace: 'pricecharting',
        graded: Object.fromEntries(amounts),
      };
    });
  });
}

function idOf(id: string) {
  return { space: 'tcgplayer', id };
}
