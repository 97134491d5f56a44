import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Command } from '../services.ts';
import type { Fault } from './fault.ts';
import type { Site } from './site.ts';

/** Faults of nodes and of the proxies around them. */

const BRIEF_S = 8;
const BRIEF_HOLD_MS = (BRIEF_S + 1) * 1000;

export const NODE_FAULTS = {
  'kill-node': {
    async inject(site) {
      const name = site.someNode();
      await killNode(site, name);
      return { told: `Killed ${name}.` };
    },
    holdMs: 5000,
    // The proxy in front checks every 500 ms, and stops using a node after two refusals.
    bound: { failingMs: 3000, breaks: 'node' },
  },
  'kill-nodes': {
    async inject(site) {
      const names = site.nodeNames();
      await Promise.all(names.map((name) => killNode(site, name)));
      return { told: `Killed all ${names.length} nodes.` };
    },
    holdMs: 4000,
    bound: { failingMs: 15_000, isLasting: true, breaks: 'all' },
  },
  'pause-node': {
    async inject(site, seconds) {
      const name = site.someNode();
      site.pause(() => [name, proxyOf(name)].flatMap((one) => site.serviceOf(one)), seconds);
      return { told: `Paused ${name} for ${seconds} s.` };
    },
    seconds: BRIEF_S,
    holdMs: BRIEF_HOLD_MS,
    // Three checks without an answer: 2.7 s.
    bound: { failingMs: 3000, breaks: 'node' },
  },
  deploy: {
    async inject(site) {
      const names = site.nodeNames();
      for (const name of names) await site.restartNode(name);
      return { told: `Restarted ${names.length} nodes, one after the other.` };
    },
    holdMs: 1000,
    bound: { failingMs: 0 },
  },
  upgrade: {
    async inject(site) {
      const { nextVersion: version } = site.plan;
      await migrate(version, site.database);
      const names = site.nodeNames();
      for (const name of names) await site.restartNode(name, { version });
      for (const name of names) await site.restartNode(name);
      return { told: `Migrated the database, upgraded ${names.length} nodes, and went back.` };
    },
    holdMs: 2000,
    bound: { failingMs: 0 },
  },
  'kill-front': {
    async inject(site) {
      await site.runner.end('haproxy-front', 'SIGKILL');
      return { told: 'Killed the proxy in front.' };
    },
    holdMs: 3000,
    bound: { failingMs: 3000, isLasting: true, breaks: 'all' },
  },
  'pause-front': {
    async inject(site, seconds) {
      site.pause(() => site.serviceOf('haproxy-front'), seconds);
      return { told: `Paused the proxy in front for ${seconds} s.` };
    },
    seconds: BRIEF_S,
    holdMs: BRIEF_HOLD_MS,
    bound: { failingMs: 3000, isLasting: true, breaks: 'all' },
  },
  'kill-proxy': {
    async inject(site) {
      await site.runner.end('haproxy-database', 'SIGKILL');
      return { told: 'Killed the proxy of the databases.' };
    },
    holdMs: 4000,
    bound: { failingMs: 5000, isLasting: true },
  },
  'pause-proxy': {
    async inject(site, seconds) {
      site.pause(() => site.serviceOf('haproxy-database'), seconds);
      return { told: `Paused the proxy of the databases for ${seconds} s.` };
    },
    seconds: BRIEF_S,
    holdMs: BRIEF_HOLD_MS,
    bound: { failingMs: 5000, isLasting: true },
  },
  'cut-proxy': {
    async inject(site) {
      const servers = ['primary', 'replicas'].flatMap((listen) => {
        return site.plan.layout.databases.map(({ name }) => `${listen}/${name}`);
      });
      for (const name of servers) {
        await site.tellProxy(`disable server ${name}`);
        await site.tellProxy(`shutdown sessions server ${name}`);
      }
      return {
        told: 'Cut the nodes off from all databases, at the proxy.',
        heal: async () => {
          for (const name of servers) await site.tellProxy(`enable server ${name}`);
        },
      };
    },
    holdMs: 4000,
    bound: { failingMs: 10_000, isLasting: true },
  },
} satisfies Record<string, Fault>;

/** The proxy that terminates TLS from the proxy in front, on the machine of a node. */
function proxyOf(node: string): string {
  return `haproxy-${node}`;
}

async function killNode({ runner }: Site, name: string): Promise<void> {
  await runner.end(proxyOf(name), 'SIGKILL');
  await runner.end(name, 'SIGKILL');
}

/** Migrates a database to the schema of a version. */
async function migrate([program, ...args]: Command, database: string): Promise<void> {
  await promisify(execFile)(program, [...args, '--database', database, 'migrate']);
}
