import { Command } from 'commander';
import { dayOf, formatDay } from '../domain/day.ts';
import { takeLock } from '../ingest/lock.ts';
import { NextPublication } from '../ingest/run.ts';
import type { Store } from '../store/connect.ts';
import {
  type Compaction,
  type CompactOptions,
  checkHistory,
  compactHistory,
  type Damage,
} from '../store/history/index.ts';
import type { CommandContext } from './context.ts';
import { namesOf, repairCommand } from './history-repair.ts';
import { countOption, type JsonFlag, jsonOption } from './options.ts';
import { EXIT, printErrorLine, printJson, printLine } from './output.ts';
import { type Watch, withProgress } from './progress.ts';

interface CompactFlags extends JsonFlag {
  readonly keepDaily?: number;
}

/** `cardprice history …`: checks, repairs and compacts the stored history. */
export function historyCommand(context: CommandContext): Command {
  return new Command('history')
    .description('Check, repair or compact the price history.')
    .addCommand(checkCommand(context))
    .addCommand(repairCommand(context))
    .addCommand(compactCommand(context));
}

function checkCommand(context: CommandContext): Command {
  return new Command('check')
    .description(
      'Read and verify every block of the history. The exit code is 1 if any is damaged.',
    )
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice history check')
    .action((flags: JsonFlag) => context.withStore((store) => check(store, flags)));
}

function compactCommand(context: CommandContext): Command {
  return new Command('compact')
    .description(
      'Compact a history that has grown for a long time. With --keep-daily, also thin out old days.',
    )
    .addOption(
      countOption(
        '--keep-daily <days>',
        'Permanently thin out days older than this: keep the last of each week (Monday to Sunday).',
      ),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
On SQLite, other writes (imports, quotas of requests) wait while the file is compacted, and the disk
needs room for a second copy of it. Damaged blocks are listed and left unchanged; the exit code is
then 1.

Examples:
  cardprice history compact
  cardprice history compact --keep-daily 730`,
    )
    .action((flags: CompactFlags) => {
      return context.withStore((store) => compact(context, store, flags));
    });
}

async function check(store: Store, { json = false }: JsonFlag): Promise<void> {
  const found = await withProgress('blocks', json, ({ onProgress }) => {
    return checkHistory(store, onProgress);
  });
  const { blocks, points, bytes } = found;
  const damaged = await nameDamage(store, found.damaged);
  if (json) printJson({ blocks, points, bytes, damaged });
  else printLine(`Checked   ${blocks} blocks: ${points} days of printings, ${size(bytes)}`);
  if (damaged.length > 0) reportDamage(damaged);
}

async function compact(
  context: CommandContext,
  store: Store,
  { keepDaily, json = false }: CompactFlags,
): Promise<void> {
  const options = {
    now: dayOf(context.clock()),
    ...(keepDaily !== undefined && { keepDailyFor: keepDaily }),
  };
  const done = await withProgress('blocks', json, (watch) => {
    return compactAlone(context, store, options, watch);
  });
  const damaged = await nameDamage(store, done.damaged);
  if (json) printJson({ ...done, damaged });
  else printCompaction(done);
  if (damaged.length > 0) reportDamage(damaged);
}

/** Compacts under the import lock, because an import would write the same blocks. */
async function compactAlone(
  { clock }: CommandContext,
  store: Store,
  options: CompactOptions,
  { onProgress }: Watch,
): Promise<Compaction> {
  const lock = await takeLock(store, clock);
  let renewal = Promise.resolve();
  try {
    const publication = await NextPublication.open(store);
    // Responses are cached until the next publication, and removed days must leave them as well.
    if (options.keepDailyFor !== undefined) await publication.begin(store.db);
    const done = await compactHistory(store, options, (blocks, total) => {
      onProgress?.(blocks, total);
      renewal = renewal.then(() => lock.renew());
    });
    await publication.finish(clock());
    return done;
  } finally {
    await renewal;
    await lock.free();
  }
}

function printCompaction({ blocks, removed, bytesBefore, bytesAfter }: Compaction): void {
  printLine(`Compacted ${blocks} blocks: ${removed} days of printings thinned out`);
  printLine(`Size      ${size(bytesBefore)} before, ${size(bytesAfter)} now`);
}

function size(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

interface NamedDamage {
  /** The public id of the card; undefined if the printing no longer exists. */
  readonly card: string | undefined;
  readonly printing: string;
  /** The first day that the block can contain. */
  readonly from: string;
  readonly reason: string;
}

async function nameDamage(store: Store, damaged: readonly Damage[]): Promise<NamedDamage[]> {
  const names = await namesOf(
    store,
    damaged.map(({ printing }) => printing),
  );
  return damaged.map(({ printing, firstDay, reason }) => ({
    card: names.get(printing)?.card,
    printing: names.get(printing)?.name ?? `printing ${printing}`,
    from: formatDay(firstDay),
    reason,
  }));
}

function reportDamage(damaged: readonly NamedDamage[]): void {
  for (const { card, printing, from, reason } of damaged) {
    printErrorLine(`Damaged   ${card ?? 'unknown card'}, ${printing}, from ${from} on: ${reason}`);
  }
  printErrorLine(
    `${damaged.length} blocks are damaged and are not served. See ` +
      '`cardprice history repair --help`.',
  );
  process.exitCode = EXIT.failure;
}
