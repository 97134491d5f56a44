import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LINKS } from '../links.ts';
import { type Postgres, until } from '../observe.ts';
import { dataFolder, patroniName } from '../services.ts';
import type { Fault } from './fault.ts';
import { connected, query, type Site } from './site.ts';

/** Commits wait until Patroni has removed a standby from the list of required ones. */
const UNLISTED_MS = 10_000;

/** The primary gives up on a standby that is silent for 10 s (wal_sender_timeout). */
const SILENT_MS = 20_000;
const SILENT_S = 15;

/** Longer than the validity of a primary's lock. */
const CUT_S = 30;

/** How long waiting commits are cancelled, and the interval between attempts, in milliseconds. */
const CANCELLING_MS = 4000;
const CANCEL_MS = 50;

/** Faults of standbys, and of the connections to them. */
export const STANDBY_FAULTS = {
  'stop-standby': {
    async inject(site) {
      const { name } = await site.server('sync standby');
      await site.runner.end(patroniName(name), 'SIGTERM');
      return { told: `Stopped ${name}, a standby.` };
    },
    holdMs: 6000,
    bound: { failingMs: UNLISTED_MS },
  },
  'kill-standby': {
    async inject(site) {
      const { name } = await site.server('sync standby');
      await site.killDatabase(name);
      return { told: `Killed Patroni and PostgreSQL of ${name}, a standby.` };
    },
    holdMs: 6000,
    bound: { failingMs: UNLISTED_MS },
  },
  'kill-standbys': {
    async inject(site) {
      const names = (await site.servers('sync standby')).map(({ name }) => name);
      for (const name of names) await site.killDatabase(name);
      return { told: `Killed Patroni and PostgreSQL of ${names.join(' and ')}, the standbys.` };
    },
    holdMs: 8000,
    bound: { failingMs: UNLISTED_MS, isLasting: true },
  },
  'pause-standby': {
    async inject(site, seconds) {
      const { name } = await site.server('sync standby');
      site.pause(() => site.machineOf(name), seconds);
      return { told: `Paused the machine of ${name}, a standby, for ${seconds} s.` };
    },
    seconds: SILENT_S,
    holdMs: (SILENT_S + 1) * 1000,
    bound: { failingMs: SILENT_MS },
  },
  'delete-data': {
    async inject(site) {
      const { name } = await site.server('sync standby');
      deleteData(site, name);
      return {
        told: `Deleted the data of ${name}, a standby that runs.`,
        heal: () => reinitialize(site, name),
      };
    },
    holdMs: 20_000,
    bound: { failingMs: UNLISTED_MS },
  },
  'lose-disk': {
    async inject(site) {
      const { name } = await site.server('primary');
      await site.killDatabase(name);
      deleteData(site, name);
      return { told: `Killed ${name}, the primary, and deleted its data.` };
    },
    holdMs: 24_000,
    bound: { failingMs: 30_000, primary: 'replaced' },
  },
  'pause-walreceivers': {
    async inject(site, seconds) {
      const receivers = await receiversOf(site);
      site.pause(() => receivers, seconds);
      return { told: `Paused ${receivers.length} walreceivers for ${seconds} s.` };
    },
    seconds: SILENT_S,
    holdMs: (SILENT_S + 1) * 1000,
    bound: { failingMs: SILENT_MS },
  },
  'cut-databases': {
    async inject(site, seconds) {
      site.pause(() => site.serviceOf(LINKS), seconds);
      return { told: `Cut the database machines off from each other for ${seconds} s.` };
    },
    seconds: CUT_S,
    holdMs: (CUT_S + 1) * 1000,
    bound: { failingMs: 20_000, isLasting: true, primary: 'stays or is replaced' },
  },
  'terminate-walsenders': {
    async inject(site) {
      const primary = await site.server('primary');
      const ended = await query(primary, TERMINATE_SENDERS);
      return { told: `Terminated ${ended.length} walsenders of ${primary.name}.` };
    },
    holdMs: 5000,
    bound: { failingMs: 5000 },
  },
  // PostgreSQL then acknowledges commits that no standby has.
  'cancel-commits': {
    async inject(site) {
      const primary = await site.server('primary');
      const receivers = await receiversOf(site);
      site.pause(() => receivers, CANCELLING_MS / 1000);
      const cancelled = await cancelCommits(primary, performance.now() + CANCELLING_MS);
      return { told: `Cancelled ${cancelled} commits that waited for standbys.` };
    },
    holdMs: 3000,
    bound: { failingMs: UNLISTED_MS },
  },
} satisfies Record<string, Fault>;

const TERMINATE_SENDERS = 'select pg_terminate_backend(pid) from pg_stat_replication';
const CANCEL_COMMITS = `
  select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
const RECEIVER = 'select pid from pg_stat_wal_receiver where pid is not null';

/**
 * Makes Patroni copy the data of a standby again, like `patronictl reinit`, unless it is already
 * doing so.
 */
async function reinitialize(site: Site, name: string): Promise<void> {
  await until(`${name} is copied again`, async () => {
    if ((await site.servers('sync standby')).some((one) => one.name === name)) return true;
    return (await site.tellPatroni(name, 'reinitialize', {})) === undefined;
  });
}

/** Until a moment, cancels all commits that wait for standbys; returns their number. */
function cancelCommits(primary: Postgres, deadline: number): Promise<number> {
  return connected(primary, async (client) => {
    let cancelled = 0;
    for (; performance.now() < deadline; await sleep(CANCEL_MS)) {
      cancelled += (await client.query(CANCEL_COMMITS)).rows.length;
    }
    return cancelled;
  });
}

async function receiversOf(site: Site): Promise<number[]> {
  const standbys = await site.servers('sync standby');
  const rows = await Promise.all(standbys.map((one) => query<{ pid: number }>(one, RECEIVER)));
  return rows.flat().map(({ pid }) => pid);
}

function deleteData(site: Site, name: string): void {
  rmSync(dataFolder(site.plan, site.machine(name)), { recursive: true, force: true });
}
