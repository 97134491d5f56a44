import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultName } from '../../../scripts/cluster/faults/index.ts';
import { hashApiKey } from '../../../src/accounts/keys/api-key.ts';
import { seededRandom } from '../../support/edited-tree.ts';
import { ANNOUNCED_MS, publicationsAreAnnounced } from '../checker/messages.ts';
import { AGREEMENT_MS } from '../checker/publications.ts';
import { addWebhook, type Cast, makeCast } from '../load/accounts.ts';
import { Client } from '../load/client.ts';
import { readEnd } from '../load/end.ts';
import { KeyChurn } from '../load/key-churn.ts';
import { Publisher } from '../load/publisher.ts';
import { Receiver } from '../load/receiver.ts';
import { now, type Recorder } from '../load/recorder.ts';
import { RAMP_MS, Traffic } from '../load/traffic.ts';
import { type WatchedNode, Watcher } from '../load/watcher.ts';
import type { RunRecord } from '../record.ts';
import { killCommand } from './killed-commands.ts';
import type { Schedule, ScheduledFault } from './schedule.ts';

/** What a run is performed on: a cluster, or less. */
export interface Bed {
  /** The address in front of the nodes. */
  readonly url: string;
  /** The database, always the one that can be written to. */
  readonly database: string;
  /** The main file of the program whose commands are run. */
  readonly main: string;
  nodes(): readonly WatchedNode[];
  /** Causes a fault, and says what it did. */
  fault(name: FaultName, seconds?: number): Promise<string>;
  /** The name of the server that is the primary, while there is one. */
  primary(): Promise<string>;
  /** Resolves when what faults have ended is whole again. */
  heal(): Promise<void>;
}

export interface RunOptions {
  readonly bed: Bed;
  /** Gets all that is seen, also when the run fails. */
  readonly recorder: Recorder;
  /** A folder for the catalogue that is published. */
  readonly folder: string;
  readonly schedule: Schedule;
  readonly tell: (line: string) => void;
}

/**
 * Sends requests to a bed while publications come and faults happen, and returns what was seen.
 * Nothing of it keeps running afterwards, even if it fails.
 */
export async function perform(options: RunOptions): Promise<RunRecord> {
  const { bed, recorder, folder, schedule } = options;
  const publisher = new Publisher(bed.database, folder, recorder, bed.main);
  const client = new Client(bed.url, recorder);
  const watcher = new Watcher(recorder, () => bed.nodes());
  const receiver = await Receiver.open(recorder);
  try {
    const cast = await prepare(options, { recorder, publisher, watcher, receiver });
    const begun = now();
    const stop = startLoad({ client, recorder, cast, rate: schedule.rate });
    watcher.start();
    const publishing = publisher.run(schedule.publishMs);
    await sleep(RAMP_MS + schedule.leadMs);
    for (const fault of schedule.faults) {
      if (now() < begun + schedule.longestMs) await attempt(fault, options, publisher);
      else recorder.troubles.push(`There was no time for ${fault.name}.`);
    }
    publisher.stop();
    await publishing;
    await sleep(AGREEMENT_MS);
    const ended = now();
    await stop();
    watcher.stop();
    await watcher.until(() => true);
    const record = { begun, ended, ...(await conclude(bed, recorder, cast)) };
    await announced(record);
    return record;
  } finally {
    watcher.stop();
    publisher.stop();
    publisher.kill();
    receiver.close();
    await client.close();
  }
}

/** Who writes down, publishes, watches and gets messages. */
interface Staff {
  readonly recorder: Recorder;
  readonly publisher: Publisher;
  readonly watcher: Watcher;
  readonly receiver: Receiver;
}

/**
 * Publishes the first two catalogues, unless they are there, makes the accounts and a webhook, and
 * waits until all nodes serve them.
 */
async function prepare(
  { bed, tell }: RunOptions,
  { recorder, publisher, watcher, receiver }: Staff,
): Promise<Cast> {
  while (recorder.publications.length < 2) {
    const failure = await publisher.publish();
    if (failure !== undefined) throw new Error(`The first publications failed: ${failure}`);
  }
  const cast = await makeCast(bed.database);
  await addWebhook(bed.database, cast.operator.account, receiver.url);
  for (const { keyId: id, key, account } of cast.accounts) {
    const made = { sent: recorder.begun, acknowledged: now() };
    recorder.keys.push({ id, hash: hashApiKey(key), account, made, revoked: null });
  }
  await watcher.until((publication) => publication === 1);
  tell(`Two publications and ${cast.accounts.length} accounts are there; the load begins.`);
  return cast;
}

interface Load {
  readonly client: Client;
  readonly recorder: Recorder;
  readonly cast: Cast;
  /** Reads a second. */
  readonly rate: number;
}

/** Waits until the webhook has got what it has to get, or is late. */
async function announced(record: RunRecord): Promise<void> {
  const deadline = now() + ANNOUNCED_MS;
  while (now() < deadline && publicationsAreAnnounced(record).length > 0) await sleep(500);
}

/** Starts to send requests; the result ends that, and waits for the last answers. */
function startLoad({ client, recorder, cast, rate }: Load): () => Promise<void> {
  const random = seededRandom(1);
  const traffic = new Traffic(client, cast.accounts, random);
  const question = () => traffic.someFreeRead();
  const churn = new KeyChurn({ client, recorder, cast, random, question });
  traffic.start(rate);
  const churning = churn.run();
  return async () => {
    churn.stop();
    await Promise.all([traffic.stop(), churning]);
  };
}

/** Causes a fault, and notes what comes in the way of that. */
async function attempt(
  fault: ScheduledFault,
  options: RunOptions,
  publisher: Publisher,
): Promise<void> {
  try {
    await causeFault(fault, options, publisher);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    options.recorder.troubles.push(`${fault.name}: ${reason}`);
  }
}

async function causeFault(
  { name, seconds, holdMs }: ScheduledFault,
  { bed, recorder, tell, schedule, folder }: RunOptions,
  publisher: Publisher,
): Promise<void> {
  const before = await bed.primary();
  const begun = now();
  const told =
    (await killCommand(name, { ...bed, publisher, folder })) ??
    (await bed.fault(name as FaultName, seconds));
  tell(told);
  await sleep(holdMs);
  const healing = now();
  await bed.heal();
  const healed = now();
  const primaries = [before, await bed.primary()] as const;
  recorder.faults.push({ name, told, begun, healing, healed, primaries });
  tell(`All is whole again, ${((healed - begun) / 1000).toFixed(1)} s after it.`);
  await sleep(Math.max(schedule.settleMs, begun + schedule.everyMs - now()));
}

async function conclude(
  bed: Bed,
  recorder: Recorder,
  cast: Cast,
): Promise<Omit<RunRecord, 'begun' | 'ended'>> {
  const quotas = new Map(cast.accounts.map(({ account, quota }) => [account, quota]));
  const { answers, readings, keys, publications, faults, troubles, sightings, messages } = recorder;
  return {
    answers,
    readings,
    keys,
    publications,
    faults,
    troubles,
    sightings,
    messages,
    quotas,
    ...(await readEnd(bed.database)),
  };
}
