import type { Answer, FaultRun, RunRecord } from '../record.ts';

/** What is promised of answers while something fails. */

/** How soon charging is back, in milliseconds after a fault; these need another primary or standby. */
const RECOVERY_MS: Readonly<Record<string, number>> = {
  'kill-postmaster': 10_000,
  'kill-patroni': 30_000,
  'pause-primary': 30_000,
  'kill-standby': 10_000,
  'cut-proxy': 10_000,
};

/** What lasts until it is healed: charging can only be back after that. */
const LASTING = new Set(['cut-proxy']);

/** Charged answers that follow so soon show no pause: the machine may be busy. */
const NO_PAUSE_MS = 1000;

/** How long nothing may be answered that needs no database, or with a database that is whole. */
const PAUSE_MS = 5000;

/** Whoever cannot be answered is told to come back: 503 with `Retry-After`. */
export function failuresAskToRetry({ answers }: RunRecord): string[] {
  const wrong = answers.filter(({ status, hasRetryAfter }) => {
    return status !== null && status >= 500 && !(status === 503 && hasRetryAfter);
  });
  return byKind(
    wrong,
    ({ status }) => `a ${status}${status === 503 ? ' without Retry-After' : ''}`,
  );
}

/** Nothing is refused that is right: every other answer is a 200, a 429 or, of a key, a 401. */
export function nothingElseIsAnswered({ answers }: RunRecord): string[] {
  const expected = [200, 201, 401, 429];
  const wrong = answers.filter(({ status }) => {
    return status !== null && status < 500 && !expected.includes(status);
  });
  return byKind(wrong, ({ status }) => `a ${status}`);
}

/** Charging is back soon after each fault that needs another primary, and does not fail again. */
export function chargingComesBack(record: RunRecord): string[] {
  return record.faults.flatMap((fault) => {
    const limit = RECOVERY_MS[fault.name];
    const took = recoveryOf(record, fault);
    if (limit === undefined || took <= limit) return [];
    return [
      `after ${fault.name} (${fault.told}) charges failed for ${seconds(took)}, ` +
        `more than ${seconds(limit)}`,
    ];
  });
}

/**
 * Charged reads go on while a node, etcd or a clock fails, and during a deploy: none of these needs
 * another primary.
 */
export function chargedReadsGoOn(record: RunRecord): string[] {
  return record.faults.flatMap((fault) => {
    if (fault.name in RECOVERY_MS) return [];
    const pause = lengthOf(longestPause(successes(record, 'read'), fault.begun, fault.healed));
    return pause <= PAUSE_MS
      ? []
      : [`no charged answer came for ${seconds(pause)} of ${fault.name}`];
  });
}

/** What needs no database is answered all the time: the documentation, and whether a node lives. */
export function openPagesGoOn(record: RunRecord): string[] {
  const pause = lengthOf(longestPause(successes(record, 'open'), record.begun, record.ended));
  return pause <= PAUSE_MS ? [] : [`no page without a database was answered for ${seconds(pause)}`];
}

/** What neither another primary nor a lost machine is in the way of: no request may fail. */
const HARMLESS = new Set(['kill-etcd-leader', 'rolling-deploy', 'node-clock']);

/** etcd may lose a member, and nodes may be restarted one by one, without a failing request. */
export function harmlessFaultsFailNothing(record: RunRecord): string[] {
  return record.faults.flatMap((fault) => {
    const failed = HARMLESS.has(fault.name) ? failuresOf(record, fault) : [];
    const kinds = byKind(failed, ({ status }) => (status === null ? 'no answer' : `a ${status}`));
    return kinds.map((kind) => `${kind}, after ${fault.name}`);
  });
}

/**
 * Milliseconds from a fault (from its healing, where it lasts until then) to the last request that
 * failed because of it, or to the end of the longest pause of charged answers; 0 when neither was.
 */
export function recoveryOf(record: RunRecord, fault: FaultRun): number {
  const origin = LASTING.has(fault.name) ? fault.healing : fault.begun;
  const failed = failuresOf(record, fault).map(({ sent }) => sent - origin);
  const pause = longestPause(successes(record, 'read'), origin, nextFault(record, fault));
  const paused = lengthOf(pause) > NO_PAUSE_MS ? pause.end - origin : 0;
  return failed.reduce((longest, one) => Math.max(longest, one), paused);
}

/**
 * The reads that failed because of a fault: they were sent after it, and over before the next one.
 * Of those that wait while the next one comes, nobody knows which of the two is to blame.
 */
export function failuresOf(record: RunRecord, fault: FaultRun): Answer[] {
  const next = nextFault(record, fault);
  return record.answers.filter(({ kind, status, sent, received }) => {
    const hasFailed = status === null || status >= 500;
    return kind === 'read' && hasFailed && sent >= fault.begun && received < next;
  });
}

/** The moments at which answers with status 200 came, in order. */
function successes({ answers }: RunRecord, kind: Answer['kind']): number[] {
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
  const within = moments.filter((moment) => moment > begin && moment < end);
  let longest = { begun: begin, end: begin };
  let last = begin;
  for (const moment of [...within, end]) {
    if (moment - last > longest.end - longest.begun) longest = { begun: last, end: moment };
    last = moment;
  }
  return longest;
}

function lengthOf({ begun, end }: Pause): number {
  return end - begun;
}

/** One sentence for all answers that went wrong in the same way, with how many there are. */
function byKind(wrong: readonly Answer[], kindOf: (answer: Answer) => string): string[] {
  const groups = Map.groupBy(wrong, (answer) => `${kindOf(answer)} of ${answer.endpoint}`);
  return [...groups].map(([kind, answers]) => {
    const [first] = answers;
    return `${answers.length} × ${kind}, the first is ${first?.id} of ${first?.node ?? 'a node'}`;
  });
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
