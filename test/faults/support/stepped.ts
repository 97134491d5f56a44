import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Millis, MS_PER_DAY } from '../../../src/domain/day.ts';
import { isPostgres } from '../../../src/domain/location.ts';
import { temporaryFolder } from '../../support/cli.ts';

const PRELOAD = new URL('stepped-clock.ts', import.meta.url).href;

/** A clock of a machine that programs go by, and that a test sets while they run. */
export class SteppedClock {
  readonly #file = join(temporaryFolder(), 'offset');
  /** What it is ahead of the time, in milliseconds. */
  #offset = 0;

  constructor() {
    this.#write();
  }

  /** What a program needs in its environment to go by it. */
  get env(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import ${PRELOAD}`, STEPPED_CLOCK: this.#file };
  }

  get now(): Millis {
    return Date.now() + this.#offset;
  }

  /**
   * Sets it forward, or back with less than 0 milliseconds. Programs see it within some of them.
   */
  async step(milliseconds: number): Promise<void> {
    this.#offset += milliseconds;
    this.#write();
  }

  /** Sets it forward to some milliseconds before the next midnight (UTC). */
  stepTowardsMidnight(before: number): Promise<void> {
    return this.step(MS_PER_DAY - (this.now % MS_PER_DAY) - before);
  }

  #write(): void {
    writeFileSync(this.#file, String(this.#offset));
  }
}

/** The clock of everything that uses a database: with PostgreSQL the server's. */
export class SharedClock extends SteppedClock {
  readonly #location: string;

  private constructor(location: string) {
    super();
    this.#location = location;
  }

  static async of(location: string): Promise<SharedClock> {
    const clock = new SharedClock(location);
    await clock.#query(`create table clock_offset (milliseconds bigint not null);
      insert into clock_offset values (0);
      create function clock_timestamp() returns timestamptz language sql as
        'select pg_catalog.clock_timestamp() + milliseconds * interval ''1 ms'' from clock_offset';
      do $$ begin
        -- Functions of the schema come before PostgreSQL's own.
        execute format('alter database %I set search_path = public, pg_catalog', current_database());
      end $$`);
    return clock;
  }

  /** As of a machine; with PostgreSQL programs see it within some seconds. */
  override async step(milliseconds: number): Promise<void> {
    await this.#query(`update clock_offset set milliseconds = milliseconds + ${milliseconds}`);
    await super.step(milliseconds);
  }

  async #query(statements: string): Promise<void> {
    if (!isPostgres(this.#location)) return;
    const client = new pg.Client({ connectionString: this.#location });
    await client.connect();
    await client.query(statements).finally(() => client.end());
  }
}
