import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { cursorOf } from '../../domain/publication-cursor.ts';
import { readBulkList } from '../../http/bulk-folder.ts';
import { poll } from '../../lib/poll.ts';
import { hasUnpublished, readPublication } from '../../store/catalogue/publications.ts';
import { type ChildOptions, reasonOf, SyncChild } from '../../sync/child.ts';
import type { CommandContext } from '../context.ts';
import { type BackgroundTask, syncEnvironment } from '../syncing.ts';

/** Interval between checks for a new publication, in milliseconds. */
const CHECK_MS = 30_000;

/** The pause after a failure, in milliseconds: the disk may be full for a while. */
const RETRY_MS = 600_000;

/**
 * Keeps the writing process small, so the service keeps most of the resources
 * (docs/performance.md).
 */
const HEAP_FLAGS = ['--min-semi-space-size=2', '--max-semi-space-size=2', '--single-threaded-gc'];

/**
 * In MiB. Node keeps the text of a program in the heap, and its source is larger than the built
 * program.
 */
const HEAP = { built: 32, source: 64 } as const;

/**
 * One thread packs files while another reads rows; the service has the other cores. Memory blocks
 * of 64 KiB or more are returned to the system at once.
 */
const ENVIRONMENT = {
  UV_THREADPOOL_SIZE: '1',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/**
 * Returns how to write bulk files while a service runs.
 * @param program What Node runs, before the arguments of the command.
 */
export function bulkExport(
  program: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): ChildOptions {
  const heap = program.some((part) => part.endsWith('.ts')) ? HEAP.source : HEAP.built;
  const node = [process.execPath, `--max-old-space-size=${heap}`, ...HEAP_FLAGS];
  return {
    command: [...node, ...program, 'export', 'bulk', folder, '--json'],
    env: { ...env, ...ENVIRONMENT },
    onlyIdle: true,
  };
}

/** Writes bulk files after each publication until it is stopped, and logs each result. */
export function exportBulkWhileServing(
  context: CommandContext,
  config: Config,
  logger: Logger,
): BackgroundTask {
  const folder = resolve(config.bulk);
  const program = [process.argv[1] ?? ''];
  const child = new SyncChild(bulkExport(program, folder, syncEnvironment(config)));
  let written = '';
  let retryAt = 0;
  const check = async () => {
    if (performance.now() < retryAt) return;
    const publication = await context.withStore(async ({ db }) => {
      return (await hasUnpublished(db)) ? undefined : readPublication(db);
    });
    if (!publication || publication.revision === 0) return;
    const { revision } = publication;
    const cursor = cursorOf(publication);
    if (cursor === written || cursor === (await readBulkList(folder))?.cursor) return;
    const outcome = await child.run();
    if (!outcome) return;
    if (outcome.code === 0) {
      written = cursor;
      logger.info({ revision, bulk: JSON.parse(outcome.out) }, 'bulk files written');
      return;
    }
    retryAt = performance.now() + RETRY_MS;
    const reason = reasonOf(outcome) ?? outcome.err.trim();
    logger.error({ revision, reason }, 'bulk files could not be written');
  };
  let stopChecking = () => {};
  return {
    start() {
      const guarded = () => check().catch((err) => logger.error({ err }, 'bulk files failed'));
      stopChecking = poll(guarded, CHECK_MS);
      void guarded();
    },
    async stop() {
      stopChecking();
      child.stop();
    },
  };
}
