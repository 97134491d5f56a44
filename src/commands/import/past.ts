import { type BackfillSummary, importBackfill } from '../../ingest/drivers/backfill.ts';
import type { Backfill } from '../../sources/contract/backfill.ts';
import type { CommandContext } from '../context.ts';
import { printErrorLine, printJson, printLine } from '../output.ts';
import { priceSettings, quarantineLines } from '../prices.ts';
import { showProgress } from '../progress.ts';
import { changeLines, describeChanges, withTarget } from './dry-run.ts';
import { EXIT_INCOMPLETE } from './shared.ts';

/** How many broken parts are named; all are counted. */
const BROKEN_SHOWN = 20;

export interface PastReport {
  /** The unit of the total, for example `days`. */
  readonly unit: string;
  readonly json: boolean;
  readonly dryRun: boolean;
  /** In words what was read. */
  readonly describeRead: (summary: BackfillSummary) => string;
}

/** Imports a backfill, shows its progress and prints its summary. */
export async function importPastAndReport(
  context: CommandContext,
  past: Backfill,
  { unit, json, dryRun, describeRead }: PastReport,
): Promise<void> {
  const { clock, config } = context;
  const progress = json ? undefined : showProgress(unit);
  const options = {
    clock,
    ...priceSettings(config()),
    ...(progress && { onProgress: progress.update }),
  };
  const { summary, changes } = await withTarget(context, dryRun, async (target) => {
    const summary = await importBackfill(target.store, past, options);
    return { summary, changes: await target.changes?.() };
  }).finally(() => progress?.end());
  if (json) printJson({ ...summary, ...describeChanges(changes) });
  else printSummary(summary, describeRead(summary));
  if (!json) for (const line of changeLines(changes)) printLine(line);
  if (summary.brokenCount > 0) process.exitCode = EXIT_INCOMPLETE;
}

function printSummary(summary: BackfillSummary, read: string): void {
  const { broken, brokenCount } = summary;
  for (const line of summaryLines(summary, read)) printLine(line);
  for (const { name, reason } of broken.slice(0, BROKEN_SHOWN)) {
    printErrorLine(`Skipped   ${name}: ${reason}`);
  }
  if (brokenCount > BROKEN_SHOWN) printErrorLine(`Skipped   ${brokenCount - BROKEN_SHOWN} more`);
}

function summaryLines(summary: BackfillSummary, read: string): string[] {
  const { source, seconds } = summary;
  return [
    `Imported ${source} in ${seconds.toFixed(1)} s`,
    `Read      ${read}`,
    `Prices    ${summary.points} of days, ${summary.pricesChanged} are served now`,
    `Printings ${summary.printingsAdded} new`,
    `History   ${summary.historyAdded} points added, ${summary.historyCorrected} corrected`,
    ...Object.entries(skippedOf(summary)).map(
      ([reason, count]) => `Skipped   ${count} × ${reason}`,
    ),
    ...quarantineLines(summary.quarantined),
  ];
}

function skippedOf({ unmatched, skipped }: BackfillSummary): Record<string, number> {
  return {
    ...skipped,
    ...(unmatched > 0 && { 'price of a product that is not a card of ours': unmatched }),
  };
}
