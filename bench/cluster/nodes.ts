import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import autocannon from 'autocannon';
import type { Cluster } from '../../scripts/cluster/cluster.ts';

/** Clock ticks of /proc a second. */
const TICKS = 100;
const CONNECTIONS = 32;

/** How fast some nodes answered, and the processor time of a request by who spent it. */
export interface NodesRate {
  readonly nodes: number;
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Microseconds a request. */
  readonly cpu: { readonly nodes: number; readonly proxies: number; readonly databases: number };
}

/** Asks for a card with each key in turn, through the proxy in front. All must be 200. */
export async function measureNodes(
  cluster: Cluster,
  folder: string,
  { keys, path, seconds }: { keys: readonly string[]; path: string; seconds: number },
): Promise<NodesRate> {
  const requests = keys.map((key) => ({ path, headers: { 'x-api-key': key } }));
  const before = processorTimes(folder);
  const result = await autocannon({
    url: cluster.url,
    connections: CONNECTIONS,
    duration: seconds,
    requests,
  });
  if (result.non2xx + result.errors > 0) {
    throw new Error(`${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
  }
  const after = processorTimes(folder);
  const each = (who: Who) => {
    return Math.round(((after[who] - before[who]) * 1e6) / result['2xx']);
  };
  return {
    nodes: cluster.nodes().length,
    perSecond: Math.round(result['2xx'] / result.duration),
    p99Ms: result.latency.p99,
    cpu: { nodes: each('nodes'), proxies: each('proxies'), databases: each('databases') },
  };
}

type Who = keyof NodesRate['cpu'];

/** Seconds of processor time so far of all that works below a folder. */
function processorTimes(folder: string): Record<Who, number> {
  const times = { nodes: 0, proxies: 0, databases: 0 };
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [, service = ''] = workingFolder(pid).split(`${folder}/run/`);
    const who = service.startsWith('node') ? 'nodes' : undefined;
    const other = service.startsWith('haproxy') ? 'proxies' : 'databases';
    if (service !== '') times[who ?? other] += secondsOf(pid);
  }
  return times;
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function secondsOf(pid: string): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // Of itself, and of children that have ended: PostgreSQL has a process for each connection.
    return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / TICKS;
  } catch {
    return 0;
  }
}
