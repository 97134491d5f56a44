import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { OperatorError } from '../../domain/errors.ts';
import { MalformedFile } from '../tcgcsv/adapt.ts';
import type { ArchiveEntry } from './seven-zip.ts';

/**
 * Unpacks 7z files in worker threads: unpacking takes longer than the rest of the import, and the
 * main thread can work on one day while the next is unpacked. The library is optional, and only the
 * threads load it.
 */

export type { ArchiveEntry } from './seven-zip.ts';

interface Job {
  readonly packed: Uint8Array<ArrayBuffer>;
  readonly wanted: readonly string[];
}

/** The entries, or why there are none. */
type Reply = readonly ArchiveEntry[] | string;

/** Marks the worker threads of this file; other worker threads may also import it. */
const ROLE = 'cardprice-unpacker';

/**
 * Megabytes that a thread needs for the list of an archive, in addition to the archive and its
 * files.
 */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

export class Unpacker {
  /** All threads that were ever started: at most one for each simultaneous call. */
  readonly #workers = new Set<Worker>();
  readonly #idle: Worker[] = [];

  /**
   * Returns the files in a 7z file whose paths match one of the patterns in `wanted`
   * (`2026-01-28/3/*`). The buffer of `packed` is transferred to another thread.
   *
   * @throws MalformedFile if it is not a 7z file, is damaged, or is larger than a possible day.
   */
  async unpack(
    packed: Uint8Array<ArrayBuffer>,
    wanted: readonly string[],
  ): Promise<ArchiveEntry[]> {
    const worker = this.#idle.pop() ?? this.#startWorker();
    const reply = await request(worker, { packed, wanted });
    this.#idle.push(worker);
    if (typeof reply === 'string') throw new MalformedFile(reply);
    return [...reply];
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL(import.meta.url), { workerData: ROLE, resourceLimits });
    this.#workers.add(worker);
    return worker;
  }

  /** Terminates the threads at once. */
  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }
}

/** @throws OperatorError with the remedy if the library is not installed. */
export function requireSevenZip(): void {
  try {
    import.meta.resolve('7z-wasm');
  } catch (error) {
    throw new OperatorError(
      'Days packed by 7z need the package 7z-wasm, which is not installed. Install it next to ' +
        'cardprice (npm install 7z-wasm@1.2, with --global if cardprice is), or unpack the days.',
      { cause: error },
    );
  }
}

async function request(worker: Worker, job: Job): Promise<Reply> {
  try {
    worker.postMessage(job, [job.packed.buffer]);
    const [reply] = (await once(worker, 'message')) as [Reply];
    return reply;
  } catch (error) {
    await worker.terminate();
    throw new MalformedFile('cannot be unpacked', { cause: error });
  }
}

if (!isMainThread && workerData === ROLE) {
  const { boundMemory, unpack, Unpackable } = await import('./seven-zip.ts');
  boundMemory();
  parentPort?.on('message', async ({ packed, wanted }: Job) => {
    const reply: Reply = await unpack(packed, wanted).catch((error: unknown) => {
      if (error instanceof Unpackable) return error.message;
      throw error;
    });
    const buffers = typeof reply === 'string' ? [] : reply.map(({ bytes }) => bytes.buffer);
    parentPort?.postMessage(reply, buffers);
  });
}
