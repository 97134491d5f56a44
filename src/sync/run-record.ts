import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Millis } from '../domain/day.ts';
import { SYNC_RUN_STATES, type SyncRun, type SyncRunState } from '../domain/sync-run.ts';

/** A longer file is none of ours. */
const MAX_BYTES = 1024 * 1024;

const Record = Type.Object({
  source: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  startedAt: Type.Integer(),
  endedAt: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  state: Type.Unsafe<SyncRunState>({ type: 'string', enum: [...SYNC_RUN_STATES] }),
  lines: Type.Array(Type.String()),
  /** When it was written. */
  writtenAt: Type.Integer(),
});

type RecordedRun = Static<typeof Record>;

const isRecord = Compile(Record);

/** The last sync that an operator has started, in a file that the processes of a machine share. */
export class RunRecord {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns it as it was last written; undefined without a file that is one. */
  async read(): Promise<RecordedRun | undefined> {
    try {
      const parsed: unknown = JSON.parse(await readBounded(this.#path));
      return isRecord.Check(parsed) ? parsed : undefined;
    } catch {
      return undefined;
    }
  }

  /** Replaces it as a whole, so that readers never see a part. */
  async write(run: SyncRun, writtenAt: Millis): Promise<void> {
    const aside = `${this.#path}.${randomUUID()}`;
    try {
      await writeFile(aside, JSON.stringify({ ...run, writtenAt }), { mode: 0o600, flag: 'wx' });
      await rename(aside, this.#path);
    } finally {
      await rm(aside, { force: true });
    }
  }
}

async function readBounded(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
