import { writeFileSync } from 'node:fs';
import { answersDuring, failuresOf, recoveryOf } from '../checker/faults.ts';
import { CHECKS } from '../checker/index.ts';
import type { RunRecord } from '../record.ts';

/** The results of a run, for people and for docs/performance.md. */
export interface Report {
  readonly seconds: number;
  readonly requests: number;
  /** Answers a second, over the whole run. */
  readonly perSecond: number;
  /** Answers by status; `unknown` where the connection broke. */
  readonly answers: Readonly<Record<string, number>>;
  readonly publications: { readonly begun: number; readonly acknowledged: number };
  readonly keys: { readonly made: number; readonly revoked: number };
  readonly faults: readonly FaultReport[];
  /** Broken promises, one sentence each. */
  readonly violations: readonly string[];
}

/** What a fault did. */
export interface FaultReport {
  readonly name: string;
  readonly told: string;
  /** Seconds to the last request that failed, or to the end of the longest pause of charges. */
  readonly recovery: number;
  /** Requests that failed between it and the next fault. */
  readonly failures: number;
  /** How many of them got no answer. */
  readonly unanswered: number;
  /** The longest that anybody waited for an answer, in seconds. */
  readonly longestWait: number;
  /** Seconds until everything was whole again. */
  readonly whole: number;
}

export function reportOf(record: RunRecord): Report {
  const { begun, ended, answers, publications, keys, faults } = record;
  const seconds = (ended - begun) / 1000;
  const byStatus = Map.groupBy(answers, ({ status }) => String(status ?? 'unknown'));
  return {
    seconds: Math.round(seconds),
    requests: answers.length,
    perSecond: Math.round(answers.length / seconds),
    answers: Object.fromEntries([...byStatus].map(([status, some]) => [status, some.length])),
    publications: {
      begun: publications.length,
      acknowledged: publications.filter(({ acknowledged }) => acknowledged !== null).length,
    },
    keys: {
      made: keys.length,
      revoked: keys.filter(({ revoked }) => revoked?.acknowledged != null).length,
    },
    faults: faults.map((fault) => reportFault(record, fault)),
    violations: CHECKS.flatMap(({ violations }) => violations(record)),
  };
}

function reportFault(record: RunRecord, fault: RunRecord['faults'][number]): FaultReport {
  const { name, told, begun, healed } = fault;
  const failed = failuresOf(record, fault);
  const tenths = (milliseconds: number) => Math.round(milliseconds / 100) / 10;
  const recovery = tenths(recoveryOf(record, fault));
  const unanswered = failed.filter(({ status }) => status === null).length;
  const waits = answersDuring(record, fault).map(({ sent, received }) => received - sent);
  const longestWait = tenths(Math.max(0, ...waits));
  const whole = tenths(healed - begun);
  return { name, told, recovery, failures: failed.length, unanswered, longestWait, whole };
}

/** The report as lines for people. */
export function describeReport(report: Report): string[] {
  const { seconds, requests, perSecond, answers, publications, keys, faults } = report;
  const statuses = Object.entries(answers).map(([status, count]) => `${status}: ${count}`);
  return [
    `${requests} requests in ${seconds} s, ${perSecond} a second (${statuses.join(', ')})`,
    `${publications.acknowledged} of ${publications.begun} publications acknowledged, ` +
      `${keys.made} keys, ${keys.revoked} of them revoked`,
    '',
    row('fault', 'failures', 'unanswered', 'back after', 'longest wait', 'whole after'),
    ...faults.map(({ name, failures, unanswered, recovery, longestWait, whole }) => {
      return row(name, failures, unanswered, `${recovery} s`, `${longestWait} s`, `${whole} s`);
    }),
  ];
}

function row(name: string, ...columns: readonly (string | number)[]): string {
  return name.padEnd(22) + columns.map((column) => String(column).padStart(13)).join('');
}

export function writeReport(report: Report, file: string): void {
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}
