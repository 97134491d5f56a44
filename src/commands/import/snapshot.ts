import { formatMoment } from '../../domain/day.ts';
import { importSnapshot, type SnapshotSummary } from '../../ingest/drivers/snapshot.ts';
import type { Snapshot } from '../../sources/contract/snapshot.ts';
import type { Store } from '../../store/connect.ts';
import type { CommandContext } from '../context.ts';
import { printJson } from '../output.ts';
import { priceSettings, quarantineLines } from '../prices.ts';
import { showProgress } from '../progress.ts';
import { EXIT_INCOMPLETE } from './shared.ts';

/** Imports a snapshot, shows its progress and prints its summary. */
export async function importAndReport(
  { clock, config }: CommandContext,
  store: Store,
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
    report(summary, json);
  } finally {
    progress?.end();
  }
}

function report(summary: SnapshotSummary, json: boolean): void {
  if (json) printJson({ ...summary, observedAt: formatMoment(summary.observedAt) });
  else printSummary(summary);
  if (summary.broken.length > 0) process.exitCode = EXIT_INCOMPLETE;
}

function printSummary(summary: SnapshotSummary): void {
  const { broken } = summary;
  for (const line of summaryLines(summary)) console.log(line);
  for (const [reason, count] of Object.entries(summary.skipped)) {
    console.log(`Skipped   ${count} × ${reason}`);
  }
  for (const { name, reason } of broken) console.error(`Skipped   ${name}: ${reason}`);
  if (broken.length > 0) {
    console.error(
      `${broken.length} were skipped and stay as they were. Run the import again to finish.`,
    );
  }
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
