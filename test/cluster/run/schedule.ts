import type { FaultName } from '../../../scripts/cluster/faults.ts';

/** What happens to a cluster during a run. */

/** A fault, and the waits around it in milliseconds. */
export interface ScheduledFault {
  readonly name: FaultName;
  /** The seconds of a pause, or those by which a clock is ahead. */
  readonly amount?: number;
  /** From its cause until it is healed. */
  readonly holdMs: number;
}

/** More than the 200 requests a second that a cluster has to answer in a run. */
const RATE = 230;

/** Before the first fault, in which everything has to be as it should. */
const LEAD_MS = 5000;

/** Between the healing of a fault and the next: long enough to see that all nodes agree. */
const SETTLE_MS = 6000;

/** A clock a day and 90 s ahead: anything that uses it counts on another day. */
const AHEAD_S = 90 + 86_400;

/** Every kind once, as briefly as each allows. */
const SHORT: readonly ScheduledFault[] = [
  { name: 'kill-postmaster', holdMs: 10_000 },
  { name: 'kill-node', holdMs: 5000 },
  { name: 'pause-node', amount: 8, holdMs: 9000 },
  { name: 'kill-etcd-leader', holdMs: 6000 },
  { name: 'kill-standby', holdMs: 6000 },
  { name: 'pause-standby', amount: 15, holdMs: 16_000 },
  { name: 'cut-proxy', holdMs: 4000 },
  { name: 'node-clock', amount: AHEAD_S, holdMs: 5000 },
  // Longer than its lock is valid: when it wakes up, another is the primary.
  { name: 'pause-primary', amount: 25, holdMs: 26_000 },
  { name: 'rolling-deploy', holdMs: 1000 },
  // Its machine comes back when its lock is over: before, it could take the lock again.
  { name: 'kill-patroni', holdMs: 22_000 },
];

/** In the long form a primary is paused for twice as long as its lock is valid. */
const LONG_PAUSE_S = 40;
const MINUTE_MS = 60_000;

/** With its start and its end, the short form takes at most seven minutes. */
const SHORT_MS = 330_000;

/** The faults of a run, and its pace in milliseconds. */
export interface Schedule {
  /** Reads a second; a few writes come on top. */
  readonly rate: number;
  readonly faults: readonly ScheduledFault[];
  readonly leadMs: number;
  readonly settleMs: number;
  /** From the begin of a fault to the next, unless that comes before it is over. */
  readonly everyMs: number;
  /** No fault begins after so long. */
  readonly longestMs: number;
  /** From the begin of a publication to the next. */
  readonly publishMs: number;
}

/** The short schedule without `minutes`; else one of the faults each minute, in turn. */
export function scheduleOf(minutes: number | undefined): Schedule {
  const pace = { rate: RATE, leadMs: LEAD_MS, settleMs: SETTLE_MS };
  if (minutes === undefined)
    return { faults: SHORT, ...pace, everyMs: 0, longestMs: SHORT_MS, publishMs: 6000 };
  const turns = Array.from({ length: minutes }, (_, at) => SHORT[at % SHORT.length]);
  const faults = turns.flatMap((fault) => (fault ? longForm(fault) : []));
  return {
    faults,
    ...pace,
    everyMs: MINUTE_MS,
    longestMs: (minutes + 1) * MINUTE_MS,
    publishMs: 30_000,
  };
}

function longForm(fault: ScheduledFault): ScheduledFault {
  if (fault.name !== 'pause-primary') return fault;
  return { ...fault, amount: LONG_PAUSE_S, holdMs: (LONG_PAUSE_S + 1) * 1000 };
}
