/**
 * What the pages take in a browser, on one core that the service and the browser share: how much
 * the first load is and how long until one can type, how long from a keystroke to painted results
 * over the whole catalogue, and how long until ten years of history are a picture.
 *
 *     taskset -c 0 node bench/dashboard.ts   # npm run bench:dashboard; needs ../shared/data, 2 minutes
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
import { NOTE_PAINTS } from './dashboard/paints.ts';
import { median } from './http/load.ts';
import { percentile } from './sync/steady.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    loads: { type: 'string', default: '15' },
  },
});

const LOOK: Look = { name: 'on a desk', width: 1280, height: 800, colorScheme: 'light' };
const CARD = 'pokemon-bs-charizard-004';
const TEN_YEARS = 3650;

/** What is typed, a key at a time, as people do who see results at once. */
const TYPED = ['charizard', 'black lotus', 'pikachu', 'blue-eyes white', 'elsa spirit', 'luffy'];
const MORE = ['darth vader', 'lightning bolt', 'dark magician', 'umbreon vmax', 'sol ring'];
/** Between two keys, in milliseconds: 150 is about 80 words a minute. */
const KEY_MS = 150;

const dashboard = await Dashboard.open({});
try {
  await dashboard.import('tcgcsv', join(values.data, 'tcgcsv'));
  await rememberTenYears();
  const reader = await dashboard.reader(LOOK, 'business');
  await reader.page.waitForTimeout(3000); // the service takes in what was imported
  await measureLoads(reader);
  await measureKeystrokes(reader);
  await measureChart(reader);
} finally {
  await dashboard.close();
}

/** The first load of `/` by a browser that has never been here, signed in. */
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
    await fresh.page.goto('/');
    await fresh.page.getByRole('combobox', { name: 'Card name' }).waitFor();
    const ready = await fresh.page.evaluate(() => performance.now());
    await fresh.page.waitForLoadState('networkidle');
    loads.push({ bytes, ready });
    await fresh.context.close();
  }
  const bytes = Math.max(...loads.map((load) => load.bytes));
  const times = loads.map(({ ready }) => ready);
  console.log(`first load           ${(bytes / 1000).toFixed(1)} kB with headers, all requests`);
  console.log(`until one can type   ${show(median(times))} median of ${times.length} loads, `);
  console.log(`                     ${show(Math.max(...times))} the slowest`);
}

async function measureKeystrokes({ page }: Reader): Promise<void> {
  await page.addInitScript(NOTE_PAINTS);
  await page.goto('/');
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
    `keystroke to results ${show(percentile(sorted, 0.5))} p50, ` +
      `${show(percentile(sorted, 0.95))} p95 of ${times.length} keystrokes`,
  );
}

async function measureChart({ page }: Reader): Promise<void> {
  await page.goto(`/cards/${CARD}?period=7d`);
  const times = [];
  for (let round = 0; round < 15; round++) {
    for (const label of ['All', '7 days']) {
      const before = await page.evaluate(() => window.paints.afterClick.length);
      await page.getByRole('link', { name: label, exact: true }).click();
      await page.waitForFunction((count) => window.paints.afterClick.length > count, before);
      const last = await page.evaluate(() => window.paints.afterClick.at(-1));
      if (label === 'All' && last !== undefined) times.push(last);
    }
  }
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    `ten years, click to picture ${show(median(times))} median, ` +
      `${show(percentile(sorted, 0.95))} p95 of ${times.length}, asking the service included`,
  );
}

/** A price for each day of ten years, which moves a little. */
async function rememberTenYears(): Promise<void> {
  const { store } = dashboard;
  const catalog = new Catalog(store);
  await catalog.refresh();
  const card = catalog.card(CARD);
  const [printing] = card?.printings ?? [];
  const asOf = catalog.asOf('pokemon');
  if (!printing || asOf === null) throw new Error(`the tree has no ${CARD}`);
  const rows = Array.from({ length: TEN_YEARS }, (_, i) => {
    const market = Math.round(40_000 + 9000 * Math.sin(i / 150) + 500 * Math.sin(i)) as Cents;
    const around = (share: number) => Math.round(market * share) as Cents;
    const prices = { market, low: around(0.8), mid: around(1.05), high: around(1.6) };
    return { printing: printing.rowId, prices: { day: addDays(asOf, i - TEN_YEARS), ...prices } };
  });
  await publishPast(store, rows, Date.now());
}

function show(ms: number): string {
  return `${ms.toFixed(1)} ms`;
}
