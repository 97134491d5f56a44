import type { Answer, FaultRun, RequestKind, RunRecord } from '../record.ts';
import { boundOf } from '../run/kinds.ts';

/** What faults did to requests. */

/** Charged answers that follow so soon show no pause: the machine may be busy. */
const NO_PAUSE_MS = 1000;

/** Whether a request was answered neither as asked for nor with a refusal. */
export function hasFailed({ status }: Answer): boolean {
  return status === null || status >= 500;
}

/** The moment from which the bound of a fault counts: of a lasting one, its healing. */
export function originOf({ name, begun, healing }: FaultRun): number {
  return boundOf(name).isLasting ? healing : begun;
}

/**
 * Milliseconds from a fault (from its healing, where it lasts until then) to the last request that
 * failed because of it, or to the end of the longest pause of charged answers; 0 when neither was.
 */
export function recoveryOf(record: RunRecord, fault: FaultRun): number {
  const origin = originOf(fault);
  const pause = longestPause(successes(record, 'read'), origin, nextFault(record, fault));
  // Nothing fails in a later one, so that it is of the machine and not of the fault.
  const isItsOwn = pause.begun <= origin + boundOf(fault.name).failingMs;
  const paused = isItsOwn && lengthOf(pause) > NO_PAUSE_MS ? pause.end - origin : 0;
  return Math.max(paused, lastFailureOf(record, fault, 'read'));
}

/** Milliseconds from the same moment to the last request of a kind that failed; 0 without any. */
export function lastFailureOf(record: RunRecord, fault: FaultRun, kind: RequestKind): number {
  const origin = originOf(fault);
  return failuresOf(record, fault, kind).reduce((last, { sent }) => {
    return Math.max(last, sent - origin);
  }, 0);
}

/**
 * The requests of a kind that failed because of a fault: they were sent after it, and over before
 * the next one. Of those that wait while that comes, nobody knows which of the two is to blame.
 */
export function failuresOf(
  record: RunRecord,
  fault: FaultRun,
  kind: RequestKind = 'read',
): Answer[] {
  const next = nextFault(record, fault);
  return record.answers.filter((answer) => {
    const isItsOwn = answer.sent >= fault.begun && answer.received < next;
    return answer.kind === kind && hasFailed(answer) && isItsOwn;
  });
}

/** The answers of all kinds between a fault and the next. */
export function answersDuring(record: RunRecord, fault: FaultRun): Answer[] {
  const next = nextFault(record, fault);
  return record.answers.filter(({ sent, received }) => sent >= fault.begun && received < next);
}

/**
 * The longest time without a success of a kind between two moments, in milliseconds. It begins with
 * a request of that kind, because some pages are not requested for seconds.
 */
export function pauseOf(record: RunRecord, kind: RequestKind, begin: number, end: number): number {
  const requests = record.answers
    .filter((answer) => answer.kind === kind)
    .sort((a, b) => a.sent - b.sent);
  const pauses = pausesBetween(successes(record, kind), begin, end).map((pause) => {
    const waiting = requests.find(({ received }) => received > pause.begun);
    return pause.end - Math.max(pause.begun, Math.min(waiting?.sent ?? pause.end, pause.end));
  });
  return Math.max(...pauses);
}

/** The moments at which answers with status 200 came, in order. */
function successes({ answers }: RunRecord, kind: RequestKind): number[] {
  const good = answers.filter((answer) => answer.kind === kind && answer.status === 200);
  return good.map(({ received }) => received).sort((a, b) => a - b);
}

/** When the next fault begins, or the run ends. */
function nextFault({ faults, ended }: RunRecord, fault: FaultRun): number {
  const later = faults.filter(({ begun }) => begun > fault.begun).map(({ begun }) => begun);
  return Math.min(ended, ...later);
}

interface Pause {
  readonly begun: number;
  readonly end: number;
}

/** The longest time without one of the moments, between a begin and an end. */
function longestPause(moments: readonly number[], begin: number, end: number): Pause {
  const pauses = pausesBetween(moments, begin, end);
  return pauses.reduce((longest, pause) => (lengthOf(pause) > lengthOf(longest) ? pause : longest));
}

/** The times between the moments, from a begin to an end. */
function pausesBetween(moments: readonly number[], begin: number, end: number): Pause[] {
  const within = moments.filter((moment) => moment > begin && moment < end);
  const edges = [begin, ...within, end];
  return within.concat(end).map((moment, at) => ({ begun: edges[at] ?? begin, end: moment }));
}

function lengthOf({ begun, end }: Pause): number {
  return end - begun;
}
