import { resolve } from 'node:path';
import { Command } from 'commander';
import { OperatorError } from '../domain/errors.ts';
import { isPostgres } from '../domain/location.ts';
import { type Backup, backUp, pruneBackups } from '../store/backup/backup.ts';
import { restore } from '../store/backup/restore.ts';
import { openStore } from '../store/connect.ts';
import { recordCommand } from './audit.ts';
import type { CommandContext } from './context.ts';
import { backupFolder } from './files.ts';
import { countOption, type JsonFlag, jsonOption } from './options.ts';
import { formatCount, printError, printJson, printLine, reportOutage } from './output.ts';

interface BackupFlags extends JsonFlag {
  readonly output?: string;
  readonly keep?: number;
}

interface RestoreFlags extends JsonFlag {
  readonly replace?: boolean;
}

/** `cardprice backup`: copies the database while it is in use. */
export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .description('Copy the whole database into a folder while it is in use, and verify the copy.')
    .option(
      '--output <folder>',
      'The folder for backups (default: `backups` next to the SQLite file).',
    )
    .addOption(
      countOption('--keep <number>', 'Keep this many backups in the folder and delete older ones.'),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A backup of either engine is a folder with three SQLite files and a manifest with their digests.
\`cardprice restore\` turns it into a SQLite or a PostgreSQL database. It contains the catalogue,
the history, accounts, API keys (as digests) and usage. Keep it as safe as the database.

Examples:
  cardprice backup
  cardprice backup --output /backup/cardprice --keep 14`,
    )
    .action((flags: BackupFlags) => runBackup(context, flags));
}

async function runBackup(context: CommandContext, flags: BackupFlags): Promise<void> {
  const { database } = context.config();
  const to = flags.output ?? defaultFolder(database);
  const started = performance.now();
  const backup = await backUp(database, { to, version: context.version, now: context.clock() });
  await record(database, backup);
  const deleted = flags.keep === undefined ? [] : pruneBackups(to, flags.keep);
  const seconds = (performance.now() - started) / 1000;
  const { folder, manifest, leftOut } = backup;
  if (flags.json) printJson({ folder, ...manifest, deleted, leftOut });
  else print(backup, seconds, deleted);
  warnOfLeftOut(leftOut);
}

/**
 * Records a backup in the audit log, where `cardprice doctor` looks for it. The schema stays as it
 * is: people back up before they migrate.
 */
async function record(database: string, { folder }: Backup): Promise<void> {
  try {
    const store = await openStore(database, { isMigrating: false });
    const { clock } = store;
    await recordCommand({ clock }, store, 'backed-up', { detail: folder }).finally(() => {
      return store.close();
    });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    printError(`The backup is complete, but could not be recorded: ${error.message}`);
  }
}

function defaultFolder(database: string): string {
  if (!isPostgres(database)) return backupFolder(database);
  throw new OperatorError('A backup of PostgreSQL needs --output FOLDER.');
}

/** Warns that a copy between the engines has only what this version knows. */
function warnOfLeftOut(migrations: readonly string[]): void {
  if (migrations.length === 0) return;
  printError(
    `A newer version has migrated the database (${migrations.join(', ')}). What only that version ` +
      'knows is not in the copy: use that version to copy everything.',
  );
}

function print({ folder, manifest }: Backup, seconds: number, deleted: readonly string[]): void {
  const { cards = 0, printings = 0, accounts = 0 } = manifest.rows;
  const bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0);
  printLine(
    `Backed up ${formatCount(cards)} cards, ${formatCount(printings)} printings and ` +
      `${formatCount(accounts)} accounts (${(bytes / 1e6).toFixed(1)} MB), and verified them, in ` +
      `${seconds.toFixed(1)} s:`,
  );
  printLine(`  ${folder}`);
  for (const older of deleted) printLine(`Deleted ${older}`);
}

/** `cardprice restore`: makes a database from a backup. */
export function restoreCommand(context: CommandContext): Command {
  return new Command('restore')
    .description('Make a database of either engine from a backup. Stop the service first.')
    .argument('<folder>', 'The folder of the backup.')
    .option('--replace', 'Replace the existing database. SQLite files are renamed and kept.')
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
      const options = { replace, now, onOutage: reportOutage };
      const { manifest, kept, leftOut } = await restore(resolve(folder), database, options);
      warnOfLeftOut(leftOut);
      if (json) printJson({ ...manifest, kept, leftOut });
      else {
        const { cards = 0, accounts = 0 } = manifest.rows;
        printLine(
          `Restored ${formatCount(cards)} cards and ${formatCount(accounts)} accounts, as they ` +
            `were at ${manifest.createdAt}.`,
        );
        for (const file of kept) printLine(`Kept the previous database: ${file}`);
      }
    });
}
