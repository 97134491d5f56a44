import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { HOUR_MS } from '../domain/sync.ts';
import { knownFiles } from '../ingest/import.ts';
import type { OpenFeed } from '../sources/contract/feed.ts';
import type { SourceFile } from '../sources/contract/files.ts';
import type { RatesSource } from '../sources/contract/rates.ts';
import type { Remote, RemoteFile } from '../sources/contract/source.ts';
import { withReadErrors } from '../sources/io/files.ts';
import { isUrl } from '../sources/io/tree.ts';
import { originsNamed } from '../sources/io/web.ts';
import { openQuotes } from '../sources/quotes/read.ts';
import { upsertSourceFiles } from '../store/catalogue/imports.ts';
import { digestFile } from './download.ts';
import {
  type BackfillResult,
  describeBroken,
  type FeedResult,
  type RatesResult,
  type SyncContext,
  type SyncCounts,
  type SyncSource,
  total,
} from './source.ts';
import { MAX_BYTES, type Update, type UpdateCheck, UpdateChecker } from './updates.ts';

/** A source that publishes files, with the operator's settings for it. */
export interface FilesSource {
  readonly name: string;
  readonly remote?: Remote | undefined;
  /** An address, file or folder to read it from instead. */
  readonly location?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** A source that `open` reads as a feed. */
export function feedSource(source: FilesSource & { readonly open: OpenFeed }): SyncSource {
  return syncFiles(source, async (context, { location, files, observedAt }) => {
    const options = { now: context.clock(), games: null, observedAt, files };
    return resultOfFeed(await context.importers.feed(await source.open(location, options)));
  });
}

/** The operator's own series of prices. */
export function quotesSource(source: FilesSource): SyncSource {
  return syncFiles(source, async (context, { location }) => {
    const backfill = await openQuotes(location, {
      format: /\.(ndjson|jsonl)$/i.test(location) ? 'ndjson' : 'csv',
      renamed: new Map(),
      marketplace: source.name,
      now: context.clock(),
    });
    return resultOfBackfill(await context.importers.backfill(backfill), context.clock());
  });
}

/** A source of exchange rates. */
export function ratesSource(
  source: FilesSource & { readonly read: RatesSource['read'] },
): SyncSource {
  return syncFiles(source, async (context, { location }) => {
    const bytes = await withReadErrors(location, () => readFile(location));
    const summary = await context.importers.rates(source.read(location, bytes));
    return resultOfRates(summary);
  });
}

/** The outcome of the import of an update. */
interface ImportResult {
  readonly counts: SyncCounts;
  /** The number of cards or rows read, and of those that match a card of ours. */
  readonly items: number;
  readonly matched: number;
  /** Whether the same file was already imported. */
  readonly unchanged: boolean;
}

function resultOfFeed(summary: FeedResult): ImportResult {
  const { observedAt, pricesChanged, quarantined, unmatched, cards, broken, brokenCount } = summary;
  const counts = {
    observedAt,
    pricesChanged,
    quarantined: total(quarantined),
    unmatched: total(unmatched),
    broken: brokenCount,
    parts: cards + brokenCount,
    firstBroken: describeBroken(broken),
  };
  return { counts, items: cards, matched: summary.matched, unchanged: summary.unchanged };
}

function resultOfBackfill(summary: BackfillResult, observedAt: Millis): ImportResult {
  const { pricesChanged, quarantined, points, unmatched, broken, brokenCount } = summary;
  const items = points + unmatched;
  const counts = {
    observedAt,
    pricesChanged,
    quarantined: total(quarantined),
    unmatched,
    broken: brokenCount,
    parts: items + brokenCount,
    firstBroken: describeBroken(broken),
  };
  return { counts, items, matched: points, unchanged: false };
}

function resultOfRates({ observedAt, pricesChanged, rates, ratesChanged }: RatesResult) {
  const none = { quarantined: 0, unmatched: 0, broken: 0, firstBroken: null };
  const counts = { observedAt, pricesChanged, parts: rates, ...none };
  return { counts, items: rates, matched: rates, unchanged: ratesChanged === 0 };
}

type ImportUpdate = (context: SyncContext, update: Update) => Promise<ImportResult>;

function syncFiles(source: FilesSource, importUpdate: ImportUpdate): SyncSource {
  return {
    name: source.name,
    async sync(context) {
      const update = await checkForUpdate(source, context);
      const result = update.kind === 'new' ? await importUpdate(context, update) : undefined;
      if (result) requireMatches(source.name, result);
      const observedAt = result?.counts.observedAt ?? context.clock();
      await remember(source.name, context, update.remember, observedAt);
      const { version } = update;
      if (!result || result.unchanged) return { kind: 'unchanged', version };
      return { kind: 'imported', counts: result.counts, version };
    },
  };
}

/** @throws OperatorError if nothing matches: the source has changed, or we have no cards yet. */
function requireMatches(name: string, { items, matched }: ImportResult): void {
  if (items === 0 || matched > 0) return;
  throw new OperatorError(
    `None of the ${items} cards of ${name} is known here. ` +
      'If the catalogue is empty, import TCGCSV first.',
  );
}

/**
 * Marks files as imported. Call it only after their import, so a file that failed is downloaded
 * again.
 */
async function remember(
  source: string,
  { store }: SyncContext,
  files: readonly SourceFile[],
  observedAt: Millis,
): Promise<void> {
  if (files.length === 0) return;
  const known = files.map((file) => ({ ...file, observedAt }));
  await store.db.transaction().execute((transaction) => {
    return upsertSourceFiles(store, transaction, source, known);
  });
}

async function checkForUpdate(source: FilesSource, context: SyncContext): Promise<UpdateCheck> {
  const { name, location } = source;
  if (isLocal(location)) return checkLocal(name, location, context);
  return checkRemote(source, context, remoteOf(source));
}

/** Returns the settings missing for syncing a source; null if nothing is missing. */
export function hindranceOf(source: FilesSource): string | null {
  try {
    if (!isLocal(source.location)) remoteOf(source);
    return null;
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}

function isLocal(location: string | undefined): location is string {
  return location !== undefined && !isUrl(location);
}

/** @throws OperatorError if the settings lack something that the source needs. */
function remoteOf({ name, remote, location, apiKey }: FilesSource): Remote {
  if (location !== undefined && (remote === undefined || new URL(location).search !== '')) {
    return fileAt(location);
  }
  if (remote === undefined) {
    throw new OperatorError(
      `${name} has no address: set the location of its file in CARDPRICE_SYNC_FROM.`,
    );
  }
  if (remote.key?.required && apiKey === undefined) {
    throw new OperatorError(`${name} wants a key: set CARDPRICE_SYNC_KEYS=${name}=YOUR_KEY.`);
  }
  return location === undefined ? remote : { ...remote, base: location };
}

const PAUSE_MS = 100;

/** One file at an address that the operator gave. */
function fileAt(address: string): Remote {
  const name = basename(new URL(address).pathname).replaceAll(/[^\w.-]/g, '_');
  const main: RemoteFile = { path: address, saveAs: name || 'download', maxBytes: MAX_BYTES };
  return { base: address, pauseMs: PAUSE_MS, content: { kind: 'files', main } };
}

async function checkRemote(
  source: FilesSource,
  context: SyncContext,
  remote: Remote,
): Promise<UpdateCheck> {
  const { name, apiKey } = source;
  const { answeredAt } = context.lastCheck;
  const { everyHours = 0 } = remote;
  if (
    !context.again &&
    answeredAt !== null &&
    context.clock() - answeredAt < everyHours * HOUR_MS
  ) {
    return { kind: 'unchanged', version: null, remember: [] };
  }
  const rules = { pauseMs: remote.pauseMs, trustedOrigins: originsNamed(source.location) };
  const client = context.openClient(rules, remote.requestsADay);
  try {
    return await new UpdateChecker(name, remote, apiKey, client, context).check();
  } finally {
    await client.close();
  }
}

/**
 * A file is an update if its digest has changed. A folder always is, because its reader decides.
 */
async function checkLocal(
  source: string,
  location: string,
  context: SyncContext,
): Promise<UpdateCheck> {
  const found = await stat(location).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${location} of ${source} cannot be read: ${error.message}`);
  });
  const update = {
    kind: 'new',
    location: location,
    files: {},
    observedAt: null,
    version: null,
  } as const;
  if (found.isDirectory()) return { ...update, remember: [] };
  const path = `sync:${basename(location)}`;
  const digest = await digestFile(location);
  const remember = [{ path, digest, etag: null }];
  const known = await knownFiles(context.store, source);
  const isKnown = !context.again && known(path)?.digest === digest;
  if (isKnown) return { kind: 'unchanged', version: null, remember: [] };
  return { ...update, remember };
}
