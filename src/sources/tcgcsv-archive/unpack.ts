import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import SevenZip, { type FileSystem } from '7z-wasm';
import { MalformedFile } from '../tcgcsv/raw.ts';

/**
 * Unpacks 7z files in a thread of its own: that takes longer than anything else that is done with
 * an archive, and the main thread can work on one day while the next is unpacked.
 */

/** A file of an archive. */
export interface ArchiveEntry {
  /** With `/` between folders. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface Job {
  readonly packed: Uint8Array<ArrayBuffer>;
  readonly wanted: readonly string[];
}

/** The entries, or why there are none. */
type Answer = readonly ArchiveEntry[] | string;

/** By this the thread knows what it is for; other threads may load this file too. */
const ROLE = 'cardprice-unpacker';

export class Unpacker {
  /** As many as there ever were calls under way at once. */
  readonly #workers = new Set<Worker>();
  readonly #idle: Worker[] = [];

  /**
   * The files in a 7z file whose paths fit one of the patterns `wanted` (`2026-01-28/3/*`). The
   * memory of `packed` is taken.
   *
   * @throws MalformedFile when it is no 7z file, or damaged in any place.
   */
  async unpack(
    packed: Uint8Array<ArrayBuffer>,
    wanted: readonly string[],
  ): Promise<ArchiveEntry[]> {
    const worker = this.#idle.pop() ?? new Worker(new URL(import.meta.url), { workerData: ROLE });
    this.#workers.add(worker);
    const answer = await ask(worker, { packed, wanted });
    this.#idle.push(worker);
    if (typeof answer === 'string') throw new MalformedFile(answer);
    return [...answer];
  }

  /** Ends the threads, whatever they are doing. */
  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }
}

async function ask(worker: Worker, job: Job): Promise<Answer> {
  try {
    worker.postMessage(job, [job.packed.buffer]);
    const [answer] = (await once(worker, 'message')) as [Answer];
    return answer;
  } catch (error) {
    await worker.terminate();
    throw new MalformedFile('cannot be unpacked', { cause: error });
  }
}

if (!isMainThread && workerData === ROLE) {
  parentPort?.on('message', async ({ packed, wanted }: Job) => {
    const answer = await unpack(packed, wanted);
    const buffers = typeof answer === 'string' ? [] : answer.map(({ bytes }) => bytes.buffer);
    parentPort?.postMessage(answer, buffers);
  });
}

async function unpack(packed: Uint8Array, wanted: readonly string[]): Promise<Answer> {
  const said: string[] = [];
  const print = (line: string) => said.push(line);
  // A new one for each file: it keeps the arguments of every call on its small stack.
  const sevenZip = await SevenZip.default({ print, printErr: print });
  sevenZip.FS.mkdir('/out');
  sevenZip.FS.writeFile('/archive.7z', packed);
  // It returns the exit code of 7z, whatever its types say.
  const status: unknown = sevenZip.callMain(['x', '-y', '-o/out', '/archive.7z', ...wanted]);
  if (status === 0) return [...filesBelow(sevenZip.FS, '/out')];
  const fault = said.find((line) => /^ERROR: .* : /.test(line));
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
