import pg from 'pg';
import type { Fault } from './fault.ts';
import { query } from './site.ts';

/** Faults caused by other clients of the database, or by its administrator. */

const LOCKED_S = 30;

export const CLIENT_FAULTS = {
  'terminate-clients': {
    async inject(site) {
      const primary = await site.server('primary');
      const ended = await query(primary, TERMINATE_CLIENTS);
      return { told: `Terminated ${ended.length} connections of Cardprice.` };
    },
    holdMs: 4000,
    bound: { failingMs: 3000 },
  },
  'lock-table': {
    async inject({ database }) {
      const client = await connect(database);
      await client.query('begin; lock table usage in access exclusive mode');
      return { told: 'Locked the table of usage.', heal: () => client.end() };
    },
    holdMs: LOCKED_S * 1000,
    bound: { failingMs: 3000, isLasting: true },
  },
  'fill-connections': {
    async inject({ database }) {
      const clients: pg.Client[] = [];
      for (let next = await tryToConnect(database); next; ) {
        clients.push(next);
        next = await tryToConnect(database);
      }
      return {
        told: `Took the last ${clients.length} connections of the primary.`,
        heal: async () => void (await Promise.all(clients.map((client) => client.end()))),
      };
    },
    holdMs: 15_000,
    bound: { failingMs: 0 },
  },
} satisfies Record<string, Fault>;

const TERMINATE_CLIENTS = `
  select pg_terminate_backend(pid) from pg_stat_activity where usename = 'cardprice'`;

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** A connection; none if there are too many. */
function tryToConnect(database: string): Promise<pg.Client | undefined> {
  return connect(database).catch((error) => {
    // too_many_connections
    if (error.code === '53300') return undefined;
    throw error;
  });
}
