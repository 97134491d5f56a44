/**
 * Lets a cluster fail in all ways under load, and checks every answer:
 *
 *     npm run test:cluster                                 # every kind of fault once, 7 minutes
 *     npm run test:cluster -- --minutes 60 --json FILE     # a fault a minute
 *
 * It ends with the summary of node:test. `--json` writes the figures to a file, `--answers` every
 * answer; when a promise is broken these are written in any case.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseArgs } from 'node:util';
import { Cluster } from '../../scripts/cluster/cluster.ts';
import type { FaultName } from '../../scripts/cluster/faults.ts';
import { CHECKS } from './checker/index.ts';
import { Publisher } from './load/publisher.ts';
import { Recorder } from './load/recorder.ts';
import type { RunRecord } from './record.ts';
import { writeAnswers } from './run/answers.ts';
import { perform } from './run/perform.ts';
import { describeReport, reportOf, writeReport } from './run/report.ts';
import { scheduleOf } from './run/schedule.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    json: { type: 'string' },
    answers: { type: 'string' },
  },
});
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);

/** The time limit of a run without its faults. Each fault may take two minutes to heal. */
const SLACK_MS = 300_000;
const TIMEOUT_MS = (minutes ?? 5) * 60_000 + SLACK_MS;

const LEAST_PER_SECOND = 200;

/** So many sentences of each kind are shown. */
const SHOWN = 5;

/** What the load needs: it comes from one address, and some accounts are fast. */
const NODE_ENV = {
  CARDPRICE_KEY_BURST: 'off',
  CARDPRICE_ADDRESS_BURST: 'off',
  CARDPRICE_LOG_LEVEL: 'warn',
};

/** The nodes need a first catalogue, and everything in it must identify its publication. */
async function fill(database: string, folder: string, recorder: Recorder): Promise<void> {
  const failure = await new Publisher(database, folder, recorder).publish();
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
        fill: (database) => fill(database, join(folder, 'catalogue'), recorder),
      });
      const { url, database } = cluster;
      const bed = {
        url,
        database,
        nodes: () => cluster?.nodes() ?? [],
        fault: (name: FaultName, amount?: number) => running().fault(name, amount),
        heal: () => running().heal(),
        primary: () => running().primary(),
      };
      const options = {
        bed,
        recorder,
        folder: join(folder, 'catalogue'),
        schedule: scheduleOf(minutes),
        tell,
      };
      record = await perform(options);
      const report = reportOf(record);
      for (const line of describeReport(report)) console.log(line);
      if (values.json !== undefined) writeReport(report, values.json);
    },
    { timeout: TIMEOUT_MS },
  );

  after(async () => {
    await cluster?.stop();
    keepAnswers();
    rmSync(folder, { recursive: true, force: true });
  });

  function running(): Cluster {
    if (!cluster) throw new Error('The cluster is not running.');
    return cluster;
  }

  /** Writes the answers to the file that was named, and without one when a promise is broken. */
  function keepAnswers(): void {
    const temporary = `${folder}-answers.ndjson`;
    const file = values.answers ?? (passed > CHECKS.length ? undefined : temporary);
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
