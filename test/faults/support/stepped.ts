import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Millis, MS_PER_DAY } from '../../../src/domain/day.ts';
import { temporaryFolder } from '../../support/cli.ts';

const PRELOAD = new URL('stepped-clock.ts', import.meta.url).href;

/** A clock that programs go by, and that a test sets while they run. It runs like that of the system. */
export class SteppedClock {
  readonly #file = join(temporaryFolder(), 'offset');
  /** What it is ahead of the time, in milliseconds. */
  #offset = 0;

  constructor() {
    this.step(0);
  }

  /** What a program needs in its environment to go by it. */
  get env(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import ${PRELOAD}`, STEPPED_CLOCK: this.#file };
  }

  get now(): Millis {
    return Date.now() + this.#offset;
  }

  /** Sets it forward, or back with less than 0 milliseconds. Programs see it within some of them. */
  step(milliseconds: number): void {
    this.#offset += milliseconds;
    writeFileSync(this.#file, String(this.#offset));
  }

  /** Sets it forward to some milliseconds before the next midnight (UTC). */
  stepTowardsMidnight(before: number): void {
    this.step(MS_PER_DAY - (this.now % MS_PER_DAY) - before);
  }
}
