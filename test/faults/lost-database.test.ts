import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, importFixtures, Service } from '../support/app.ts';
import { eventually } from '../support/cli.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { createDatabase } from '../support/engines.ts';
import { Serving } from './support/serving.ts';

/** Longer than any request may take while the database is lost, in milliseconds. */
const SOME_SECONDS = 9000;

/** How long the database is lost, in milliseconds. */
const LOST_MS = 3000;

const CLIENTS = 16;

/** What clients got that asked without a pause. */
interface Answers {
  readonly statuses: Set<number>;
  /** Milliseconds. */
  slowest: number;
}

/** Asks from some clients at once until `isOver`. */
async function askUntil(url: string, caller: Caller, isOver: () => boolean): Promise<Answers> {
  const answers: Answers = { statuses: new Set(), slowest: 0 };
  const headers = { 'x-api-key': caller.key };
  const paths = ['/v1/games', '/v1/search?q=charizard', '/v1/nothing', '/dashboard/session'];
  const ask = async (_: unknown, index: number) => {
    while (!isOver()) {
      const started = performance.now();
      const answer = await fetch(url + paths[index % paths.length], { headers });
      await answer.arrayBuffer();
      answers.statuses.add(answer.status);
      answers.slowest = Math.max(answers.slowest, performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, ask));
  return answers;
}

const WAYS: readonly (readonly [string, (proxy: CuttableProxy) => void | Promise<void>])[] = [
  ['is stopped', (proxy) => proxy.cut()],
  ['is silent', (proxy) => proxy.freeze()],
];

describe('A process whose PostgreSQL', () => {
  for (const [how, lose] of WAYS) {
    it(`${how} under requests answers 503 within seconds, and recovers without a restart`, {
      timeout: 120_000,
    }, async () => {
      const { location, remove } = await createDatabase('PostgreSQL');
      await importFixtures(location);
      const direct = await Service.open(location, {}, { now: Date.now() });
      const caller = await direct.caller('business');
      const { proxy, url } = await CuttableProxy.to(location);
      const serving = await Serving.start(url);
      after(async () => {
        await serving.stop();
        await proxy.cut();
        await direct.close();
        await remove();
      });

      let isOver = false;
      const asking = askUntil(serving.url, caller, () => isOver);
      await sleep(500);
      await lose(proxy);
      const headers = { 'x-api-key': caller.key };
      await eventually(async () => {
        const lost = await fetch(`${serving.url}/v1/games`, { headers });
        return lost.status === 503 && lost.headers.get('retry-after') === '5';
      });
      await sleep(LOST_MS);
      const health = await fetch(`${serving.url}/healthz`);
      assert.equal(health.status, 200);
      const metrics = await (await fetch(`${serving.url}/metrics`)).text();
      assert.match(metrics, /^cardprice_database_up 0$/m);
      assert.match(metrics, /^cardprice_cards\{/m);
      await proxy.restore();
      await eventually(async () => (await fetch(`${serving.url}/readyz`)).status === 200);
      await eventually(async () => {
        return (await fetch(`${serving.url}/v1/games`, { headers })).status === 200;
      });
      isOver = true;
      const { statuses, slowest } = await asking;
      assert.deepEqual([...statuses].sort(), [200, 404, 503]);
      assert.ok(slowest < SOME_SECONDS, String(slowest));
      assert.ok(!serving.hasEnded, serving.err);
      const { errors } = serving;
      assert.ok(errors.length > 0 && errors.length < 10, JSON.stringify(errors));
      assert.ok(
        errors.every(({ err }) => err === undefined),
        JSON.stringify(errors),
      );
    });
  }
});
