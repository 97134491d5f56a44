import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../observe.ts';
import { archiveOf } from '../services.ts';
import type { Fault } from './fault.ts';
import { query, type Site } from './site.ts';

/** Faults of disks and of the archive. */

export const DISK_FAULTS = {
  'lose-archive': {
    async inject(site) {
      const [archive, elsewhere] = [archiveOf(site.plan), `${archiveOf(site.plan)}-lost`];
      renameSync(archive, elsewhere);
      const segment = await switchSegment(site);
      const bringBack = async () => {
        renameSync(elsewhere, archive);
        // If there is another segment, PostgreSQL retries at once.
        await switchSegment(site);
        await until(`the archive has ${segment}`, () => existsSync(join(archive, segment)));
      };
      return { told: 'Took the archive away.', heal: bringBack };
    },
    holdMs: 8000,
    bound: { failingMs: 0 },
  },
  'fill-database-disk': {
    async inject(site) {
      const { name } = await site.server('primary');
      limitFiles(site.machineOf(name), '0');
      const told = `Let no write to the disk of ${name}, the primary, succeed.`;
      return { told, heal: () => limitFiles(site.machineOf(name), 'unlimited') };
    },
    holdMs: 24_000,
    bound: { failingMs: 30_000, primary: 'stays or is replaced' },
  },
  'fill-node-disk': {
    async inject(site) {
      const name = site.someNode();
      limitFiles(site.serviceOf(name), '0');
      const told = `Let no write to the disk of ${name} succeed.`;
      return { told, heal: () => limitFiles(site.serviceOf(name), 'unlimited') };
    },
    holdMs: 8000,
    bound: { failingMs: 0 },
  },
} satisfies Record<string, Fault>;

/**
 * Limits the size of the files that processes and their children write. With 0, every write fails,
 * as on a full disk. Unlike on a full disk, writes into the middle of a file also fail.
 */
function limitFiles(pids: readonly number[], size: string): void {
  for (const pid of pids) {
    try {
      execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${size}:`], { stdio: 'ignore' });
    } catch {
      // The process has ended.
    }
  }
}

/** Makes the primary finish its segment of WAL, which is then archived; returns its name. */
async function switchSegment(site: Site): Promise<string> {
  const primary = await site.server('primary');
  const [segment] = await query<{ name: string }>(primary, SWITCH);
  return segment?.name ?? '';
}

const SWITCH = 'select pg_walfile_name(pg_switch_wal()) as name';
