import SevenZip, { type FileSystem, type SevenZipModule } from '7z-wasm';

/**
 * Unpacks a 7z file within limits. A small file may claim to contain gigabytes. So its list is read
 * first, and nothing larger than a possible day of prices is unpacked.
 */

/** A file in an archive. */
export interface ArchiveEntry {
  /** Its path, with `/` between folders. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const MEGABYTE = 1024 * 1024;

/**
 * A real day has some 20,000 files, with 100 MB in all and at most 2 MB each, packed to about a
 * thirtieth. These limits are several times as high.
 */
const LIMITS = {
  entries: 100_000,
  entryBytes: 32 * MEGABYTE,
  bytes: 512 * MEGABYTE,
  /** Unpacked bytes for each packed byte. */
  ratio: 200,
};

/** The most memory that 7z may use, in bytes: PPMd at its strongest level uses 192 MB. */
const MAX_MEMORY = 320 * MEGABYTE;
const PAGE_BYTES = 64 * 1024;

/** Why an archive was not unpacked, in words that follow its name. */
export class Unpackable extends Error {}

/**
 * Returns the files whose paths match one of the patterns in `wanted` (`2026-01-28/3/*`).
 *
 * @throws Unpackable if it is not a 7z file, is damaged, or exceeds the limits.
 */
export async function unpack(
  packed: Uint8Array,
  wanted: readonly string[],
): Promise<readonly ArchiveEntry[]> {
  const run = await SevenZipRun.open(packed);
  const { status, lines } = run.call('l', '-ba', '-slt');
  if (status !== 0) throw new Unpackable('not a whole 7z archive');
  const sizes = lines.map((line) => /^Size = (\d+)$/.exec(line)?.[1]);
  checkSizes(
    sizes.filter((size) => size !== undefined).map((size) => Number(size)),
    packed.length,
  );
  return run.extract(wanted);
}

/** @throws Unpackable for sizes that no day of prices has. */
function checkSizes(sizes: readonly number[], packedBytes: number): void {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  if (sizes.length > LIMITS.entries) throw tooLarge(`${sizes.length} files`);
  if (largest > LIMITS.entryBytes) throw tooLarge(`a file of ${largest} bytes`);
  if (total > LIMITS.bytes) throw tooLarge(`${total} bytes`);
  if (total > packedBytes * LIMITS.ratio) throw tooLarge(`${total} bytes in ${packedBytes}`);
}

function tooLarge(what: string): Unpackable {
  return new Unpackable(`claims to hold ${what}, which no day of prices does`);
}

/** Lines of 7z's output to keep: enough for a list of the most allowed entries. */
const MAX_LINES = LIMITS.entries * 12;

/**
 * 7z with one archive. Each archive has its own instance, because the arguments of calls stay on
 * its small stack.
 */
class SevenZipRun {
  readonly #module: SevenZipModule;
  readonly #lines: string[];

  private constructor(module: SevenZipModule, lines: string[]) {
    this.#module = module;
    this.#lines = lines;
  }

  static async open(packed: Uint8Array): Promise<SevenZipRun> {
    const lines: string[] = [];
    const print = (line: string) => {
      if (lines.length < MAX_LINES) lines.push(line);
    };
    const module = await SevenZip.default({ print, printErr: print });
    module.FS.writeFile('/archive.7z', packed);
    return new SevenZipRun(module, lines);
  }

  /** @throws Unpackable if the archive needs too much memory. */
  call(command: 'l' | 'x', ...options: readonly string[]) {
    this.#lines.length = 0;
    const refusedBefore = refusedGrowths;
    // Only the 7z format, not the others that 7z supports, and no password prompt.
    const args = [command, '-t7z', '-p-', '-y', '-bd', '-bsp0', '/archive.7z', ...options];
    const status = this.#run(args);
    if (status !== 0 && refusedGrowths > refusedBefore) {
      throw new Unpackable(`takes more than ${MAX_MEMORY / MEGABYTE} MB of memory to unpack`);
    }
    return { status, lines: this.#lines };
  }

  /** Returns the exit code of 7z, or null for its own exceptions, which are bare numbers. */
  #run(args: string[]): unknown {
    try {
      // callMain returns the exit code; its type is wrong.
      return this.#module.callMain(args);
    } catch (error) {
      if (typeof error !== 'number') throw error;
      return null;
    }
  }

  extract(wanted: readonly string[]): readonly ArchiveEntry[] {
    this.#module.FS.mkdir('/out');
    const { status, lines } = this.call('x', '-o/out', ...wanted);
    if (status === 0) return [...takeFiles(this.#module.FS, '/out')];
    const fault = lines.find((line) => /^ERROR: .* : /.test(line));
    throw new Unpackable(fault ? fault.replace('ERROR: ', '') : 'not a whole 7z archive');
  }
}

/** Yields the files below a folder, and removes each from it. Skips links. */
function* takeFiles(fs: FileSystem, root: string, folder = ''): Generator<ArchiveEntry> {
  for (const name of fs.readdir(root + folder)) {
    if (name === '.' || name === '..') continue;
    const path = `${folder}/${name}`;
    const { mode } = fs.lstat(root + path);
    if (fs.isDir(mode)) yield* takeFiles(fs, root, path);
    if (!fs.isFile(mode)) continue;
    yield { path: path.slice(1), bytes: new Uint8Array(fs.readFile(root + path)) };
    fs.unlink(root + path);
  }
}

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Node's types lack it. */
declare const WebAssembly: { readonly Memory: { readonly prototype: WasmMemory } };

let refusedGrowths = 0;

/**
 * Keeps every WebAssembly memory of this thread below {@link MAX_MEMORY}. 7z itself has no limit,
 * and the archive determines how much memory unpacking takes.
 */
export function boundMemory(): void {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function growWithinBounds(this: WasmMemory, pages) {
    if (this.buffer.byteLength + pages * PAGE_BYTES > MAX_MEMORY) {
      refusedGrowths += 1;
      throw new RangeError('the memory of 7z has reached its limit');
    }
    return grow.call(this, pages);
  };
}
