import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MS_PER_DAY } from '../../../src/domain/day.ts';
import { MAIN } from '../../support/main-module.ts';
import { CatalogueTree } from '../catalogue.ts';
import { now, type Recorder } from './recorder.ts';

/** An import that takes longer is killed: it waits for a database that does not come back. */
const PATIENCE_MS = 60_000;

/** How long before a run the first publication of its day was observed. */
const HOUR_MS = 3_600_000;

/** Imports one publication after the other, as an operator does; the next of those written down. */
export class Publisher {
  readonly #database: string;
  readonly #tree: CatalogueTree;
  readonly #recorder: Recorder;
  #child: ChildProcess | undefined;
  #isOver = false;

  constructor(database: string, folder: string, recorder: Recorder) {
    this.#database = database;
    this.#tree = new CatalogueTree(folder);
    this.#recorder = recorder;
  }

  /** Publishes once. Resolves with the output when it failed, else with undefined. */
  async publish(): Promise<string | undefined> {
    const number = this.#recorder.publications.length;
    const today = Math.floor(this.#recorder.begun / 1000) * 1000 - HOUR_MS + number * 1000;
    const observedAt = number === 0 ? today - MS_PER_DAY : today;
    this.#tree.write(number, new Date(observedAt));
    const sent = now();
    const failure = await this.#import();
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

  async #import(): Promise<string | undefined> {
    const args = ['--database', this.#database, 'import', 'tcgcsv', this.#tree.folder];
    const child = spawn(process.execPath, [MAIN, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: PATIENCE_MS,
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
