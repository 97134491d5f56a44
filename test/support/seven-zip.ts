import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import SevenZip from '7z-wasm';

/** Packs files with 7z and additional 7z options. Returns the archive. */
export async function packBy7z(
  files: Readonly<Record<string, Uint8Array | string>>,
  ...options: readonly string[]
): Promise<Buffer> {
  const { FS, callMain } = await SevenZip.default({ print: () => {}, printErr: () => {} });
  FS.mkdir('/in');
  FS.chdir('/in');
  for (const [path, content] of Object.entries(files)) {
    path.split('/').reduce((folder, name) => {
      if (folder !== '' && !FS.readdir(dirname(folder)).includes(basename(folder)))
        FS.mkdir(folder);
      return join(folder, name);
    }, '');
    FS.writeFile(path, content);
  }
  const status: unknown = callMain(['a', '-t7z', ...options, '/packed.7z', '.']);
  if (status !== 0) throw new Error(`7z ended with ${status}`);
  return Buffer.from(FS.readFile('/packed.7z'));
}

/** The length of the start header, which begins with the signature. */
const START_BYTES = 32;

/**
 * Replaces bytes in the header at the end of an archive, and updates the checksums. The header must
 * not be compressed (`-mhc=off`).
 */
export function editHeader(archive: Buffer, from: Buffer, to: Buffer): Buffer {
  const edited = Buffer.from(archive);
  const header = START_BYTES + Number(edited.readBigUInt64LE(12));
  const at = edited.indexOf(from, header);
  if (at < 0 || from.length !== to.length) throw new Error('the header has no such bytes');
  to.copy(edited, at);
  edited.writeUInt32LE(crc32(edited.subarray(header)), 28);
  edited.writeUInt32LE(crc32(edited.subarray(12, START_BYTES)), 8);
  return edited;
}
