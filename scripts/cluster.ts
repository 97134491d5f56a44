/**
 * `npm run cluster`: a whole cluster on this machine, until Ctrl+C. With a command after it, such
 * as `npm run cluster -- kill primary`, acts on the running cluster. docs/cluster.md has the
 * details.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Cluster, type ClusterOptions } from './cluster/cluster.ts';
import { execute, parseCommand, USAGE } from './cluster/commands.ts';
import { answerCommands, sendCommand } from './cluster/control.ts';
import { MOST_NODES } from './cluster/layout.ts';
import { firstSteps, overview } from './cluster/overview.ts';
import { createDemoKey } from './cluster/seed.ts';

try {
  const { values, positionals } = readArguments();
  const folder = values.folder === undefined ? undefined : resolve(values.folder);
  if (positionals.length === 0) await start(folder, Number(values.nodes));
  else console.log(await sendCommand(parseCommand(positionals), folder ? { folder } : {}));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readArguments() {
  return parseArgs({
    allowPositionals: true,
    options: {
      folder: { type: 'string' },
      nodes: { type: 'string', default: String(MOST_NODES) },
    },
  });
}

/** Runs a cluster until a signal ends it: in a folder that is kept, or in a temporary one. */
async function start(kept: string | undefined, nodes: number): Promise<void> {
  if (!(nodes >= 1 && nodes <= MOST_NODES)) throw new Error(USAGE);
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'cardprice-cluster-'));
  const isStopped = stopSignal();
  const options = { folder, nodes, isTemporary: kept === undefined, tell: console.log };
  const cluster = await startUnless(isStopped, options);
  if (!cluster) return;
  const control = answerCommands(folder, (command) => execute(cluster, command));
  console.log(`\n${await overview(cluster)}\n\nThe logs of all are in ${folder}.`);
  console.log(firstSteps(cluster, await createDemoKey(cluster.database)));
  await isStopped;
  console.log('Ending everything …');
  control.close();
  await cluster.stop();
}

/**
 * A cluster, unless a signal comes before it is complete. Its guardian then ends everything that
 * was started.
 */
async function startUnless(
  isStopped: Promise<void>,
  options: ClusterOptions,
): Promise<Cluster | undefined> {
  const cluster = await Promise.race([Cluster.start(options), isStopped]);
  if (!cluster) process.exit(130);
  return cluster;
}

function stopSignal(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done());
  });
}
