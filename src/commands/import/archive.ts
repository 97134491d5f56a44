import { Command } from 'commander';
import { dayOf } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { BackfillSummary } from '../../ingest/drivers/backfill.ts';
import { isUrl } from '../../sources/io/tree.ts';
import { type ArchivedDay, findDays, webDays } from '../../sources/tcgcsv-archive/days.ts';
import { openArchive } from '../../sources/tcgcsv-archive/read.ts';
import { requireSevenZip, Unpacker } from '../../sources/tcgcsv-archive/unpack.ts';
import { requireDay } from '../arguments.ts';
import type { CommandContext } from '../context.ts';
import { jsonOption } from '../options.ts';
import { dryRunOption } from './dry-run.ts';
import { importPastAndReport } from './past.ts';
import { EXIT_INCOMPLETE, openPolitely, pauseOption } from './shared.ts';

interface ArchiveFlags {
  readonly from?: string;
  readonly to?: string;
  readonly again?: boolean;
  readonly pause: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `cardprice import tcgcsv-archive`: prices of earlier days. */
export function archiveCommand(context: CommandContext): Command {
  return new Command('tcgcsv-archive')
    .description(
      "Fill in the past from TCGCSV's archive of daily prices. Only cards that are known already " +
        'get prices: import a TCGCSV tree first.',
    )
    .argument(
      '<file, folder or URL>',
      'prices-YYYY-MM-DD.ppmd.7z, a folder of such or of what is in them, or the address of one.',
    )
    .option('--from <day>', 'The first day to take (UTC, YYYY-MM-DD); needed for a URL.')
    .option('--to <day>', 'The last day to take.')
    .option('--again', 'Also the days that were imported before.')
    .addOption(pauseOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Days that were imported before are passed over: stopped at any moment, run it again to go on. Use
--again after cards came in that were not known then. An archive or a file in it that cannot be
read is named and skipped, the rest is imported, and the exit code is ${EXIT_INCOMPLETE}. A URL that answers 403 or
404 does not have that day. A day that is newer than what is served becomes what is served.

Examples:
  cardprice import tcgcsv-archive ./archive
  cardprice import tcgcsv-archive https://tcgcsv.com/archive/tcgplayer --from 2024-02-08`,
    )
    .action((location: string, flags: ArchiveFlags) => importArchive(context, location, flags));
}

async function importArchive(
  context: CommandContext,
  location: string,
  flags: ArchiveFlags,
): Promise<void> {
  const unpacker = new Unpacker();
  const { days, close } = await openDays(context, location, flags, unpacker);
  try {
    if (days.some(({ isPacked }) => isPacked)) requireSevenZip();
    const past = openArchive({ days, now: context.clock(), again: flags.again ?? false });
    await importPastAndReport(context, past, {
      unit: 'days',
      json: flags.json ?? false,
      dryRun: flags.dryRun ?? false,
      describeRead,
    });
  } finally {
    await close();
    await unpacker.close();
  }
}

interface OpenDays {
  readonly days: readonly ArchivedDay[];
  close(): Promise<void>;
}

async function openDays(
  context: CommandContext,
  location: string,
  flags: ArchiveFlags,
  unpacker: Unpacker,
): Promise<OpenDays> {
  const from = flags.from === undefined ? undefined : requireDay('--from', flags.from);
  const to = flags.to === undefined ? dayOf(context.clock()) : requireDay('--to', flags.to);
  if (!isUrl(location)) {
    const found = await findDays(location, unpacker);
    const days = found.filter(({ day }) => (from ?? 0) <= day && (!flags.to || day <= to));
    return { days, close: async () => {} };
  }
  if (from === undefined) {
    throw new OperatorError('A URL needs the first day: --from YYYY-MM-DD.');
  }
  const tree = openPolitely(context, location, flags.pause, { missingStatuses: [403, 404] });
  return { days: webDays(tree, { from, to }, unpacker), close: () => tree.close() };
}

function describeRead({ parts, partsUnchanged, partsUnavailable }: BackfillSummary): string {
  return `${parts} days, ${partsUnchanged} done before, ${partsUnavailable} not available`;
}
