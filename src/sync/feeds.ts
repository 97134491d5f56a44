import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { OperatorError } from '../domain/errors.ts';
import { HOUR_MS } from '../domain/schedule.ts';
import { knownFiles } from '../ingest/files.ts';
import type { OpenFeed } from '../sources/contract/feed.ts';
import type { Remote, RemoteFile } from '../sources/contract/remote.ts';
import type { SourceFile } from '../sources/contract/snapshot.ts';
import { isUrl } from '../sources/io/tree.ts';
import { openQuotes } from '../sources/quotes/read.ts';
import { SOURCE_FILES } from '../store/imports.ts';
import { digestFile } from './download.ts';
import { type Found, MAX_BYTES, type News, Questioner } from './news.ts';
import {
  describeBroken,
  type ImportedFeed,
  type ImportedPast,
  type PullCounts,
  type SyncSource,
  total,
  type Visit,
} from './source.ts';

/** A source that is got as files, and what the operator says about it. */
export interface Place {
  readonly name: string;
  readonly remote?: Remote | undefined;
  /** Where it is taken from instead: an address, or a file or folder of this machine. */
  readonly place?: string | undefined;
  readonly key?: string | undefined;
}

/** How a sync keeps a source up to date that `open` reads. */
export function feedSource(source: Place & { readonly open: OpenFeed }): SyncSource {
  return sourceOfFiles(source, async (visit, { location, files, observedAt }) => {
    const known = await knownFiles(visit.store, source.name);
    const options = { now: visit.clock(), games: null, observedAt, files, known };
    return visit.importers.feed(await source.open(location, options));
  });
}

/** How a sync keeps prices of the operator's own up to date, or anybody's. */
export function quotesSource(source: Place): SyncSource {
  return sourceOfFiles(source, async (visit, { location }) => {
    const past = await openQuotes(location, {
      format: /\.(ndjson|jsonl)$/i.test(location) ? 'ndjson' : 'csv',
      renamed: new Map(),
      priceSource: source.name,
      now: visit.clock(),
    });
    return ofQuotes(await visit.importers.past(past), visit);
  });
}

function ofQuotes(summary: ImportedPast, { clock }: Visit): ImportedFeed {
  const { points, unmatched, pricesChanged, ...rest } = summary;
  return {
    ...rest,
    observedAt: clock(),
    offers: points + unmatched,
    matched: points,
    unmatched: { 'unknown card': unmatched },
    pricesChanged,
    unchanged: false,
  };
}

type Import = (visit: Visit, found: Found) => Promise<ImportedFeed>;

function sourceOfFiles(source: Place, importFound: Import): SyncSource {
  return {
    name: source.name,
    async pull(visit) {
      const news = await getNews(source, visit);
      const summary = news.kind === 'new' ? await importFound(visit, news) : undefined;
      if (summary) requireMatches(source.name, summary);
      const observedAt = summary?.observedAt ?? visit.clock();
      await remember(source.name, visit, news.remembered, observedAt);
      const { version } = news;
      if (!summary || summary.unchanged) return { kind: 'unchanged', version };
      return { kind: 'imported', counts: countsOf(summary), version };
    },
  };
}

/** Where nothing matches, either the source has changed or there is nothing yet to match with. */
function requireMatches(name: string, { offers, matched }: ImportedFeed): void {
  if (offers === 0 || matched > 0) return;
  throw new OperatorError(
    `None of the ${offers} cards of ${name} is known here. ` +
      'If the catalogue is empty, import TCGCSV first.',
  );
}

/** Only now: what was got and not imported is to be got again. */
async function remember(
  source: string,
  { store }: Visit,
  files: readonly SourceFile[],
  observedAt: number,
): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map(({ path, digest, etag }) => [source, path, digest, etag, observedAt]);
  await store.db.transaction().execute(async (transaction) => {
    await store.engine.upsert(transaction, SOURCE_FILES, rows);
  });
}

function countsOf(summary: ImportedFeed): PullCounts {
  const { observedAt, pricesChanged, heldBack, unmatched, offers, broken, brokenCount } = summary;
  return {
    observedAt,
    pricesChanged,
    heldBack: total(heldBack),
    unmatched: total(unmatched),
    broken: brokenCount,
    parts: offers + brokenCount,
    firstBroken: describeBroken(broken),
  };
}

async function getNews(source: Place, visit: Visit): Promise<News> {
  const { name, remote, place } = source;
  if (place !== undefined && !isUrl(place)) return getLocal(name, place, visit);
  if (place !== undefined && (remote === undefined || new URL(place).search !== '')) {
    return ask(source, visit, fileAt(place));
  }
  if (remote !== undefined) {
    return ask(source, visit, place === undefined ? remote : { ...remote, base: place });
  }
  throw new OperatorError(
    `${name} has no address of its own: say where its file is in CARDPRICE_SYNC_FROM.`,
  );
}

const PAUSE_MS = 100;

/** One file at an address that the operator gave. */
function fileAt(address: string): Remote {
  const name = basename(new URL(address).pathname).replaceAll(/[^\w.-]/g, '_');
  const main: RemoteFile = { path: address, saveAs: name || 'download', maxBytes: MAX_BYTES };
  return { base: address, pauseMs: PAUSE_MS, content: { kind: 'files', main } };
}

async function ask(source: Place, visit: Visit, remote: Remote): Promise<News> {
  const { name, key } = source;
  if (remote.key?.required && key === undefined) {
    throw new OperatorError(`${name} wants a key: set CARDPRICE_SYNC_KEYS=${name}=YOUR_KEY.`);
  }
  const { answered_at: answeredAt } = visit.check;
  const { everyHours = 0 } = remote;
  if (!visit.again && answeredAt !== null && visit.clock() - answeredAt < everyHours * HOUR_MS) {
    return { kind: 'unchanged', version: null, remembered: [] };
  }
  const client = visit.openClient({ pause: remote.pauseMs }, remote.requestsADay);
  try {
    return await new Questioner(name, remote, key, client, visit).news();
  } finally {
    await client.close();
  }
}

/** A file is read when it is another than the last time; what is in a folder, its reader knows. */
async function getLocal(source: string, place: string, visit: Visit): Promise<News> {
  const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${place} of ${source} cannot be read: ${error.message}`);
  });
  const news = {
    kind: 'new',
    location: place,
    files: {},
    observedAt: null,
    version: null,
  } as const;
  if (found.isDirectory()) return { ...news, remembered: [] };
  const path = `sync:${basename(place)}`;
  const digest = await digestFile(place);
  const remembered = [{ path, digest, etag: null }];
  const known = await knownFiles(visit.store, source);
  const isKnown = !visit.again && known(path)?.digest === digest;
  if (isKnown) return { kind: 'unchanged', version: null, remembered: [] };
  return { ...news, remembered };
}
