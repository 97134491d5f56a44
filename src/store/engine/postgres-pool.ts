import pg from 'pg';
import type { Millis } from '../../domain/day.ts';
import { tellStatement } from '../../lib/channels.ts';
import { waits } from '../../lib/waits.ts';
import type { Connections } from './engine.ts';
import { DatabaseUnavailable, isDeadlock, isUnavailable } from './unavailable.ts';

/** How many connections a process opens at most. */
const MAX_CONNECTIONS = 8;

/** How many may wait for a connection. Statements take milliseconds, so that more means trouble. */
export const MAX_WAITING = 256;

/** Milliseconds to wait for a connection, be it a new one or one that others use. */
const CONNECT_MS = 10_000;

/** How long a connection that nobody uses is kept, in milliseconds. */
const IDLE_MS = 10_000;

/**
 * How long a transaction may do nothing, in milliseconds, before the server ends it: a machine that
 * is gone without a word must not keep its locks. It is as long as the lease of an import.
 */
const IDLE_IN_TRANSACTION_MS = 60_000;
const SET_UP = [`set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`];

/** The function of PostgreSQL that warns when a commit stops waiting for its standby. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

/** Not `now()`, which is when the transaction began. */
const CLOCK = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now';

export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * The connections of this process to a server. A lost server costs a caller a limited time: how many
 * wait, and how long each waits and asks, is bounded. Connections are made anew by themselves.
 *
 * No statement is cancelled at the server, not even one that is given up: a commit whose wait for a
 * standby is cancelled looks like a success. Its connection is closed instead, and whether it had an
 * effect remains unknown to who sent it.
 */
export class ServerPool {
  readonly #pool: pg.Pool;
  /** How long a statement may take, in milliseconds; without an end until it is set. */
  readonly #limit: { query_timeout?: number } = {};
  /** Connections on which a commit stopped waiting for its standby. */
  readonly #unreplicated = new WeakSet<pg.ClientBase>();

  /** `setUp` are statements that every connection starts with. */
  constructor(options: pg.PoolConfig, setUp: readonly string[] = []) {
    this.#pool = new pg.Pool({
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: IDLE_MS,
      // An idle connection is asked now and then whether its server is there.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...options,
    });
    // Without a listener, the end of an idle connection would end the process. The pool replaces it.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => this.#prepare(client, setUp));
  }

  /** For Kysely, which shows them nowhere. */
  get options(): object {
    return this.#pool.options;
  }

  get connections(): Connections {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** From now on gives up what takes longer, be it a statement or the wait for a connection. */
  limitStatements(milliseconds: number): void {
    this.#limit.query_timeout = milliseconds;
    this.#pool.options.connectionTimeoutMillis = milliseconds;
  }

  /**
   * Lends a connection.
   *
   * @throws DatabaseUnavailable at once when too many wait for one.
   */
  async connect(): Promise<ServerConnection> {
    if (this.#pool.waitingCount >= MAX_WAITING) {
      throw new DatabaseUnavailable('Too many statements wait for a connection to the database.');
    }
    const from = performance.now();
    const client = await this.#pool.connect();
    waits.record('connection', from);
    return new ServerConnection(client, this.#limit, () => this.#unreplicated.has(client));
  }

  /** Runs one prepared statement. */
  async query<Row>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
    const connection = await this.connect();
    try {
      return (await connection.run(statement, values)).rows as Row[];
    } finally {
      connection.release();
    }
  }

  /** Runs one prepared statement whose commit waits neither for a disk nor for a standby. */
  async queryAtEase<Row>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
    const connection = await this.connect();
    try {
      await connection.query('begin; set local synchronous_commit = off', []);
      const { rows } = await connection.run(statement, values);
      await connection.query('commit', []);
      return rows as Row[];
    } catch (error) {
      connection.discard();
      throw error;
    } finally {
      connection.release();
    }
  }

  /** The time by the clock of the server. */
  async readClock(): Promise<Millis> {
    const connection = await this.connect();
    try {
      const { rows } = await connection.query(CLOCK, []);
      return rows[0].now;
    } finally {
      connection.release();
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  #prepare(client: pg.PoolClient, setUp: readonly string[]): void {
    // The end of a connection in use fails its statement; the event would end the process.
    client.on('error', () => {});
    client.on('notice', ({ routine }) => {
      if (routine === STANDBY_WAIT) this.#unreplicated.add(client);
    });
    const statements = [...setUp, ...SET_UP];
    client.query(statements.join('; ')).catch(() => client.end());
  }
}

/** Whether the server itself gave a statement up, on a connection that is as good as before. */
function isGivenUp(error: unknown): boolean {
  return (
    isDeadlock(error) || ['55P03', '57014'].includes(String((error as { code?: unknown }).code))
  );
}

/** A connection that is lent to one caller. Once a statement was lost on it, it is closed. */
export class ServerConnection {
  readonly #client: pg.PoolClient;
  readonly #limit: { readonly query_timeout?: number };
  readonly #isUnreplicated: () => boolean;
  #isLost = false;
  /** Whether nothing was run yet: what follows may be in a transaction. */
  #isFresh = true;

  constructor(
    client: pg.PoolClient,
    limit: { readonly query_timeout?: number },
    isUnreplicated: () => boolean,
  ) {
    this.#client = client;
    this.#limit = limit;
    this.#isUnreplicated = isUnreplicated;
  }

  query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    return this.run({ text }, values);
  }

  /**
   * Runs a statement; again when it was undone for a migration to go on, and was alone.
   *
   * @throws DatabaseUnavailable when a statement was lost before, or the commit is on no standby.
   */
  async run(
    statement: { readonly text: string; readonly name?: string },
    values: unknown[],
  ): Promise<pg.QueryResult> {
    // It would wait behind the one that was lost.
    if (this.#isLost) throw new DatabaseUnavailable('The connection to the database was lost.');
    try {
      const result = await this.#ask(statement, values);
      if (!this.#isUnreplicated()) return result;
    } catch (error) {
      this.#isLost ||= isUnavailable(error) && !isGivenUp(error);
      throw error;
    }
    this.#isLost = true;
    throw new DatabaseUnavailable('A commit did not reach the standby of the database.');
  }

  async #ask(
    statement: { readonly text: string; readonly name?: string },
    values: unknown[],
  ): Promise<pg.QueryResult> {
    const isAlone = this.#isFresh;
    this.#isFresh = false;
    const query = () => this.#client.query({ ...statement, values, ...this.#limit });
    const ask = () => tellStatement(statement.text, query);
    return ask().catch((error) => {
      if (isAlone && isDeadlock(error)) return ask();
      throw error;
    });
  }

  /** Has the connection closed at its release: what it is in the middle of is undone. */
  discard(): void {
    this.#isLost = true;
  }

  /** Gives the connection back, or closes it. */
  release(destroy = false): void {
    this.#client.release(destroy || this.#isLost);
  }
}
