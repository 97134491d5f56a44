import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import pLimit from 'p-limit';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { SYNC_RUN_STATES, type SyncRun, type SyncRunState } from '../domain/sync.ts';
import { escapeControls } from '../lib/control-characters.ts';
import { type ChildOutcome, reasonOf, SyncChild } from './child.ts';

export interface ManualSyncOptions {
  /** The program that syncs one source, or all sources for null, and its arguments. */
  readonly command: (source: string | null) => readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The file that stores the last run. */
  readonly file: string;
  readonly clock: () => Millis;
  /** @throws OperatorError while another process is syncing. */
  readonly requireFree: () => Promise<void>;
  /** The program's exit code if parts of a source were broken. */
  readonly incompleteCode: number;
  /** Whether a line only shows progress. */
  readonly isProgress: (line: string) => boolean;
  /** Called when a run ends. */
  readonly onEnd: (run: SyncRun) => void;
  /** Called when the run cannot be recorded; the run continues. */
  readonly onError: (error: unknown) => void;
}

/** Interval at which a running sync is recorded. */
const WRITE_MS = 1000;
/** A run that was not recorded for this long has ended with its service. */
const LOST_MS = 30_000;

/** Syncs that operators start by hand: one at a time, each in its own process. */
export class ManualSync {
  readonly #options: ManualSyncOptions;
  readonly #record: RunRecord;
  readonly #starts = pLimit(1);
  readonly #writes = pLimit(1);
  #child: SyncChild | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: ManualSyncOptions) {
    this.#options = options;
    this.#record = new RunRecord(options.file);
  }

  /**
   * Starts to sync a source, or all sources for null, and returns at once.
   *
   * @throws OperatorError while a sync is running, of this process or another.
   */
  start(source: string | null): Promise<SyncRun> {
    return this.#starts(() => this.#start(source));
  }

  /** The last run, possibly still in progress; null before the first. */
  async read(): Promise<SyncRun | null> {
    const recorded = await this.#record.read();
    if (!recorded) return null;
    const { writtenAt, ...run } = recorded;
    const isLost = run.state === 'running' && this.#options.clock() - writtenAt > LOST_MS;
    return isLost ? { ...run, state: 'interrupted' } : run;
  }

  /** Stops the current run, and prevents further ones. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#child?.stop();
    await this.#ended;
  }

  async #start(source: string | null): Promise<SyncRun> {
    const { clock, requireFree } = this.#options;
    if (this.#isStopped) throw new OperatorError('The service is stopping.');
    if (this.#child || (await this.read())?.state === 'running') {
      throw new OperatorError('A sync is running. Wait until it has ended.');
    }
    await requireFree();
    const log = new LineLog(this.#options.isProgress);
    const run: SyncRun = {
      source,
      startedAt: clock(),
      endedAt: null,
      state: 'running',
      lines: log.lines,
    };
    await this.#write(run);
    this.#ended = this.#follow(run, log);
    return run;
  }

  /** Runs the program to its end; never rejects. */
  async #follow(run: SyncRun, log: LineLog): Promise<void> {
    const { command, env, clock, onEnd } = this.#options;
    const onOutput = (stream: string, text: string) => log.write(stream, text);
    this.#child = new SyncChild({ command: command(run.source), env, onOutput });
    // The service may have started to stop since the request.
    if (this.#isStopped) this.#child.stop();
    const writing = setInterval(() => this.#write(run), WRITE_MS);
    const state = await this.#stateAfter(this.#child, log);
    clearInterval(writing);
    const ended = { ...run, endedAt: clock(), state };
    await this.#write(ended);
    this.#child = undefined;
    onEnd(ended);
  }

  async #stateAfter(child: SyncChild, log: LineLog): Promise<SyncRunState> {
    try {
      const outcome = await child.run();
      log.end();
      const reason = outcome && reasonOf(outcome);
      if (reason) log.add(reason);
      return this.#stateOf(outcome);
    } catch (error) {
      log.add(error instanceof Error ? error.message : String(error));
      return 'failed';
    }
  }

  #stateOf(outcome: ChildOutcome | undefined): SyncRunState {
    if (!outcome) return 'interrupted';
    if (outcome.code === 0) return 'succeeded';
    return outcome.code === this.#options.incompleteCode ? 'incomplete' : 'failed';
  }

  #write(run: SyncRun): Promise<void> {
    const { clock, onError } = this.#options;
    return this.#writes(() => this.#record.write(run, clock())).catch(onError);
  }
}

/** The number of last lines kept, and the most characters of each. */
const MAX_LINES = 40;
const MAX_CHARACTERS = 300;

/** The last lines of a process's output, bounded and without control characters. */
export class LineLog {
  readonly #isProgress: (line: string) => boolean;
  readonly #lines: string[] = [];
  readonly #unfinished = new Map<string, string>();

  /** The next progress line, according to `isProgress`, replaces the previous one. */
  constructor(isProgress: (line: string) => boolean) {
    this.#isProgress = isProgress;
  }

  /** The lines so far, oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Takes the next output of a stream; its last line may be unfinished. */
  write(stream: string, text: string): void {
    const [last = '', ...before] = `${this.#unfinished.get(stream) ?? ''}${text}`
      .split('\n')
      .toReversed();
    this.#unfinished.set(stream, last.slice(0, MAX_CHARACTERS));
    for (const line of before.toReversed()) this.add(line);
  }

  /** Ends unfinished lines. */
  end(): void {
    for (const line of this.#unfinished.values()) this.add(line);
    this.#unfinished.clear();
  }

  /** Adds a line unless it is empty. */
  add(line: string): void {
    const shown = escapeControls(line.trimEnd().slice(0, MAX_CHARACTERS));
    if (shown === '') return;
    const last = this.#lines.at(-1);
    if (last !== undefined && this.#isProgress(last)) this.#lines.pop();
    this.#lines.push(shown);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }
}

/** A longer file was not written by us. */
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

/** The last sync that an operator started, in a file that the processes of a machine share. */
export class RunRecord {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the record as it was last written; undefined without a valid file. */
  async read(): Promise<RecordedRun | undefined> {
    try {
      const parsed: unknown = JSON.parse(await readBounded(this.#path));
      return isRecord.Check(parsed) ? parsed : undefined;
    } catch {
      return undefined;
    }
  }

  /** Replaces the whole file at once, so readers never see a part. */
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
