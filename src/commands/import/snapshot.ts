import { formatMoment } from '../../domain/day.ts';
import { importSnapshot, type SnapshotSummary } from '../../ingest/drivers/snapshot.ts';
import type { Snapshot } from '../../sources/contract/snapshot.ts';
import type { CatalogueChanges } from '../../store/backup/copy-changes.ts';
import type { CommandContext } from '../context.ts';
import { printErrorLine, printJson, printLine } from '../output.ts';
import { priceSettings, quarantineLines } from '../prices.ts';
import { showProgress } from '../progress.ts';
import { changeLines, describeChanges, type ImportTarget } from './dry-run.ts';
import { EXIT_INCOMPLETE } from './shared.ts';

/** Imports a snapshot, shows its progress and prints its summary, and what a dry run changes. */
export async function importAndReport(
  { clock, config }: CommandContext,
  { store, changes }: ImportTarget,
  snapshot: Snapshot,
  json: boolean,
): Promise<void> {
  const progress = json ? undefined : showProgress('sets');
  try {
    const options = {
      clock,
      ...priceSettings(config()),
      ...(progress && { onProgress: progress.update }),
    };
    const summary = await importSnapshot(store, snapshot, options);
    progress?.end();
    report(summary, json, await changes?.());
  } finally {
    progress?.end();
  }
}

function report(
  summary: SnapshotSummary,
  json: boolean,
  changes: CatalogueChanges | undefined,
): void {
  const observedAt = formatMoment(summary.observedAt);
  if (json) printJson({ ...summary, observedAt, ...describeChanges(changes) });
  else printSummary(summary, changes);
  if (summary.brokenCount > 0) process.exitCode = EXIT_INCOMPLETE;
}

function printSummary(summary: SnapshotSummary, changes: CatalogueChanges | undefined): void {
  const { broken, brokenCount } = summary;
  for (const line of summaryLines(summary)) printLine(line);
  for (const [reason, count] of Object.entries(summary.skipped)) {
    printLine(`Skipped   ${count} × ${reason}`);
  }
  for (const { name, reason } of broken) printErrorLine(`Skipped   ${name}: ${reason}`);
  if (brokenCount > 0) {
    printErrorLine(
      `${brokenCount} were skipped and stay as they were. Run the import again to finish.`,
    );
  }
  for (const line of changeLines(changes)) printLine(line);
}

function summaryLines(summary: SnapshotSummary): string[] {
  const { setsUnchanged, listingsWithoutCard } = summary;
  return [
    `Imported ${summary.source} as observed on ${formatMoment(summary.observedAt)} ` +
      `in ${summary.seconds.toFixed(1)} s`,
    `Sets      ${summary.sets} (${summary.setsAdded} new), ${setsUnchanged} unchanged`,
    `Cards     ${summary.cards} (${summary.cardsAdded} new, ${summary.cardsChanged} changed)`,
    `Printings ${summary.printings} (${summary.printingsAdded} new)`,
    `Prices    ${summary.prices} (${summary.pricesChanged} changed)`,
    `History   ${summary.historyAdded} points added, ${summary.historyCorrected} corrected`,
    ...(listingsWithoutCard > 0
      ? [`Skipped   ${listingsWithoutCard} × price of a product that is not a card`]
      : []),
    ...quarantineLines(summary.quarantined),
  ];
}
