import { slowness } from '../../support/pace.ts';
import { KINDS, type Kind } from './kinds.ts';

/** What happens to a cluster during a run. */

/** A fault, and how long it lasts until it is healed. */
export interface ScheduledFault {
  readonly name: Kind;
  /** The seconds of a pause, or those by which a clock is ahead; without it, the fault's own. */
  readonly seconds?: number;
  readonly holdMs: number;
}

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

/** Before the first fault, in which everything has to be as it should. */
const LEAD_MS = 5000;

/** Between the healing of a fault and the next: long enough to see that all nodes agree. */
const SETTLE_MS = 6000;

const MINUTE_MS = 60_000;

/** A clock a day and 90 s ahead: anything that uses it counts on another day. */
const AHEAD_S = 90 + 86_400;

/** With its start and its end, the short form takes at most seven minutes. */
const SHORT_MS = 330_000;

/** How long a fault may take, with its healing. */
const LONGEST_FAULT_MS = 3 * MINUTE_MS;

/** What runs with every change: one of each sort, as briefly as it allows. */
const SHORT: readonly ScheduledFault[] = [
  scheduled('kill-postmaster'),
  scheduled('kill-node'),
  scheduled('pause-node'),
  scheduled('kill-etcd'),
  scheduled('kill-standby'),
  scheduled('pause-standby'),
  scheduled('cut-proxy'),
  { ...scheduled('clock-node'), seconds: AHEAD_S },
  { ...scheduled('pause-postgres'), seconds: 25, holdMs: 26_000 },
  scheduled('deploy'),
  scheduled('kill-primary'),
];

/**
 * What three nodes, three databases and this program answer on two cores that they share, at the
 * pace of the machine of docs/performance.md.
 */
const RATE = 100;

/** Enough to see what a fault does, on a machine that also does something else. */
const SLOW_RATE = 40;

/** A machine that is slower now gets as much less of it: faults are judged, not its speed. */
function rateNow(): number {
  return Math.max(SLOW_RATE, Math.round(RATE / slowness()));
}

export const SHORT_SCHEDULE: Schedule = {
  rate: rateNow(),
  faults: SHORT,
  leadMs: LEAD_MS,
  settleMs: SETTLE_MS,
  everyMs: 0,
  longestMs: SHORT_MS,
  publishMs: 6000,
};

/** One of the faults of the short form each minute, in turn. */
export function scheduleOfMinutes(minutes: number): Schedule {
  const faults = Array.from({ length: minutes }, (_, at) => SHORT[at % SHORT.length]);
  return {
    ...SHORT_SCHEDULE,
    faults: faults.filter((fault) => fault !== undefined),
    everyMs: MINUTE_MS,
    longestMs: (minutes + 1) * MINUTE_MS,
    publishMs: 30_000,
  };
}

/** Each kind so many times, one after the other. */
export function scheduleOfKinds(kinds: readonly Kind[], runs: number): Schedule {
  const faults = kinds.flatMap((kind) => Array.from({ length: runs }, () => scheduled(kind)));
  return {
    ...SHORT_SCHEDULE,
    rate: SLOW_RATE,
    faults,
    longestMs: faults.length * LONGEST_FAULT_MS,
    publishMs: 30_000,
  };
}

function scheduled(name: Kind): ScheduledFault {
  return { name, holdMs: KINDS[name].holdMs };
}
