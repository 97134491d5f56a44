/**
 * Measures the largest files that sources publish in their full size: Scryfall's `default_cards` of
 * 500 MB, enlarged from a real file, and MTGJSON's AllPrices of 1 GB with its AllIdentifiers. Each
 * is read by its adapter alone and then imported after the TCGCSV tree, in a separate process.
 *
 *     node bench/feeds.ts              # needs ../shared/data and 2 GB below --work, 2 minutes
 *
 * Options: --data FOLDER (../shared/data); --work FOLDER for the files; --bulk MB (500);
 * --prices MB (1000); --only scryfall|mtgjson; --adapters to import nothing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BulkCard, growBulk, growIdentifiers, growPrices, readBulk } from './feeds/grow.ts';

const MB = 1024 * 1024;
const BULK = 'scryfall/default-cards-2026-01-28.json.gz';
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const ADAPTER = fileURLToPath(new URL('feeds/adapter.ts', import.meta.url));
const PEAK = fileURLToPath(new URL('http/peak.ts', import.meta.url));
/** As in package.json and in the first line of the program. */
const YOUNG_GENERATION = '--max-semi-space-size=8';
/** The exit codes of an import that was made; 3 when parts of it were broken. */
const EXIT_CODES = [0, 3];

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    work: { type: 'string', default: tmpdir() },
    bulk: { type: 'string', default: '500' },
    prices: { type: 'string', default: '1000' },
    only: { type: 'string' },
    adapters: { type: 'boolean', default: false },
  },
});

const folder = mkdtempSync(join(values.work, 'cardprice-feeds-'));
try {
  const cards = await readBulk(join(values.data, BULK));
  const imported = values.adapters ? undefined : await importTree();
  if (values.only !== 'mtgjson') await measureScryfall(cards, imported);
  if (values.only !== 'scryfall') await measureMtgjson(cards, imported);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Imports the cards; returns the location of the database. */
async function importTree(): Promise<string> {
  const database = join(folder, 'tree.db');
  const args = ['import', 'tcgcsv', join(values.data, 'tcgcsv'), '--game', 'mtg', '--json'];
  await measure('TCGCSV tree, import', [MAIN, '--database', database, ...args]);
  return database;
}

async function measureScryfall(cards: BulkCard[], imported: string | undefined): Promise<void> {
  const file = join(folder, 'default-cards-2026-01-28.json');
  const count = growBulk(cards, file, Number(values.bulk) * MB);
  console.log(`${megabytes(file)} of Scryfall, ${count.toLocaleString('en')} cards`);
  await measure('Scryfall, adapter alone', [ADAPTER, 'scryfall', file]);
  if (imported) await measureImport('Scryfall, import', imported, ['scryfall', file]);
  rmSync(file);
}

async function measureMtgjson(cards: BulkCard[], imported: string | undefined): Promise<void> {
  const prices = join(folder, 'AllPrices.json');
  const identifiers = join(folder, 'AllIdentifiers.json');
  const count = growPrices(cards, prices, Number(values.prices) * MB);
  growIdentifiers(cards, identifiers, count);
  const sizes = `${megabytes(prices)} of AllPrices, ${megabytes(identifiers)} of AllIdentifiers`;
  console.log(`${sizes}, ${count.toLocaleString('en')} cards`);
  await measure('MTGJSON, adapter alone', [ADAPTER, 'mtgjson', prices, identifiers]);
  const args = ['mtgjson', prices, '--identifiers', identifiers];
  if (imported) await measureImport('MTGJSON, import', imported, args);
}

async function measureImport(title: string, imported: string, args: string[]): Promise<void> {
  const database = join(folder, 'import.db');
  copyFileSync(imported, database);
  await measure(title, [MAIN, '--database', database, 'import', ...args, '--json']);
  rmSync(database);
}

/** Runs a program to its end, and prints its time and its peak memory. */
async function measure(title: string, args: readonly string[]): Promise<void> {
  const started = performance.now();
  const child = spawn(process.execPath, [YOUNG_GENERATION, '--import', PEAK, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const [out, peak] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stdio[3] as Readable),
    once(child, 'close'),
  ]);
  if (!EXIT_CODES.includes(child.exitCode ?? 1))
    throw new Error(`${title}: ended with ${child.exitCode}`);
  const seconds = (performance.now() - started) / 1000;
  const figures = [`${seconds.toFixed(1)} s`, `${(Number(peak) / MB).toFixed(0)} MB`];
  console.log(`${title.padEnd(26)}${figures.map((figure) => figure.padStart(9)).join('')}`);
  console.log(`  ${countsIn(out)}`);
}

/** The numbers that a program printed as JSON, as a text: `offers 78,500, matched 16,841`. */
function countsIn(out: string): string {
  const counts = Object.entries(JSON.parse(out) as Record<string, unknown>);
  return counts
    .filter(([name, count]) => Number.isInteger(count) && name !== 'seconds')
    .map(([name, count]) => `${name} ${(count as number).toLocaleString('en')}`)
    .join(', ');
}

function megabytes(file: string): string {
  return `${(statSync(file).size / MB).toFixed(0)} MB`;
}
