import { CURRENCY_CODES, type Currency } from '../domain/currencies.ts';
import { type Day, parseDay, startOfDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { Rate } from '../domain/rates.ts';
import type { PublishedRates, RatesSource } from './contract/rates.ts';
import type { Remote } from './contract/source.ts';
import { isZip, unzipFirst } from './io/zip.ts';

/**
 * The euro foreign exchange reference rates of the European Central Bank: the amount of each
 * currency that equals one euro. The bank publishes them at about 16:00 CET on each working day, as
 * XML (`eurofxref-daily.xml`, `eurofxref-hist-90d.xml`, `eurofxref-hist.xml`) and as packed CSV
 * (`eurofxref.zip`, `eurofxref-hist.zip`).
 */

const NAME = 'ecb';

/** All days since 1999 take a megabyte as CSV, and eight as XML. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The value of one euro on a day, by currency code. */
type Worth = ReadonlyMap<string, number>;

/** Reads a file of the ECB. */
export function readEcb(name: string, bytes: Uint8Array): PublishedRates {
  const text = Buffer.from(isZip(bytes) ? unzipFirst(name, bytes, MAX_BYTES) : bytes).toString();
  const days = text.trimStart().startsWith('<') ? xmlDays(name, text) : csvDays(name, text);
  const rates = [...days].flatMap(([day, worth]) => ratesOf(day, worth));
  if (rates.length === 0) throw notOfEcb(name);
  const newest = Math.max(...rates.map(({ day }) => day)) as Day;
  return { source: NAME, observedAt: startOfDay(newest), rates };
}

/** Converts rates per euro into US dollars per unit of each of our currencies. */
function ratesOf(day: Day, worth: Worth): Rate[] {
  const dollars = worth.get('USD');
  if (dollars === undefined) return [];
  return CURRENCY_CODES.flatMap((currency) => {
    const units = unitsPerEuro(currency, worth);
    if (units === undefined || currency === 'USD') return [];
    return [{ currency, day, dollarsPerUnit: dollars / units, source: NAME }];
  });
}

function unitsPerEuro(currency: Currency, worth: Worth): number | undefined {
  return currency === 'EUR' ? 1 : worth.get(currency);
}

const TAG =
  /<Cube\s+(?:time=["']([^"']*)["']|currency=["']([^"']*)["']\s+rate=["']([^"']*)["'])\s*\/?>/g;

function xmlDays(name: string, text: string): Map<Day, Map<string, number>> {
  if (!text.includes('</gesmes:Envelope>')) throw notOfEcb(name);
  const days = new Map<Day, Map<string, number>>();
  let worth: Map<string, number> | undefined;
  for (const [, time, currency = '', rate = ''] of text.matchAll(TAG)) {
    if (time === undefined) worth?.set(currency, parseRate(name, currency, rate));
    else {
      worth = new Map();
      days.set(parseDate(name, time), worth);
    }
  }
  return days;
}

/** The header is `Date,USD,JPY,…`; `N/A` stands for a currency without a rate on that day. */
function csvDays(name: string, text: string): Map<Day, Map<string, number>> {
  const [header = [], ...rows] = text
    .split('\n')
    .map((line) => line.split(',').map((cell) => cell.trim()));
  if (header[0] !== 'Date' || !header.includes('USD')) throw notOfEcb(name);
  const days = new Map<Day, Map<string, number>>();
  for (const [date = '', ...cells] of rows) {
    if (date === '') continue;
    const worth = new Map<string, number>();
    for (const [index, cell] of cells.entries()) {
      const currency = header[index + 1] ?? '';
      if (cell !== '' && cell !== 'N/A') worth.set(currency, parseRate(name, currency, cell));
    }
    days.set(parseDate(name, date), worth);
  }
  return days;
}

/** Parses `2026-01-28`, or `28 January 2026` as in `eurofxref.csv`. */
function parseDate(name: string, text: string): Day {
  const words = /^\d{1,2} [A-Z][a-z]+ \d{4}$/.test(text) ? Date.parse(`${text} UTC`) : Number.NaN;
  const date = Number.isNaN(words) ? text : new Date(words).toISOString().slice(0, 10);
  const day = parseDay(date);
  if (day === undefined) throw new OperatorError(`${name}: "${text.slice(0, 40)}" is not a day.`);
  return day;
}

function parseRate(name: string, currency: string, text: string): number {
  const rate = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (rate > 0) return rate;
  throw new OperatorError(`${name}: "${text.slice(0, 40)}" is not a rate of ${currency}.`);
}

function notOfEcb(name: string): OperatorError {
  return new OperatorError(`${name} is not a file of exchange rates of the ECB.`);
}

/**
 * The rates of the last 90 days, so a missed day is filled in. The ECB publishes once on each
 * working day.
 */
const ECB_REMOTE: Remote = {
  base: 'https://www.ecb.europa.eu',
  pauseMs: 1000,
  everyHours: 12,
  content: {
    kind: 'files',
    main: {
      path: 'stats/eurofxref/eurofxref-hist-90d.xml',
      saveAs: 'eurofxref-hist-90d.xml',
      maxBytes: 4 * 1024 * 1024,
    },
  },
};

export const ECB: RatesSource = {
  name: NAME,
  summary: 'Exchange rates of the euro, day by day, of the European Central Bank.',
  takes: 'A file or address of the ECB: XML, CSV or a zip archive with the CSV.',
  example: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip',
  remote: ECB_REMOTE,
  read: readEcb,
};
