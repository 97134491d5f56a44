import type { Answer, FaultRun, RunRecord } from '../record.ts';
import { boundOf } from '../run/kinds.ts';
import {
  answersDuring,
  failuresOf,
  hasFailed,
  lastFailureOf,
  originOf,
  pauseOf,
  recoveryOf,
} from './faults.ts';

/** Promises about answers during faults. */

/** How long nothing may be answered that needs no database, or with a database that is whole. */
const PAUSE_MS = 5000;

/**
 * How soon after the healing of a fault nothing fails because of it, in milliseconds. The proxies
 * ask each second, and believe the second refusal.
 */
const AFTER_HEALING_MS = 2000;

/** How long anybody may wait beyond the end of a fault, in milliseconds. */
const LONGEST_WAIT_MS = 3000;

/** Restarting what a fault has ended takes no longer: a former primary is rewound, and follows. */
const HEALING_MS = 30_000;

/** Requests that cannot be answered get 503 with `Retry-After`. */
export function failuresAskToRetry({ answers }: RunRecord): string[] {
  const wrong = answers.filter(({ status, hasRetryAfter }) => {
    return status !== null && status >= 500 && !(status === 503 && hasRetryAfter);
  });
  return byKind(wrong, (answer) => {
    return `${outcomeOf(answer)}${answer.status === 503 ? ' without Retry-After' : ''}`;
  });
}

/** Nothing is refused that is right: every other answer is a 200, a 429 or, of a key, a 401. */
export function nothingElseIsAnswered({ answers }: RunRecord): string[] {
  const expected = [200, 201, 401, 429];
  const wrong = answers.filter(({ status }) => {
    return status !== null && status < 500 && !expected.includes(status);
  });
  return byKind(wrong, outcomeOf);
}

/** Nothing fails but while a fault lasts, and shortly after its healing. */
export function nothingFailsByItself({ answers, faults }: RunRecord): string[] {
  const isExplained = ({ sent, received }: Answer) => {
    return faults.some(({ begun, healed }) => {
      return begun <= received && sent <= healed + AFTER_HEALING_MS;
    });
  };
  return byKind(
    answers.filter((answer) => hasFailed(answer) && !isExplained(answer)),
    (answer) => `${outcomeOf(answer)} without a fault`,
  );
}

/** Every request gets an answer, but those over connections that a fault breaks. */
export function everyoneIsAnswered(record: RunRecord): string[] {
  const unanswered = record.answers.filter(({ status }) => status === null);
  return byKind(
    unanswered.filter((answer) => !mayBreak(record, answer)),
    outcomeOf,
  );
}

/** Whether a request may have been with a machine that was lost, or have been led to it. */
function mayBreak({ faults }: RunRecord, { sent, received }: Answer): boolean {
  return faults.some((fault) => {
    const { breaks, failingMs } = boundOf(fault.name);
    return breaks && fault.begun <= received && sent <= originOf(fault) + failingMs;
  });
}

/** Charging is back soon after each fault, and does not fail again. */
export function chargingComesBack(record: RunRecord): string[] {
  return lateFaults(record, 'charges', (fault) => {
    // If other nodes keep answering, there is no outage to recover from: see chargedReadsGoOn.
    const { breaks } = boundOf(fault.name);
    return breaks === 'node' ? lastFailureOf(record, fault, 'read') : recoveryOf(record, fault);
  });
}

/** What operators do succeeds again soon after each fault. */
export function operatorsComeBack(record: RunRecord): string[] {
  return lateFaults(record, 'operators', (fault) => lastFailureOf(record, fault, 'operator'));
}

/** The faults whose failures went on for longer than they may. */
function lateFaults(
  { faults }: RunRecord,
  whose: string,
  recovery: (fault: FaultRun) => number,
): string[] {
  return faults.flatMap((fault) => {
    const { failingMs } = boundOf(fault.name);
    const took = recovery(fault);
    if (failingMs === 0 || took <= failingMs) return [];
    return [
      `after ${fault.name} (${fault.told}) ${whose} failed for ${seconds(took)}, ` +
        `more than ${seconds(failingMs)}`,
    ];
  });
}

/** Where the primary is lost, and only there, another server has become it. */
export function primariesAreReplaced({ faults }: RunRecord): string[] {
  return faults.flatMap(({ name, told, primaries: [before, after] }) => {
    const { primary = 'stays' } = boundOf(name);
    if (primary === 'stays or is replaced') return [];
    if ((before !== after) === (primary === 'replaced')) return [];
    const what = before === after ? `${before} is still` : `${after} and not ${before} is`;
    return [`${what} the primary after ${name} (${told})`];
  });
}

/** Charged reads keep working while a node, etcd or a clock fails, and during a deploy. */
export function chargedReadsGoOn(record: RunRecord): string[] {
  return record.faults.flatMap(({ name, begun, healed }) => {
    const { failingMs, breaks } = boundOf(name);
    if (failingMs > 0 && breaks !== 'node') return [];
    const pause = pauseOf(record, 'read', begun, healed);
    return pause <= PAUSE_MS ? [] : [`no charged answer came for ${seconds(pause)} of ${name}`];
  });
}

/**
 * Requests that need no database are always answered, unless the way to all nodes is lost. Only
 * the requests that a node had are lost with it.
 */
export function openPagesGoOn(record: RunRecord): string[] {
  const pauses = stretchesWithWay(record).map(([from, to]) => pauseOf(record, 'open', from, to));
  const failed = record.answers.filter((answer) => {
    return answer.kind === 'open' && hasFailed(answer) && !mayBreak(record, answer);
  });
  return [
    ...pauses
      .filter((pause) => pause > PAUSE_MS)
      .map((pause) => `no page without a database came for ${seconds(pause)}`),
    ...byKind(failed, outcomeOf),
  ];
}

/** The parts of a run in which clients could reach a node. */
function stretchesWithWay({ begun, ended, faults }: RunRecord): [from: number, to: number][] {
  const cuts = faults.filter(({ name }) => boundOf(name).breaks === 'all');
  const starts = [begun, ...cuts.map(({ healed }) => healed)];
  return starts.map((from, at) => [from, cuts[at]?.begun ?? ended]);
}

/** Nobody waits for longer than 3 s, unless it is for a fault to be over: then 3 s more. */
export function nobodyWaitsLong(record: RunRecord): string[] {
  return record.faults.flatMap((fault) => {
    const over = originOf(fault) + recoveryOf(record, fault);
    const isLate = ({ sent, received }: Answer) => {
      return received > Math.max(sent, over) + LONGEST_WAIT_MS;
    };
    return byKind(
      answersDuring(record, fault).filter(isLate),
      (answer) => `${seconds(answer.received - answer.sent)} of waiting for`,
    ).map((kind) => `${kind}, after ${fault.name}`);
  });
}

/** etcd may lose a member, and nodes may be restarted one by one, without a failing request. */
export function harmlessFaultsFailNothing(record: RunRecord): string[] {
  return record.faults.flatMap((fault) => {
    if (boundOf(fault.name).failingMs > 0) return [];
    const failed = (['read', 'operator'] as const).flatMap((kind) => {
      return failuresOf(record, fault, kind);
    });
    return byKind(failed, outcomeOf).map((kind) => `${kind}, after ${fault.name}`);
  });
}

/** All faults come to pass and are healed, and that in time. */
export function everythingIsHealed({ troubles, faults }: RunRecord): string[] {
  const late = faults.filter(({ healing, healed }) => healed - healing > HEALING_MS);
  return [
    ...troubles,
    ...late.map(({ name, healing, healed }) => {
      const took = seconds(healed - healing);
      return `the healing of ${name} took ${took}, more than ${seconds(HEALING_MS)}`;
    }),
  ];
}

function outcomeOf({ status }: Answer): string {
  return status === null ? 'no answer' : `a ${status}`;
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
