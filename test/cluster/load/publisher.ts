import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MS_PER_DAY } from '../../../src/domain/day.ts';
import { CatalogueTree } from '../catalogue.ts';
import { now, type Recorder } from './recorder.ts';

/** An import that takes longer is killed: it waits for a database that does not come back. */
const PATIENCE_MS = 60_000;

/** How long before a run the first publication of its day was observed. */
const HOUR_MS = 3_600_000;

/** How to publish. */
interface Publishing {
  /** The command; an import without it. */
  readonly by?: 'import' | 'sync';
  /** After how many milliseconds it is killed. */
  readonly killAfter?: number;
}

/** Imports one publication after the other, as an operator does; the next of those written down. */
export class Publisher {
  readonly #database: string;
  readonly #tree: CatalogueTree;
  readonly #recorder: Recorder;
  readonly #main: string;
  #child: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(database: string, folder: string, recorder: Recorder, main: string) {
    this.#database = database;
    this.#tree = new CatalogueTree(folder);
    this.#recorder = recorder;
    this.#main = main;
  }

  /**
   * Publishes once, after what is being published. Resolves with the output when it failed, else
   * with undefined.
   */
  publish(how: Publishing = {}): Promise<string | undefined> {
    const publication = this.#last.then(() => this.#publish(how));
    this.#last = publication.catch(() => {});
    return publication;
  }

  async #publish(how: Publishing): Promise<string | undefined> {
    const number = this.#recorder.publications.length;
    const today = Math.floor(this.#recorder.begun / 1000) * 1000 - HOUR_MS + number * 1000;
    const observedAt = number === 0 ? today - MS_PER_DAY : today;
    this.#tree.write(number, new Date(observedAt));
    const sent = now();
    const failure = await this.#import(how);
    const acknowledged = failure === undefined ? now() : null;
    this.#recorder.publications.push({ number, observedAt, sent, acknowledged });
    return failure;
  }

  /** Begins a publication every so many milliseconds until `stop`. */
  async run(interval: number): Promise<void> {
    while (!this.#isOver) await Promise.all([this.publish(), sleep(interval)]);
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Ends an import that is running. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  async #import({ by = 'import', killAfter }: Publishing): Promise<string | undefined> {
    const { folder } = this.#tree;
    const command = by === 'import' ? ['import', 'tcgcsv', folder] : ['sync'];
    const child = spawn(process.execPath, [this.#main, '--database', this.#database, ...command], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, CARDPRICE_SYNC_FROM: `tcgcsv=${folder}` },
      timeout: killAfter ?? PATIENCE_MS,
      killSignal: 'SIGKILL',
    });
    this.#child = child;
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await once(child, 'close');
    return child.exitCode === 0 ? undefined : `exit ${child.exitCode}: ${output}`;
  }
}
