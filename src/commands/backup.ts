import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { OperatorError } from '../domain/errors.ts';
import { isPostgres } from '../domain/location.ts';
import { type Backup, backUp, pruneBackups, restore } from '../store/backup/index.ts';
import { readCount } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { jsonOption } from './options.ts';
import { formatCount, printJson, printLine } from './output.ts';

interface BackupFlags {
  readonly to?: string;
  readonly keep?: string;
  readonly json?: boolean;
}

interface RestoreFlags {
  readonly replace?: boolean;
  readonly json?: boolean;
}

/** `cardprice backup`: copies the database while it is in use. */
export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('Copy the whole database, while it is in use, into a folder, and read it back.')
    .option('--to <folder>', 'Where backups are; `backups` beside the SQLite file unless set.')
    .option('--keep <number>', 'Delete older backups in that folder, all but so many.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Each backup is a folder with three SQLite files and a manifest with their digests, of either engine:
\`cardprice restore\` makes a SQLite or a PostgreSQL database of it. It has everything: catalogue, history,
accounts, API keys (as digests) and usage. Keep it as safe as the database.

Examples:
  cardprice backup
  cardprice backup --to /backup/cardprice --keep 14`,
    )
    .action((flags: BackupFlags) => runBackup(context, flags));
}

async function runBackup(context: CommandContext, flags: BackupFlags): Promise<void> {
  const { database } = context.config();
  const to = flags.to ?? defaultFolder(database);
  const kept = flags.keep === undefined ? undefined : readCount('--keep', flags.keep);
  const started = performance.now();
  const backup = await backUp(database, { to, version: context.version, now: context.clock() });
  const deleted = kept === undefined ? [] : pruneBackups(to, kept);
  const seconds = (performance.now() - started) / 1000;
  if (flags.json) printJson({ folder: backup.folder, ...backup.manifest, deleted });
  else print(backup, seconds, deleted);
}

/** The folder of the backups of a SQLite file, unless another one is said. */
export function backupFolder(database: string): string {
  return join(dirname(resolve(database)), 'backups');
}

function defaultFolder(database: string): string {
  if (!isPostgres(database)) return backupFolder(database);
  throw new OperatorError('Say where to: a backup of PostgreSQL needs --to FOLDER.');
}

function print({ folder, manifest }: Backup, seconds: number, deleted: readonly string[]): void {
  const { cards = 0, printings = 0, accounts = 0 } = manifest.rows;
  const bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0);
  printLine(
    `Backed up ${formatCount(cards)} cards, ${formatCount(printings)} printings and ` +
      `${formatCount(accounts)} accounts (${(bytes / 1e6).toFixed(1)} MB), and read them back, in ` +
      `${seconds.toFixed(1)} s:`,
  );
  printLine(`  ${folder}`);
  for (const older of deleted) printLine(`Deleted ${older}`);
}

/** `cardprice restore`: makes a database of a backup. */
export function restoreCommand(context: CommandContext): Command {
  return new Command('restore')
    .description('Make a database of a backup, of either engine. Stop the service first.')
    .argument('<folder>', 'The backup: a folder that `backup` made.')
    .option('--replace', 'Replace the database that is there. Files of SQLite are kept, renamed.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Examples:
  cardprice restore backups/cardprice-20261122T031500Z
  cardprice --database postgres://cardprice@db/cardprice restore backups/cardprice-20261122T031500Z`,
    )
    .action(async (folder: string, { replace = false, json }: RestoreFlags) => {
      const { database } = context.config();
      const now = context.clock();
      const { manifest, kept } = await restore(resolve(folder), database, { replace, now });
      if (json) printJson({ ...manifest, kept });
      else {
        const { cards = 0, accounts = 0 } = manifest.rows;
        printLine(
          `Restored ${formatCount(cards)} cards and ${formatCount(accounts)} accounts, as they ` +
            `were at ${manifest.createdAt}.`,
        );
        for (const file of kept) printLine(`Kept what was there: ${file}`);
      }
    });
}
