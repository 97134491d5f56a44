/**
 * Measures the pages in a browser that shares one core with the service: the bytes of the first
 * load and the time until one can type, the time from a keystroke to painted results in the whole
 * catalogue, the time until ten years of price history are drawn, and the time until somebody with
 * a slow phone can read what a card costs.
 *
 *     taskset -c 0 node bench/dashboard.ts   # or npm run bench:dashboard; about 2 minutes
 *
 * Options: --data FOLDER (../shared/data); --loads N (15).
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Catalog } from '../src/catalog/catalog.ts';
import { addDays } from '../src/domain/day.ts';
import type { Cents } from '../src/domain/money.ts';
import { Dashboard } from '../test/browser/support/dashboard.ts';
import type { Look, Reader } from '../test/browser/support/reader.ts';
import { publishPast } from '../test/support/past.ts';
import { RECORD_PAINTS, RECORD_PRICE } from './dashboard/paints.ts';
import { median } from './http/load.ts';
import { percentile } from './sync/steady.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    loads: { type: 'string', default: '15' },
  },
});

const LOOK: Look = { name: 'on a desk', width: 1280, height: 800, colorScheme: 'light' };
const PHONE: Look = { ...LOOK, name: 'on a phone', width: 390, height: 844, pixelRatio: 3 };
/** 400 kbit/s in bytes a second, and the milliseconds of each request on its way. */
const SLOW_NETWORK = {
  offline: false,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
  latency: 400,
};
/** How many times slower the processor is. */
const SLOW_PROCESSOR = 4;
const CARD = 'pokemon-bs-charizard-004';
const TEN_YEARS = 3650;

/** The texts that are typed, key by key. */
const TYPED = ['charizard', 'black lotus', 'pikachu', 'blue-eyes white', 'elsa spirit', 'luffy'];
const MORE = ['darth vader', 'lightning bolt', 'dark magician', 'umbreon vmax', 'sol ring'];
/** The time between two keystrokes: 150 ms are about 80 words a minute. */
const KEY_MS = 150;

const dashboard = await Dashboard.open({ CARDPRICE_PUBLIC: 'on' });
try {
  await dashboard.import('tcgcsv', join(values.data, 'tcgcsv'));
  await publishTenYears();
  const reader = await dashboard.reader(LOOK, 'business');
  await reader.page.waitForTimeout(3000); // the service reloads the catalogue
  await measureLoads(reader);
  await measureKeystrokes(reader);
  await measureChart(reader);
  await measureSlowPhone();
} finally {
  await dashboard.close();
}

/** Loads `/` in signed-in browsers with empty caches. */
async function measureLoads({ context }: Reader): Promise<void> {
  const cookies = await context.cookies();
  const loads = [];
  for (let round = 0; round < Number(values.loads); round++) {
    const fresh = await dashboard.visitor(LOOK);
    await fresh.context.addCookies(cookies);
    const session = await fresh.context.newCDPSession(fresh.page);
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await fresh.page.goto('/search');
    await fresh.page.getByRole('combobox', { name: 'Card name' }).waitFor();
    const ready = await fresh.page.evaluate(() => performance.now());
    await fresh.page.waitForLoadState('networkidle');
    loads.push({ bytes, ready });
    await fresh.context.close();
  }
  const bytes = Math.max(...loads.map((load) => load.bytes));
  const times = loads.map(({ ready }) => ready);
  console.log(`first load           ${(bytes / 1000).toFixed(1)} kB with headers, all requests`);
  console.log(`until one can type   ${formatMs(median(times))} median of ${times.length} loads, `);
  console.log(`                     ${formatMs(Math.max(...times))} the slowest`);
}

async function measureKeystrokes({ page }: Reader): Promise<void> {
  await page.addInitScript(RECORD_PAINTS);
  await page.goto('/search');
  const box = page.getByRole('combobox', { name: 'Card name' });
  for (const text of [...TYPED, ...MORE, ...TYPED.toReversed(), ...MORE.toReversed()]) {
    await box.fill('');
    await page.waitForTimeout(300);
    await box.pressSequentially(text, { delay: KEY_MS });
    await page.waitForTimeout(300);
  }
  const times = await page.evaluate(() => window.paints.afterInput);
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    `keystroke to results ${formatMs(percentile(sorted, 0.5))} p50, ` +
      `${formatMs(percentile(sorted, 0.95))} p95 of ${times.length} keystrokes`,
  );
}

async function measureChart({ page }: Reader): Promise<void> {
  await page.goto(`/cards/${CARD}?period=7d`);
  const times = [];
  for (let round = 0; round < 15; round++) {
    for (const label of ['All', '7 days']) {
      const before = await page.evaluate(() => window.paints.afterClick.length);
      await page.getByRole('radio', { name: label, exact: true }).click();
      await page.waitForFunction((count) => window.paints.afterClick.length > count, before);
      const last = await page.evaluate(() => window.paints.afterClick.at(-1));
      if (label === 'All' && last !== undefined) times.push(last);
    }
  }
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    `ten years, click to picture ${formatMs(median(times))} median, ` +
      `${formatMs(percentile(sorted, 0.95))} p95 of ${times.length}, asking the service included`,
  );
}

/** Loads a card's page with an empty cache, until the frame in which its price is drawn. */
async function measureSlowPhone(): Promise<void> {
  const times = [];
  for (let round = 0; round < Number(values.loads); round++) {
    const { context, page } = await dashboard.visitor(PHONE);
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW_NETWORK);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_PROCESSOR });
    await page.addInitScript(RECORD_PRICE);
    await page.goto(`/cards/${CARD}`, { waitUntil: 'commit' });
    await page.waitForFunction(() => window.priceAt !== undefined);
    times.push(await page.evaluate(() => window.priceAt ?? Number.NaN));
    await context.close();
  }
  const slowest = formatMs(Math.max(...times));
  console.log(`slow phone, to a price ${formatMs(median(times))} median, ${slowest} the slowest`);
}

/** Gives {@link CARD} a slowly moving price for each day of ten years. */
async function publishTenYears(): Promise<void> {
  const { store } = dashboard;
  const catalog = new Catalog(store);
  await catalog.refresh();
  const card = catalog.card(CARD);
  const [printing] = card?.printings ?? [];
  const asOf = catalog.asOf('pokemon');
  if (!printing || asOf === null) throw new Error(`the tree has no ${CARD}`);
  const provenance = { source: 'tcgcsv', marketplace: 'tcgplayer', repeated: false };
  const rows = Array.from({ length: TEN_YEARS }, (_, i) => {
    const market = Math.round(40_000 + 9000 * Math.sin(i / 150) + 500 * Math.sin(i)) as Cents;
    const around = (share: number) => Math.round(market * share) as Cents;
    const prices = { market, low: around(0.8), mid: around(1.05), high: around(1.6) };
    const day = addDays(asOf, i - TEN_YEARS);
    return { printing: printing.rowId, prices: { day, ...prices }, provenance };
  });
  await publishPast(store, rows, Date.now());
}

function formatMs(ms: number): string {
  return `${ms.toFixed(1)} ms`;
}
