/**
 * Lets a cluster fail under load, and checks every answer:
 *
 *     npm run test:cluster                              # eleven faults, 7 minutes
 *     npm run test:cluster-faults                       # every kind, 20 minutes
 *     npm run test:cluster-faults -- --fault kill-node --runs 5
 *     npm run test:cluster -- --minutes 60 --json FILE  # a fault a minute
 *     npm run test:cluster -- --rate 230                # this many requests a second if quiet
 *
 * It ends with the summary of node:test. `--json` writes the figures to a file, `--answers` every
 * answer; when a promise is broken these are written in any case.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseArgs } from 'node:util';
import { Cluster } from '../../scripts/cluster/cluster.ts';
import type { FaultName } from '../../scripts/cluster/faults/index.ts';
import { versionAfter } from '../faults/support/versions.ts';
import { buildMain } from '../support/main-module.ts';
import { CHECKS } from './checker/index.ts';
import { Publisher } from './load/publisher.ts';
import { Recorder } from './load/recorder.ts';
import type { RunRecord } from './record.ts';
import { writeAnswers } from './run/answers.ts';
import { KINDS, type Kind } from './run/kinds.ts';
import { perform } from './run/perform.ts';
import { describeReport, reportOf, writeReport } from './run/report.ts';
import {
  type Schedule,
  SHORT_SCHEDULE,
  scheduleOfKinds,
  scheduleOfMinutes,
} from './run/schedule.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    all: { type: 'boolean' },
    fault: { type: 'string', multiple: true },
    runs: { type: 'string', default: '1' },
    rate: { type: 'string' },
    json: { type: 'string' },
    answers: { type: 'string' },
  },
});
const schedule = readSchedule();

/** Starts take a third of the processor time of starts from source. */
const main = buildMain();

/** The time limit of a run without its faults. Each fault may take two minutes to heal. */
const SLACK_MS = 300_000;

function readSchedule(): Schedule {
  const schedule = scheduleOfFaults();
  return values.rate === undefined ? schedule : { ...schedule, rate: Number(values.rate) };
}

function scheduleOfFaults(): Schedule {
  const { minutes, all, fault, runs } = values;
  const named = fault?.flatMap((names) => names.split(','));
  const kinds = named ?? (all ? Object.keys(KINDS) : undefined);
  if (kinds) return scheduleOfKinds(kinds.map(kindOf), Number(runs));
  return minutes === undefined ? SHORT_SCHEDULE : scheduleOfMinutes(Number(minutes));
}

function kindOf(name: string): Kind {
  if (Object.hasOwn(KINDS, name)) return name as Kind;
  throw new Error(`There is no fault ${name}, only ${Object.keys(KINDS).join(', ')}.`);
}

const LEAST_PER_SECOND = Math.floor(schedule.rate * 0.85);

/** So many sentences of each kind are shown. */
const SHOWN = 5;

/**
 * What the load needs: it comes from one address, some accounts are fast, and one has a webhook.
 */
const NODE_ENV = {
  CARDPRICE_KEY_BURST: 'off',
  CARDPRICE_ADDRESS_BURST: 'off',
  CARDPRICE_LOG_LEVEL: 'warn',
  CARDPRICE_WEBHOOK_NETWORKS: '127.0.0.0/8',
};

/** The nodes need a first catalogue, and everything in it must identify its publication. */
async function fill(database: string, folder: string, recorder: Recorder): Promise<void> {
  const failure = await new Publisher(database, folder, recorder, main).publish();
  if (failure !== undefined) throw new Error(`The first publication failed: ${failure}`);
}

describe('a cluster of three nodes and three databases, under load and faults', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardprice-cluster-test-'));
  let cluster: Cluster | undefined;
  let record: RunRecord | undefined;
  /** How many tests have passed. */
  let passed = 0;
  const recorder = new Recorder();
  const tell = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);

  before(
    async () => {
      cluster = await Cluster.start({
        folder,
        isTemporary: true,
        tell,
        env: NODE_ENV,
        version: [process.execPath, main],
        nextVersion: versionAfter(),
        fill: (database) => fill(database, join(folder, 'catalogue'), recorder),
      });
      const { url, database } = cluster;
      const bed = {
        url,
        database,
        main,
        nodes: () => cluster?.nodes() ?? [],
        fault: (name: FaultName, seconds?: number) => running().fault(name, seconds),
        heal: () => running().heal(),
        primary: () => running().primary(),
      };
      const options = {
        bed,
        recorder,
        folder: join(folder, 'catalogue'),
        schedule,
        tell,
      };
      record = await perform(options);
      const report = reportOf(record);
      for (const line of describeReport(report)) console.log(line);
      if (values.json !== undefined) writeReport(report, values.json);
    },
    { timeout: schedule.longestMs + SLACK_MS },
  );

  after(async () => {
    if (!isGood()) keepLogs();
    await cluster?.stop();
    keepAnswers();
    rmSync(folder, { recursive: true, force: true });
  });

  function running(): Cluster {
    if (!cluster) throw new Error('The cluster is not running.');
    return cluster;
  }

  /** Whether all promises were kept. */
  function isGood(): boolean {
    return passed > CHECKS.length;
  }

  /** Copies the logs of all processes, without the data. */
  function keepLogs(): void {
    const logs = `${folder}-logs`;
    cpSync(folder, logs, {
      recursive: true,
      filter: (path) => path === folder || path.endsWith('.log'),
    });
    console.log(`The logs are in ${logs}.`);
  }

  /** Writes the answers to the file that was named, and without one when a promise is broken. */
  function keepAnswers(): void {
    const temporary = `${folder}-answers.ndjson`;
    const file = values.answers ?? (isGood() ? undefined : temporary);
    if (file === undefined) return;
    writeAnswers(record ?? recorder, file);
    console.log(`Every answer is in ${file}.`);
  }

  it(`at least ${LEAST_PER_SECOND} requests a second are answered`, () => {
    assert.ok(record);
    const { perSecond } = reportOf(record);
    assert.ok(perSecond >= LEAST_PER_SECOND, `${perSecond} a second`);
    passed += 1;
  });

  for (const { promise, violations } of CHECKS) {
    it(promise, () => {
      assert.ok(record);
      const wrong = violations(record);
      assert.equal(wrong.length, 0, `${wrong.length} ×\n${wrong.slice(0, SHOWN).join('\n')}`);
      passed += 1;
    });
  }
});
