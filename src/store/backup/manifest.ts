import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { OperatorError } from '../../domain/errors.ts';

/** The contents of a backup, stored as `manifest.json` in its folder. */
export interface Manifest {
  readonly format: 1;
  /** The version of cardprice that made the backup. */
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly engine: 'sqlite' | 'postgres';
  /** The other files of the folder, by name. */
  readonly files: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
  /** The number of rows of each table in the copy. */
  readonly rows: Readonly<Record<string, number>>;
}

const MANIFEST = 'manifest.json';
/** The maximum size of a manifest, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** The catalogue's file in a backup. The names of the other files begin with this name. */
export const CATALOGUE_FILE = 'cards.db';

/** The files of a backup: SQLite files, for either engine. */
export const BACKUP_FILES = ['', '-accounts', '-usage'].map((ending) => CATALOGUE_FILE + ending);

const isManifest = Compile(
  Type.Object({
    format: Type.Literal(1),
    version: Type.String(),
    createdAt: Type.String(),
    engine: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
    files: Type.Record(
      Type.String(),
      Type.Object({ bytes: Type.Integer(), sha256: Type.String() }),
    ),
    rows: Type.Record(Type.String(), Type.Integer()),
  }),
);

/** Writes the manifest of the files in a folder. */
export async function writeManifest(
  folder: string,
  about: Omit<Manifest, 'format' | 'files'>,
): Promise<Manifest> {
  const files: Record<string, { bytes: number; sha256: string }> = {};
  for (const name of BACKUP_FILES) {
    const file = join(folder, name);
    files[name] = { bytes: statSync(file).size, sha256: await digestOf(file) };
  }
  const manifest: Manifest = { format: 1, ...about, files };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  return manifest;
}

/**
 * Reads the manifest of a backup, and checks that all of its files are present and unchanged.
 *
 * @throws OperatorError if the folder is not a backup, or a file is missing or was changed.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = parseManifest(folder);
  for (const name of BACKUP_FILES) {
    const known = manifest.files[name];
    const file = join(folder, name);
    const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: -1 };
    if (!known || size !== known.bytes || (await digestOf(file)) !== known.sha256) {
      throw new OperatorError(
        `${file} is missing, or has changed since the backup. Use another backup.`,
      );
    }
  }
  return manifest;
}

function parseManifest(folder: string): Manifest {
  try {
    const file = join(folder, MANIFEST);
    if (statSync(file).size > MAX_BYTES) throw new Error('the manifest is too long');
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isManifest.Check(manifest)) throw new Error('the manifest has the wrong form');
    return manifest as Manifest;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${folder} is not a backup of cardprice: ${reason}.`, { cause: error });
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
