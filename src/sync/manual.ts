import pLimit from 'p-limit';
import type { Millis } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { SyncRun, SyncRunState } from '../domain/sync-run.ts';
import { type ChildOutcome, reasonOf, SyncChild } from './child.ts';
import { LineLog } from './line-log.ts';
import { RunRecord } from './run-record.ts';

export interface ManualSyncOptions {
  /** The program that syncs one source, or all with null, and its arguments. */
  readonly command: (source: string | null) => readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The file that keeps the last run. */
  readonly file: string;
  readonly clock: () => Millis;
  /** @throws OperatorError while any other process syncs. */
  readonly requireFree: () => Promise<void>;
  /** How the program ends when parts of a source were broken. */
  readonly incompleteCode: number;
  /** Whether a line only tells how far it is. */
  readonly isProgress: (line: string) => boolean;
  /** Called when a run ends. */
  readonly onEnd: (run: SyncRun) => void;
  /** Called when the run cannot be written down; it goes on. */
  readonly onError: (error: unknown) => void;
}

/** How often a run that is under way is written down. */
const WRITE_MS = 1000;
/** A run that was not written down for so long has ended with its service. */
const LOST_MS = 30_000;

/** Syncs that operators start by hand: one at a time, in processes of their own. */
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
   * Starts to sync a source, or all with null, and returns at once.
   *
   * @throws OperatorError while a sync is running, of this process or another.
   */
  start(source: string | null): Promise<SyncRun> {
    return this.#starts(() => this.#start(source));
  }

  /** The last run, which may be under way; null before the first. */
  async read(): Promise<SyncRun | null> {
    const recorded = await this.#record.read();
    if (!recorded) return null;
    const { writtenAt, ...run } = recorded;
    const isLost = run.state === 'running' && this.#options.clock() - writtenAt > LOST_MS;
    return isLost ? { ...run, state: 'interrupted' } : run;
  }

  /** Ends the run that is under way, and begins no more. */
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
      ...{ source, startedAt: clock(), endedAt: null, state: 'running' },
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
    // The service may have begun to stop since the start was asked for.
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
