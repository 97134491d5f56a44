import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { Serving } from '../faults/support/serving.ts';
import { cleanUp } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/cli.ts';
import { createDatabase } from '../support/engines.ts';
import { CHECKS } from './checker/index.ts';
import type { RunRecord } from './record.ts';
import { type Bed, perform } from './run/perform.ts';

/** What the load needs of a node: it comes from one address, and some accounts are fast. */
const ENV = { CARDPRICE_KEY_BURST: 'off', CARDPRICE_ADDRESS_BURST: 'off' };

/** Changes a body before callers get it. */
type Tamper = (body: string, path: string) => string;

/** One node on one PostgreSQL behind a proxy that says which node answered. */
async function openBed(tamper: Tamper = (body) => body): Promise<Bed> {
  const { location, remove } = await createDatabase('PostgreSQL');
  cleanUp(remove);
  const serving = await Serving.start(location, { env: ENV });
  const proxy = createServer((incoming, outgoing) => {
    passOn(serving.url, incoming, outgoing, tamper);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  cleanUp(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    database: location,
    nodes: () => [{ name: 'node-1', url: serving.url }],
    fault: async () => 'Nothing happens here.',
    heal: async () => {},
  };
}

function passOn(
  url: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  tamper: Tamper,
): void {
  const path = incoming.url ?? '/';
  const { method, headers } = incoming;
  const onward = request(url + path, { method, headers }, async (response) => {
    const chunks = await response.toArray();
    const body = tamper(Buffer.concat(chunks).toString(), path);
    const { 'content-length': _, ...kept } = response.headers;
    outgoing.writeHead(response.statusCode ?? 502, { ...kept, 'x-served-by': 'node-1' });
    outgoing.end(body);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}

async function run(tamper?: Tamper): Promise<RunRecord> {
  const bed = await openBed(tamper);
  const pace = { rate: 60, leadMs: 4000, settleMs: 0, everyMs: 0, longestMs: 0, publishMs: 1500 };
  const schedule = { faults: [], ...pace };
  return perform({ bed, folder: temporaryFolder(), schedule, tell: () => {} });
}

/** What a run breaks, by promise, besides promises of times: the machine may be busy. */
function broken(record: RunRecord): Record<string, string[]> {
  const untimed = CHECKS.filter(({ isTimed }) => !isTimed);
  const all = untimed.map(({ promise, violations }) => [promise, violations(record)] as const);
  return Object.fromEntries(all.filter(([, wrong]) => wrong.length > 0));
}

it('one node without faults keeps all that a cluster promises', { timeout: 110_000 }, async () => {
  const record = await run();
  assert.deepEqual(broken(record), {});
  assert.ok(record.answers.some(({ status }) => status === 429));
  assert.ok(record.keys.some(({ revoked }) => revoked?.acknowledged != null));
  assert.ok(record.publications.length > 2);
});

it('a node that mixes publications is found out', {
  timeout: 110_000,
}, async () => {
  // Of each page of a set, the first name stays as it was at first.
  const record = await run((body, path) => {
    return path.includes('/cards?limit') ? body.replace(/ K\d+"/, ' K0"') : body;
  });
  assert.deepEqual(Object.keys(broken(record)), ['every body is of one publication']);
});
