import { etcdLeader } from '../observe.ts';
import { etcdName } from '../services.ts';
import type { Fault } from './fault.ts';
import type { Site } from './site.ts';

const SILENT_S = 15;

/** Faults of etcd. */
export const ETCD_FAULTS = {
  'kill-etcd': {
    async inject(site) {
      const name = await leaderOf(site);
      await site.runner.end(etcdName(name), 'SIGKILL');
      return { told: `Killed etcd of ${name}, the leader.` };
    },
    holdMs: 6000,
    bound: { failingMs: 0 },
  },
  'pause-etcd': {
    async inject(site, seconds) {
      const name = await leaderOf(site);
      site.pause(() => site.serviceOf(etcdName(name)), seconds);
      return { told: `Paused etcd of ${name}, the leader, for ${seconds} s.` };
    },
    seconds: SILENT_S,
    holdMs: (SILENT_S + 1) * 1000,
    bound: { failingMs: 0 },
  },
  'kill-etcd-majority': {
    async inject(site) {
      const names = site.plan.layout.databases.slice(1).map(({ name }) => name);
      for (const name of names) await site.runner.end(etcdName(name), 'SIGKILL');
      return { told: `Killed etcd of ${names.join(' and ')}.` };
    },
    holdMs: 15_000,
    bound: { failingMs: 20_000, isLasting: true, primary: 'stays or is replaced' },
  },
} satisfies Record<string, Fault>;

async function leaderOf({ plan }: Site): Promise<string> {
  const leader = await etcdLeader(plan);
  if (!leader) throw new Error('etcd has no leader at the moment.');
  return leader.name;
}
