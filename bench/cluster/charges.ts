import { setTimeout as sleep } from 'node:timers/promises';
import { Authenticator, type Caller } from '../../src/accounts/authenticator.ts';
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

/** A hot account's charges. */
export interface HotAccount extends Latency {
  readonly wantedPerSecond: number;
  readonly grantedPerSecond: number;
  /** Charges that waited when no more were sent. */
  readonly waiting: number;
}

/** A process that charges, as a node does. */
interface Node {
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
  const node = await openNode(database, key, commit);
  const times: number[] = [];
  try {
    for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
      const begun = performance.now();
      await node.authenticator.charge(node.caller);
      times.push(performance.now() - begun);
    }
  } finally {
    await node.store.close();
  }
  return latencyOf(times);
}

/** What a hot account wants. */
export interface Heat {
  readonly nodes: number;
  readonly perSecond: number;
  readonly seconds: number;
  readonly commit: Commit;
}

const TICK_MS = 5;

/** Charges one account from several nodes at a rate that does not wait for answers. */
export async function chargeHot(database: string, key: string, heat: Heat): Promise<HotAccount> {
  const { perSecond, seconds, commit } = heat;
  const nodes = await Promise.all(
    Array.from({ length: heat.nodes }, () => openNode(database, key, commit)),
  );
  const times: number[] = [];
  const pending = new Set<Promise<void>>();
  const begun = performance.now();
  let sent = 0;
  while (performance.now() - begun < seconds * 1000) {
    const due = ((performance.now() - begun) / 1000) * perSecond;
    for (; sent < due; sent += 1) {
      const node = nodes[sent % nodes.length];
      if (!node) continue;
      const charging = timed(node, times);
      pending.add(charging);
      void charging.finally(() => pending.delete(charging));
    }
    await sleep(TICK_MS);
  }
  const waiting = pending.size;
  const granted = times.length;
  await Promise.all(pending);
  for (const { store } of nodes) await store.close();
  return {
    ...latencyOf(times),
    ...{ wantedPerSecond: perSecond, grantedPerSecond: Math.round(granted / seconds), waiting },
  };
}

async function timed({ authenticator, caller }: Node, times: number[]): Promise<void> {
  const begun = performance.now();
  const { granted } = await authenticator.charge(caller);
  if (granted) times.push(performance.now() - begun);
}

async function openNode(database: string, key: string, commit: Commit): Promise<Node> {
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
