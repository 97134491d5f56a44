import { readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { isPostgres } from '../domain/location.ts';
import { nextTime } from '../domain/schedule.ts';
import type { MachineHealth } from '../operator/services.ts';
import { newestBackup } from '../store/backup/index.ts';
import { backupFolder } from './backup.ts';
import type { CommandContext } from './context.ts';
import { examine } from './doctor/checks.ts';
import { PAGES_FOLDER } from './pages.ts';

interface Options {
  /** Whether this service syncs by itself. */
  readonly isSyncing: boolean;
}

/** Runs the checks of `cardprice doctor`, and reports the files and the free space. */
export async function machineHealth(
  { clock }: Pick<CommandContext, 'clock'>,
  config: Config,
  { isSyncing }: Options,
): Promise<MachineHealth> {
  const now = clock();
  return {
    findings: await examine({ config, clock: Date.now, deep: false, pages: PAGES_FOLDER }),
    processes: config.workers,
    nextSyncAt: isSyncing ? nextTime(config.syncAt, now) : null,
    ...filesOf(config.database),
  };
}

/** Returns the files of a database, the free space and the time of the newest backup. */
function filesOf(database: string): Pick<MachineHealth, 'files' | 'freeBytes' | 'backupAt'> {
  // A PostgreSQL server has its files on another machine.
  if (isPostgres(database)) return { files: [], freeBytes: null, backupAt: null };
  const file = resolve(database);
  const folder = dirname(file);
  const { bavail, bsize } = statfsSync(folder);
  const names = readdirSync(folder).filter((name) => join(folder, name).startsWith(file));
  const files = names.flatMap((name) => {
    // A file may have disappeared since it was listed.
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return stats?.isFile() ? [{ name, bytes: stats.size }] : [];
  });
  return { files, freeBytes: bavail * bsize, backupAt: newestBackup(backupFolder(database)) };
}
