import pg from 'pg';
import type { Millis } from '../../domain/day.ts';
import { tellStatement } from '../../lib/channels.ts';
import { waits } from '../../lib/waits.ts';
import type { Connections } from './engine.ts';
import { DatabaseUnavailable, isDeadlock, isUnavailable } from './unavailable.ts';

/** The maximum number of connections of a process. */
const MAX_CONNECTIONS = 8;

/**
 * Callers that may wait for a connection. Statements take milliseconds, so a longer queue means
 * trouble.
 */
export const MAX_WAITING = 256;

/** How long to wait for a connection, whether new or in use, in milliseconds. */
const CONNECT_MS = 10_000;

/** How long an idle connection is kept, in milliseconds. */
const IDLE_MS = 10_000;

/**
 * How long no further connection is tried after the server had no room for one, in milliseconds.
 */
const FULL_MS = 5000;

/**
 * How long a transaction may be idle, in milliseconds, before the server ends it. This releases the
 * locks of a machine that vanished. It is as long as the lease of an import.
 */
const IDLE_IN_TRANSACTION_MS = 60_000;
const SET_UP = [`set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`];

/** The PostgreSQL function that warns when a commit stops waiting for its standby. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

/** Not `now()`: that is the start of the transaction. */
const CLOCK = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now';

export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * The connections of this process to a server. When the server is lost, callers fail after a
 * limited time: the number of waiting callers, each wait and each statement are bounded. The pool
 * reconnects by itself.
 *
 * The pool never cancels a statement at the server, because a commit looks successful when its wait
 * for a standby is cancelled. Instead it closes the connection of a statement that takes too long.
 * The caller does not learn whether the statement took effect.
 */
export class ServerPool {
  readonly #pool: pg.Pool;
  /** How long a statement may take, in milliseconds; unlimited until set. */
  readonly #limit: { query_timeout?: number } = {};
  /** The most connections, as far as the server has room. */
  readonly #max: number;
  #growing: NodeJS.Timeout | undefined;
  /** Connections on which a commit stopped waiting for its standby. */
  readonly #unreplicated = new WeakSet<pg.ClientBase>();

  /** @param setUp Statements to run on every new connection. */
  constructor(options: pg.PoolConfig, setUp: readonly string[] = []) {
    this.#pool = new pg.Pool({
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: IDLE_MS,
      // Detects a lost server on idle connections.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...options,
    });
    this.#max = this.#pool.options.max;
    // Without a listener, losing an idle connection would end the process. The pool replaces it.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => this.#prepare(client, setUp));
  }

  /** Required by Kysely, which does not use it. */
  get options(): object {
    return this.#pool.options;
  }

  get connections(): Connections {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** Limits each later statement, and each wait for a connection. */
  limitStatements(milliseconds: number): void {
    this.#limit.query_timeout = milliseconds;
    this.#pool.options.connectionTimeoutMillis = milliseconds;
  }

  /**
   * Lends a connection.
   *
   * @throws DatabaseUnavailable at once if too many callers wait already.
   */
  async connect(): Promise<ServerConnection> {
    if (this.#pool.waitingCount >= MAX_WAITING) {
      throw new DatabaseUnavailable('Too many statements wait for a connection to the database.');
    }
    const from = performance.now();
    const client = await this.#lend();
    waits.record('connection', from);
    return new ServerConnection(client, this.#limit, () => this.#unreplicated.has(client));
  }

  /** Lends a connection. If the server has no room for another, lends an existing one. */
  async #lend(): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return await this.#pool.connect();
      } catch (error) {
        if (!isServerFull(error) || this.#pool.totalCount === 0) throw error;
        this.#keepToSizeForNow();
      }
    }
  }

  /** Stops the pool from opening further connections for a while, so callers queue instead. */
  #keepToSizeForNow(): void {
    const { options, totalCount } = this.#pool;
    options.max = totalCount;
    clearTimeout(this.#growing);
    this.#growing = setTimeout(() => {
      options.max = this.#max;
    }, FULL_MS).unref();
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

  /** Runs one prepared statement whose commit waits for neither disk nor standby. */
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

  /** Returns the time on the clock of the server. */
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
    // A lost connection already fails its statement. Unhandled, this event would end the process.
    client.on('error', () => {});
    client.on('notice', ({ routine }) => {
      if (routine === STANDBY_WAIT) this.#unreplicated.add(client);
    });
    const statements = [...setUp, ...SET_UP];
    client.query(statements.join('; ')).catch(() => client.end());
  }
}

/** Whether the server has reached its limit of connections, in total or for this user. */
function isServerFull(error: unknown): boolean {
  return (error as { code?: unknown }).code === '53300';
}

/** Whether the server aborted the statement, which leaves the connection usable. */
function isGivenUp(error: unknown): boolean {
  return (
    isDeadlock(error) || ['55P03', '57014'].includes(String((error as { code?: unknown }).code))
  );
}

/** A connection lent to one caller. After a lost statement it is closed instead of reused. */
export class ServerConnection {
  readonly #client: pg.PoolClient;
  readonly #limit: { readonly query_timeout?: number };
  readonly #isUnreplicated: () => boolean;
  #isLost = false;
  /** Whether no statement has run yet. Later statements may be inside a transaction. */
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
   * Runs a statement. Retries it after a deadlock, such as with a migration, if it is the first
   * statement on this connection.
   *
   * @throws DatabaseUnavailable if a statement was lost before, or a commit reached no standby.
   */
  async run(
    statement: { readonly text: string; readonly name?: string },
    values: unknown[],
  ): Promise<pg.QueryResult> {
    // The new statement would queue behind the lost one.
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

  /** Marks the connection to be closed on release, which rolls back any open transaction. */
  discard(): void {
    this.#isLost = true;
  }

  /** Returns the connection to the pool, or closes it. */
  release(destroy = false): void {
    this.#client.release(destroy || this.#isLost);
  }
}
