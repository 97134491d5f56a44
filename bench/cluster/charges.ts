import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { Authenticator, type Caller } from '../../src/accounts/keys/authenticator.ts';
import { openStore, type Store } from '../../src/store/connect.ts';

/** How long a charge takes, one at a time and when one account wants too many. */

/** When a commit is acknowledged: on a standby's disk too, on the own disk, or before any. */
export const COMMITS = ['on', 'local', 'off'] as const;
type Commit = (typeof COMMITS)[number];

/** Milliseconds, and how many charges there were. */
export interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

/** A hot account's charges. All that were granted are in its row. */
export interface HotAccount extends Latency {
  readonly wantedPerSecond: number;
  readonly grantedPerSecond: number;
  /** Charges granted after the last one was sent. */
  readonly late: number;
}

/** What charges, as a node does. */
export interface Charger {
  readonly store: Store;
  readonly authenticator: Authenticator;
  readonly caller: Caller;
}

/** Charges one request after the other for some seconds. */
export async function chargeInTurn(
  database: string,
  key: string,
  commit: Commit,
  seconds: number,
): Promise<Latency> {
  const { store, authenticator, caller } = await openCharger(database, key, commit);
  const times: number[] = [];
  try {
    for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
      const begun = performance.now();
      await authenticator.charge(caller);
      times.push(performance.now() - begun);
    }
  } finally {
    await store.close();
  }
  return latencyOf(times);
}

/** What a hot account wants of all processes together. */
export interface Heat {
  readonly processes: number;
  readonly perSecond: number;
  readonly seconds: number;
  readonly commit: Commit;
}

/** What one process is to charge. */
export interface HotNode extends Omit<Heat, 'processes'> {
  readonly database: string;
  readonly key: string;
}

/** How long each charge took, in milliseconds, and how many of them while more were sent. */
export interface HotNodeResult {
  readonly times: readonly number[];
  readonly inTime: number;
}

/**
 * Charges one account from several processes at a rate that does not wait for answers.
 *
 * @throws Error if the row does not have exactly what was granted.
 */
export async function chargeHot(database: string, key: string, heat: Heat): Promise<HotAccount> {
  const { processes, perSecond, seconds, commit } = heat;
  const own = { database, key, perSecond: perSecond / processes, seconds, commit };
  const before = await usedOf(database, key);
  const results = await chargeInProcesses(processes, own);
  const times = results.flatMap((result) => result.times);
  const counted = (await usedOf(database, key)) - before;
  if (counted !== times.length) throw new Error(`${times.length} granted, ${counted} counted`);
  const inTime = results.reduce((sum, result) => sum + result.inTime, 0);
  return {
    ...latencyOf(times),
    wantedPerSecond: perSecond,
    grantedPerSecond: Math.round(inTime / seconds),
    late: times.length - inTime,
  };
}

/** Has processes charge at the same time, and resolves when all have ended. */
async function chargeInProcesses(count: number, node: HotNode): Promise<HotNodeResult[]> {
  const program = new URL('hot-node.ts', import.meta.url);
  const children = Array.from({ length: count }, () => fork(program, [JSON.stringify(node)]));
  try {
    await Promise.all(children.map(message));
    const results = children.map((child) => message(child) as Promise<HotNodeResult>);
    for (const child of children) child.send('begin');
    return await Promise.all(results);
  } finally {
    for (const child of children) child.kill();
  }
}

/** The next message of a process. @throws Error if it ends before. */
async function message(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`A process that charges has ended with ${code}.`);
  });
  const [sent] = await Promise.race([once(child, 'message'), ended]);
  return sent;
}

/** How many charges the row of the account of a key has, of today. */
async function usedOf(database: string, key: string): Promise<number> {
  const { store, caller } = await openCharger(database, key, 'on');
  try {
    const { rows } = await sql<{ used: number }>`select sum(used)::int as used from usage
      where account_id = ${caller.accountId}`.execute(store.accounts.db);
    return rows[0]?.used ?? 0;
  } finally {
    await store.close();
  }
}

/** Opens the database as a node does, with commits that are acknowledged in some way. */
export async function openCharger(database: string, key: string, commit: Commit): Promise<Charger> {
  const url = new URL(database);
  url.searchParams.set('options', `-c synchronous_commit=${commit}`);
  const store = await openStore(url.href);
  const authenticator = new Authenticator(store, Date.now);
  const caller = await authenticator.identify(key);
  if (!caller) throw new Error('The key of the measurement does not work.');
  return { store, authenticator, caller };
}

function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => {
    return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 100) / 100;
  };
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}
