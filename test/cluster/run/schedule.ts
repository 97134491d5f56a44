/** What happens to a cluster during a run. */

/** A fault, and what is waited for around it, in milliseconds. */
export interface ScheduledFault {
  readonly name: string;
  /** The seconds of a pause, or those by which a clock is ahead. */
  readonly amount?: number;
  /** From its cause until it is healed. */
  readonly holdMs: number;
}

/** Between the healing of a fault and the next: long enough to see that all nodes agree. */
export const SETTLE_MS = 7000;

/** Every kind once, as briefly as each allows. */
const SHORT: readonly ScheduledFault[] = [
  { name: 'kill-postmaster', holdMs: 10_000 },
  { name: 'kill-node', holdMs: 5000 },
  { name: 'kill-etcd-leader', holdMs: 6000 },
  { name: 'kill-standby', holdMs: 10_000 },
  { name: 'cut-proxy', holdMs: 4000 },
  { name: 'node-clock', amount: 90, holdMs: 5000 },
  { name: 'pause-primary', amount: 15, holdMs: 16_000 },
  { name: 'rolling-deploy', holdMs: 1000 },
  { name: 'kill-patroni', holdMs: 20_000 },
];

/** In the long form a primary is paused for longer than its lock is valid. */
const LONG_PAUSE_S = 40;
const MINUTE_MS = 60_000;

/** When the next fault begins, in milliseconds after the one before it; 0: when that is over. */
export interface Schedule {
  readonly faults: readonly ScheduledFault[];
  readonly everyMs: number;
  /** How often a publication begins, in milliseconds. */
  readonly publishMs: number;
}

/** The short schedule without `minutes`; else one of the faults each minute, in turn. */
export function scheduleOf(minutes: number | undefined): Schedule {
  if (minutes === undefined) return { faults: SHORT, everyMs: 0, publishMs: 6000 };
  const faults = Array.from({ length: minutes }, (_, at) => longForm(SHORT[at % SHORT.length]));
  return {
    faults: faults.filter((fault) => fault !== undefined),
    everyMs: MINUTE_MS,
    publishMs: 30_000,
  };
}

function longForm(fault: ScheduledFault | undefined): ScheduledFault | undefined {
  if (fault?.name !== 'pause-primary') return fault;
  return { ...fault, amount: LONG_PAUSE_S, holdMs: (LONG_PAUSE_S + 1) * 1000 };
}
