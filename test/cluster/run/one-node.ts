import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Serving } from '../../faults/support/serving.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { eventually, temporaryFolder } from '../../support/cli.ts';
import { CuttableProxy } from '../../support/cuttable-proxy.ts';
import { createDatabase } from '../../support/engines.ts';
import { MAIN } from '../../support/main-module.ts';
import { type Patch, patchedProgram } from '../../support/patched-program.ts';
import { hasFailed } from '../checker/faults.ts';
import { Recorder } from '../load/recorder.ts';
import type { RunRecord } from '../record.ts';
import { type Bed, perform } from './perform.ts';
import type { Schedule } from './schedule.ts';

/**
 * What the load needs of a node: it comes from one address, some accounts are fast, one has a
 * webhook.
 */
const ENV = {
  CARDPRICE_KEY_BURST: 'off',
  CARDPRICE_ADDRESS_BURST: 'off',
  CARDPRICE_TRUST_PROXY: '127.0.0.1',
  CARDPRICE_WEBHOOK_NETWORKS: '127.0.0.0/8',
};

/** A node, its planted defect, and the fault that it meets. */
export interface NodeOptions {
  /** Changes of the source that it runs from. */
  readonly patches?: readonly Patch[];
  readonly env?: Readonly<Record<string, string>>;
  /** Changes a body before callers get it. */
  readonly tamper?: (body: string, path: string) => string;
  /** What happens in the middle of a run; without it, its way to the database is cut. */
  readonly mishap?: Mishap;
}

/** Where a node is. */
export interface Place {
  readonly database: string;
  /** Its way to the database. */
  readonly way: CuttableProxy;
}

export interface Mishap {
  cause(place: Place): Promise<void> | void;
  undo(place: Place): Promise<void> | void;
}

export const CUT: Mishap = { cause: ({ way }) => way.cut(), undo: ({ way }) => way.restore() };

const SCHEDULE: Schedule = {
  rate: 50,
  leadMs: 2000,
  settleMs: 500,
  everyMs: 0,
  longestMs: 120_000,
  publishMs: 2000,
  faults: [{ name: 'cut-proxy', holdMs: 1000 }],
};

/**
 * Sends the load of a cluster to one node on one PostgreSQL, to which something happens. It goes on
 * until a key has been used that was revoked.
 *
 * @throws Error if what was to happen did not come to pass, or not in time.
 */
export async function performOnOneNode(options: NodeOptions): Promise<RunRecord> {
  const recorder = new Recorder();
  const bed = await openBed(options, () => eventually(() => hasUsedRevokedKey(recorder)));
  const folder = temporaryFolder();
  const record = await perform({ bed, recorder, folder, schedule: SCHEDULE, tell: () => {} });
  if (record.troubles.length > 0) throw new Error(record.troubles.join('\n'));
  return record;
}

/** Whether there is an answer with a key whose revocation was acknowledged before. */
function hasUsedRevokedKey({ keys, answers }: Recorder): boolean {
  return keys.some(({ id, revoked }) => {
    const since = revoked?.acknowledged;
    if (since == null) return false;
    return answers.some((answer) => {
      return answer.key === id && answer.sent > since && !hasFailed(answer);
    });
  });
}

/** A node behind a proxy that says which node answered; `seen` resolves when it may end. */
async function openBed(
  { patches, env, tamper, mishap = CUT }: NodeOptions,
  seen: () => Promise<void>,
): Promise<Bed> {
  const { location: database, remove } = await createDatabase('PostgreSQL');
  cleanUp(remove);
  const { proxy: way, url: through } = await CuttableProxy.to(database);
  cleanUp(() => way.cut());
  const main = patches && patchedProgram(patches);
  const serving = await Serving.start(through, {
    env: { ...ENV, ...env },
    ...(main !== undefined && { main }),
  });
  return {
    url: await openFront(serving.url, tamper),
    database,
    main: MAIN,
    nodes: () => [{ name: 'node-1', url: serving.url }],
    fault: async () => {
      await mishap.cause({ database, way });
      return 'It happened.';
    },
    heal: async () => {
      await mishap.undo({ database, way });
      await eventually(async () => (await fetch(`${serving.url}/readyz`)).status === 200);
      await seen();
    },
    primary: async () => 'database-1',
  };
}

type Tamper = NonNullable<NodeOptions['tamper']>;

async function openFront(url: string, tamper: Tamper = (body) => body): Promise<string> {
  const front = createServer((incoming, outgoing) => passOn(url, incoming, outgoing, tamper));
  // Longer than clients keep a connection, so that none is closed while a request comes.
  front.keepAliveTimeout = 60_000;
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  cleanUp(() => {
    front.closeAllConnections();
    front.close();
  });
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
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
