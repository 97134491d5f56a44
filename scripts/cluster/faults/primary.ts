import { until } from '../observe.ts';
import { signal } from '../processes.ts';
import { etcdName, patroniName } from '../services.ts';
import type { Fault } from './fault.ts';
import { query, type Site } from './site.ts';

/** Patroni checks every 2 s, and the proxies stop using the former primary within 1.5 s. */
const CRASH_MS = 10_000;

/** The lock of a silent primary stays valid for 20 s. */
const LOCK_MS = 30_000;

/** Longer than the validity of its lock: when it wakes up, another server is the primary. */
const HUNG_S = 30;

/**
 * Applies after a machine was killed. It returns once its lock has expired: earlier, it could take
 * the lock again.
 */
const HOLD_MS = 24_000;

/** Faults of the primary. */
export const PRIMARY_FAULTS = {
  'kill-postmaster': {
    async inject(site) {
      return { told: `Killed the postmaster of ${await killPostmaster(site)}, the primary.` };
    },
    holdMs: 10_000,
    bound: { failingMs: CRASH_MS, primary: 'replaced' },
  },
  'kill-primaries': {
    async inject(site) {
      const first = await killPostmaster(site);
      await until('there is another primary', async () => {
        return (await site.servers('primary')).some(({ name }) => name !== first);
      });
      return { told: `Killed the postmasters of ${first} and ${await killPostmaster(site)}.` };
    },
    holdMs: 15_000,
    bound: { failingMs: 3 * CRASH_MS, primary: 'stays or is replaced' },
  },
  'kill-patroni': {
    async inject(site) {
      const { name } = await site.server('primary');
      await site.runner.end(patroniName(name), 'SIGKILL');
      return { told: `Killed Patroni of ${name}, the primary, whose PostgreSQL goes on.` };
    },
    holdMs: HOLD_MS,
    bound: { failingMs: LOCK_MS, primary: 'replaced' },
  },
  'kill-primary': {
    async inject(site) {
      const { name } = await site.server('primary');
      await site.killDatabase(name);
      await site.runner.end(etcdName(name), 'SIGKILL');
      return { told: `Killed PostgreSQL, Patroni and etcd of ${name}, the primary.` };
    },
    holdMs: HOLD_MS,
    bound: { failingMs: LOCK_MS, primary: 'replaced' },
  },
  'pause-postgres': {
    async inject(site, seconds) {
      const { name } = await site.server('primary');
      site.pause(() => site.postgresOf(name), seconds);
      return { told: `Paused PostgreSQL of ${name}, the primary, for ${seconds} s.` };
    },
    seconds: HUNG_S,
    holdMs: (HUNG_S + 1) * 1000,
    bound: { failingMs: LOCK_MS, primary: 'replaced' },
  },
  'pause-patroni': {
    async inject(site, seconds) {
      const { name } = await site.server('primary');
      site.pause(() => except(site.databaseOf(name), site.postgresOf(name)), seconds);
      return { told: `Paused Patroni of ${name}, the primary, for ${seconds} s.` };
    },
    seconds: HUNG_S,
    holdMs: (HUNG_S + 1) * 1000,
    bound: { failingMs: LOCK_MS, primary: 'replaced' },
  },
  'pause-primary': {
    async inject(site, seconds) {
      const { name } = await site.server('primary');
      site.pause(() => site.machineOf(name), seconds);
      return { told: `Paused the machine of ${name}, the primary, for ${seconds} s.` };
    },
    seconds: HUNG_S,
    holdMs: (HUNG_S + 1) * 1000,
    bound: { failingMs: LOCK_MS, primary: 'replaced' },
  },
  switchover: {
    async inject(site) {
      const { name } = await site.server('primary');
      const refusal = await site.tellPatroni(name, 'switchover', { leader: name });
      if (refusal !== undefined) throw new Error(`No switchover: ${refusal}`);
      return { told: `Had ${name}, the primary, hand over.` };
    },
    holdMs: 8000,
    bound: { failingMs: CRASH_MS, primary: 'replaced' },
  },
  'kill-backend': {
    async inject(site) {
      const primary = await site.server('primary');
      const [backend] = await query<{ pid: number }>(primary, SOME_BACKEND);
      if (!backend) throw new Error('Nobody is connected.');
      signal([backend.pid], 'SIGKILL');
      return { told: `Killed a backend of ${primary.name}, the primary, which ends all others.` };
    },
    holdMs: 8000,
    bound: { failingMs: CRASH_MS, primary: 'stays or is replaced' },
  },
} satisfies Record<string, Fault>;

const SOME_BACKEND = `select pid from pg_stat_activity where usename = 'cardprice' limit 1`;

async function killPostmaster(site: Site): Promise<string> {
  const { name, pid } = await site.server('primary');
  if (pid !== undefined) signal([pid], 'SIGKILL');
  return name;
}

function except(all: readonly number[], others: readonly number[]): number[] {
  return all.filter((one) => !others.includes(one));
}
