import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import SevenZip, { type FileSystem } from '7z-wasm';
import { MalformedFile } from '../tcgcsv/raw.ts';

/**
 * Unpacks 7z files in worker threads: unpacking takes longer than the rest of the import, and the
 * main thread can work on one day while the next is unpacked.
 */

/** A file in an archive. */
export interface ArchiveEntry {
  /** Its path, with `/` between folders. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Job {
  readonly packed: Uint8Array<ArrayBuffer>;
  readonly wanted: readonly string[];
}

/** The entries, or why there are none. */
type Reply = readonly ArchiveEntry[] | string;

/** Marks the worker threads of this file; threads of others may import it, too. */
const ROLE = 'cardprice-unpacker';

export class Unpacker {
  /** All threads ever started: one for each call that was under way at the same time. */
  readonly #workers = new Set<Worker>();
  readonly #idle: Worker[] = [];

  /**
   * Returns the files in a 7z file whose paths match one of the patterns in `wanted`
   * (`2026-01-28/3/*`). The buffer of `packed` is transferred to another thread.
   *
   * @throws MalformedFile when it is no 7z file, or damaged anywhere.
   */
  async unpack(
    packed: Uint8Array<ArrayBuffer>,
    wanted: readonly string[],
  ): Promise<ArchiveEntry[]> {
    const worker = this.#idle.pop() ?? new Worker(new URL(import.meta.url), { workerData: ROLE });
    this.#workers.add(worker);
    const reply = await request(worker, { packed, wanted });
    this.#idle.push(worker);
    if (typeof reply === 'string') throw new MalformedFile(reply);
    return [...reply];
  }

  /** Terminates the threads, whatever they are doing. */
  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
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
  parentPort?.on('message', async ({ packed, wanted }: Job) => {
    const reply = await unpack(packed, wanted);
    const buffers = typeof reply === 'string' ? [] : reply.map(({ bytes }) => bytes.buffer);
    parentPort?.postMessage(reply, buffers);
  });
}

async function unpack(packed: Uint8Array, wanted: readonly string[]): Promise<Reply> {
  const output: string[] = [];
  const print = (line: string) => output.push(line);
  // A new instance for each file: the arguments of every call stay on its small stack.
  const sevenZip = await SevenZip.default({ print, printErr: print });
  sevenZip.FS.mkdir('/out');
  sevenZip.FS.writeFile('/archive.7z', packed);
  // callMain returns the exit code of 7z; its type is wrong.
  const status: unknown = sevenZip.callMain(['x', '-y', '-o/out', '/archive.7z', ...wanted]);
  if (status === 0) return [...filesBelow(sevenZip.FS, '/out')];
  const fault = output.find((line) => /^ERROR: .* : /.test(line));
  return fault ? fault.replace('ERROR: ', '') : 'not a whole 7z archive';
}

function* filesBelow(fs: FileSystem, root: string, folder = ''): Generator<ArchiveEntry> {
  for (const name of fs.readdir(root + folder)) {
    if (name === '.' || name === '..') continue;
    const path = `${folder}/${name}`;
    if (fs.isDir(fs.stat(root + path).mode)) yield* filesBelow(fs, root, path);
    else yield { path: path.slice(1), bytes: new Uint8Array(fs.readFile(root + path)) };
  }
}
