import { Command } from 'commander';
import { type Config, unknownVariables } from '../config/config.ts';
import { formatMoment } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { findSource, type PriceSource } from '../domain/sources.ts';
import type { SyncableSource } from '../domain/sync.ts';
import { growHeapSlowly } from '../http/process.ts';
import { importBackfill } from '../ingest/drivers/backfill.ts';
import { importFeed } from '../ingest/drivers/feed.ts';
import { importRates } from '../ingest/drivers/rates.ts';
import { importSnapshot } from '../ingest/drivers/snapshot.ts';
import { applyRates } from '../ingest/import.ts';
import { LockTaken } from '../ingest/lock.ts';
import { findFeedSource, RATES_SOURCES } from '../sources/registry.ts';
import type { Store } from '../store/connect.ts';
import { endWithParent } from '../sync/child.ts';
import {
  type FilesSource,
  feedSource,
  hindranceOf,
  quotesSource,
  ratesSource,
} from '../sync/feeds.ts';
import { runSync, type SourceOutcome, type SyncSummary } from '../sync/run.ts';
import type { Importers, SyncSource } from '../sync/source.ts';
import { tcgcsvSource } from '../sync/tcgcsv.ts';
import type { CommandContext } from './context.ts';
import { workingPath } from './files.ts';
import { priceSettings, userAgent } from './import/shared.ts';
import { type JsonFlag, jsonOption } from './options.ts';
import {
  EXIT,
  formatOptionalMoment,
  printErrorLine,
  printJson,
  printLine,
  reportOutage,
} from './output.ts';
import { withProgress } from './progress.ts';
import { traced } from './traces.ts';

interface SyncFlags extends JsonFlag {
  readonly source?: string[];
  readonly again?: boolean;
}

/** `cardprice sync`: imports updates; meant to run every day. */
export function syncCommand(context: CommandContext): Command {
  const command = new Command('sync')
    .description(
      'Import updates from the sources in CARDPRICE_SYNC, each by its own rules of use. A source ' +
        'without an update gets at most one request.',
    )
    .option('--source <name...>', 'Sync only these, even if they asked for a pause.')
    .option('--again', 'Import unchanged files again, for example after new cards were added.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A failed source does not stop the others, and its earlier prices are still served. The exit code is
${EXIT.failure} if a source failed and ${EXIT.incomplete} if parts of one were broken: run the command again later. TCGCSV is
pulled at most once a day, as its rules ask, even with flags. \`serve --sync\` syncs every day.

Examples:
  cardprice sync
  CARDPRICE_SYNC=tcgcsv,scryfall,mtgjson cardprice sync --json
  cardprice sync --source scryfall --again`,
    )
    .action((flags: SyncFlags) => sync(context, context.config(), flags));
  return traced(command, context);
}

async function sync(context: CommandContext, config: Config, flags: SyncFlags): Promise<void> {
  endWithParent();
  growHeapSlowly();
  for (const variable of unknownVariables()) {
    printErrorLine(
      `cardprice: ${variable} is not a setting; \`cardprice config --all\` lists them.`,
    );
  }
  const names = flags.source ?? config.sync;
  const sources = inOrder(names).map((name) => sourceOf(name, config));
  const run = async (store: Store) => {
    const summary = await runSync(store, sources, {
      clock: context.clock,
      userAgent: userAgent(context),
      folder: workingPath(config, 'downloads'),
      importers: importersInto(store, context, config, flags),
      secrets: Object.values(config.syncKeys),
      force: flags.source !== undefined,
      again: flags.again ?? false,
      onOutage: reportOutage,
      ...(flags.json ? {} : { onEnd: printOutcome }),
    });
    await applyChangedRates(store, context, config);
    return summary;
  };
  const summary = await context.withStore(run, { mayCreate: true });
  if (flags.json) printJson(describe(summary));
  const outcomes = summary.sources.map(({ outcome }) => outcome);
  if (outcomes.includes('failed')) process.exitCode = EXIT.failure;
  else if (outcomes.includes('incomplete')) process.exitCode = EXIT.incomplete;
}

/** Applies changed exchange rates even if no source had an update. */
async function applyChangedRates(store: Store, { clock }: CommandContext, config: Config) {
  try {
    await applyRates(store, { clock, ...priceSettings(config) });
  } catch (error) {
    // The running import applies them.
    if (!(error instanceof LockTaken)) throw error;
  }
}

/**
 * Puts sources of cards first, because the prices of other sources need their cards. Then come
 * exchange rates, so prices are converted at the rates of their day.
 */
function inOrder(names: readonly string[]): string[] {
  const known = [...new Set(names)].map((name) => {
    const source = findSource(name);
    if (source) return source;
    throw new OperatorError(`There is no source "${name}"; \`cardprice sources\` lists them.`);
  });
  const turn = ({ name, gives }: PriceSource) => {
    return name === 'tcgcsv' ? 0 : gives.includes('rates') ? 1 : 2;
  };
  const sorted = known.toSorted((a, b) => turn(a) - turn(b) || a.rank - b.rank);
  return sorted.map(({ name }) => name);
}

function sourceOf(name: string, config: Config): SyncSource {
  if (name === 'tcgcsv') return tcgcsvSource(config.syncFrom[name]);
  const files = filesSource(name, config);
  const rates = RATES_SOURCES.find((source) => source.name === name);
  if (rates) return ratesSource({ ...files, read: rates.read });
  const registered = findFeedSource(name);
  return registered ? feedSource({ ...files, open: registered.open }) : quotesSource(files);
}

function filesSource(name: string, { syncFrom, syncKeys }: Config): FilesSource {
  const rates = RATES_SOURCES.find((source) => source.name === name);
  const remote = (rates ?? findFeedSource(name))?.remote;
  return { name, remote, location: syncFrom[name], apiKey: syncKeys[name] };
}

/** The configured sources, each with the setting that it lacks. */
export function syncableSources(config: Config): SyncableSource[] {
  return inOrder(config.sync).map((name) => ({
    name,
    hindrance: name === 'tcgcsv' ? null : hindranceOf(filesSource(name, config)),
  }));
}

function importersInto(
  store: Store,
  { clock }: CommandContext,
  config: Config,
  { json = false, again = false }: SyncFlags,
): Importers {
  const settings = { clock, ...priceSettings(config) };
  return {
    snapshot: (snapshot) => {
      return withProgress('sets', json, (watch) => {
        return importSnapshot(store, snapshot, { ...settings, ...watch });
      });
    },
    feed: (feed) => {
      return withProgress(feed.unit, json, (watch) => {
        return importFeed(store, feed, { ...settings, again, ...watch });
      });
    },
    backfill: (backfill) => {
      return withProgress('KB', json, (watch) =>
        importBackfill(store, backfill, { ...settings, ...watch }),
      );
    },
    rates: (published) => importRates(store, published, settings),
  };
}

function printOutcome(outcome: SourceOutcome): void {
  const { source, outcome: kind, requests, seconds } = outcome;
  const cost = `${requests} request${requests === 1 ? '' : 's'}, ${seconds.toFixed(1)} s`;
  printLine(`${source.padEnd(14)} ${kind.padEnd(10)} ${wordsFor(outcome)} (${cost})`);
}

function wordsFor({ counts, error }: SourceOutcome): string {
  const parts: string[] = [];
  if (counts) {
    const { pricesChanged, quarantined, unmatched, observedAt } = counts;
    parts.push(`${pricesChanged} prices changed, as of ${formatMoment(observedAt)}`);
    if (quarantined > 0) parts.push(`${quarantined} quarantined`);
    if (unmatched > 0) parts.push(`${unmatched} cards not matched`);
  }
  if (error !== null) parts.push(error);
  return parts.length > 0 ? parts.join('; ') : 'nothing new';
}

/** Returns the summary for JSON, with moments as text. */
function describe({ startedAt, finishedAt, sources }: SyncSummary) {
  return {
    startedAt: formatMoment(startedAt),
    finishedAt: formatMoment(finishedAt),
    sources: sources.map(({ source, outcome, counts, error, requests, seconds }) => ({
      source,
      outcome,
      error,
      requests,
      seconds: Number(seconds.toFixed(3)),
      observedAt: formatOptionalMoment(counts?.observedAt ?? null),
      pricesChanged: counts?.pricesChanged ?? 0,
      quarantined: counts?.quarantined ?? 0,
      unmatched: counts?.unmatched ?? 0,
      broken: counts?.broken ?? 0,
    })),
  };
}
