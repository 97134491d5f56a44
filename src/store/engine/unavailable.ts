import { OperatorError } from '../../domain/errors.ts';

/** What the engines report when a database cannot be used at the moment, whatever is asked of it. */

/** The beginnings of SQLite's result codes for files that are locked, gone, damaged or full. */
const SQLITE_CODES = [
  ...['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_PROTOCOL', 'SQLITE_CANTOPEN', 'SQLITE_IOERR'],
  ...['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_NOTADB', 'SQLITE_CORRUPT', 'SQLITE_NOMEM'],
  'SQLITE_PERM',
];

/**
 * The beginnings of PostgreSQL's SQLSTATEs for a server that is lost, stopping, starting, without
 * resources, read-only after a failover, or that does not know the database or its user any more.
 */
const SQLSTATES = [
  ...['08', '53', '57P', '58', 'XX001', 'XX002', '25006', '28', '3D'],
  // Locks and statements that took too long, and deadlocks.
  ...['55P03', '57014', '40P01'],
];

/** What the network reports of a server that is not reached. */
const NETWORK_CODES = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE'],
];

/** What the drivers say without a code. */
const MESSAGES = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect$/,
  /^Query read timeout$/,
  /is not queryable$/,
  /^Cannot use a pool after calling end/,
  /^The database connection is not open$/,
];

/** The database cannot be used at the moment, for a reason of our own. */
export class DatabaseUnavailable extends Error {}

/** Errors are looked through to the cause of their cause, and no further. */
const MAX_CAUSES = 3;

/** What an operator does about errors, by the beginnings of their codes. */
const REMEDIES: readonly (readonly [codes: readonly string[], remedy: string])[] = [
  [['SQLITE_FULL', '53100'], 'Make room on its disk; the service goes on by itself.'],
  [
    ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ'],
    'A file of it is damaged: stop the service, restore a backup (cardprice restore), and start it.',
  ],
  [['SQLITE_IOERR'], 'Its disk is full, over a limit, or failing; the service goes on by itself.'],
  [['SQLITE_BUSY'], 'Another program keeps a file of it locked: end that; the service goes on.'],
  [
    ['SQLITE_CANTOPEN', 'SQLITE_PERM', 'SQLITE_READONLY'],
    'The user of the service must be able to write its files and their folder.',
  ],
];

/**
 * Whether an error of a store, or a cause of it, says that the database cannot be used at the
 * moment. The same call may succeed later; nothing was wrong with what it asked.
 */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return false;
  if (error instanceof DatabaseUnavailable) return true;
  const { code, message, cause } = error as NodeJS.ErrnoException;
  if (MESSAGES.some((known) => known.test(message))) return true;
  if (typeof code === 'string' && isUnavailableCode(code)) return true;
  return isUnavailable(cause, depth + 1);
}

/** Whether PostgreSQL undid a statement because it and another one waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === '40P01';
}

/** What an operator does about an error of a store; undefined where its message says it already. */
export function remedyFor(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof OperatorError) return undefined;
  const code = String((error as NodeJS.ErrnoException).code);
  return REMEDIES.find(([codes]) => codes.some((known) => code.startsWith(known)))?.[1];
}

function isUnavailableCode(code: string): boolean {
  if (code.startsWith('SQLITE_')) return SQLITE_CODES.some((known) => code.startsWith(known));
  if (NETWORK_CODES.includes(code)) return true;
  return code.length === 5 && SQLSTATES.some((known) => code.startsWith(known));
}
