import { OperatorError } from '../../domain/errors.ts';

/** Recognises the errors that mean a database is temporarily unavailable. */

/** Prefixes of SQLite's result codes for files that are locked, gone, damaged or full. */
const SQLITE_CODES = [
  ...['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_PROTOCOL', 'SQLITE_CANTOPEN', 'SQLITE_IOERR'],
  ...['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_NOTADB', 'SQLITE_CORRUPT', 'SQLITE_NOMEM'],
  'SQLITE_PERM',
];

/**
 * Prefixes of PostgreSQL's SQLSTATEs for a server that is lost, stopping, starting, out of
 * resources, read-only after a failover, or that no longer knows the database or its user.
 */
const SQLSTATES = [
  ...['08', '53', '57P', '58', 'XX001', 'XX002', '25006', '28', '3D'],
  // Timeouts of locks and statements, and deadlocks.
  ...['55P03', '57014', '40P01'],
];

/** Network error codes for a server that cannot be reached. */
const NETWORK_CODES = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE'],
];

/** Messages of driver errors that have no code. */
const MESSAGES = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect$/,
  /^Query read timeout$/,
  /is not queryable$/,
  /^Cannot use a pool after calling end/,
  /^The database connection is not open$/,
];

/** The database is temporarily unavailable, as detected by Cardprice. */
export class DatabaseUnavailable extends Error {}

/** Levels of errors and causes to examine. */
const MAX_CAUSES = 3;

/** Advice for the operator, by prefixes of error codes. */
const REMEDIES: readonly (readonly [codes: readonly string[], remedy: string])[] = [
  [['SQLITE_FULL', '53100'], 'Free space on its disk. The service then continues on its own.'],
  [
    ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ'],
    'One of its files is damaged: stop the service, restore a backup (cardprice restore), start it.',
  ],
  [
    ['SQLITE_IOERR'],
    'Its disk is full, over a quota, or failing. The service continues once the disk works.',
  ],
  [
    ['SQLITE_BUSY'],
    'Another program keeps one of its files locked. The service continues once that program ends.',
  ],
  [
    ['SQLITE_CANTOPEN', 'SQLITE_PERM', 'SQLITE_READONLY'],
    'The user of the service must be able to write its files and their folder.',
  ],
];

/**
 * Whether an error of a store, or its cause, means that the database is temporarily unavailable.
 * The call was correct and may succeed later.
 */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return false;
  if (error instanceof DatabaseUnavailable) return true;
  const { code, message, cause } = error as NodeJS.ErrnoException;
  if (MESSAGES.some((known) => known.test(message))) return true;
  if (typeof code === 'string' && isUnavailableCode(code)) return true;
  return isUnavailable(cause, depth + 1);
}

/**
 * Prefixes of PostgreSQL's SQLSTATEs for a server that is lost, stopping, starting, or a standby.
 */
const OUTAGE_SQLSTATES = ['08', '57P', '25006'];

/** Network error codes that concern this process rather than a server. */
const OWN_NETWORK_CODES = ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL'];

/**
 * Whether an error means that the PostgreSQL server was lost, as in a failover. Another server is
 * likely to answer soon. Errors for the operator concern something else, such as a source.
 */
export function isOutage(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || error instanceof OperatorError) return false;
  if (depth > MAX_CAUSES) return false;
  if (error instanceof DatabaseUnavailable) return true;
  const { code, message, cause } = error as NodeJS.ErrnoException;
  if (MESSAGES.some((known) => known.test(message))) return true;
  if (typeof code === 'string' && isOutageCode(code)) return true;
  return isOutage(cause, depth + 1);
}

function isOutageCode(code: string): boolean {
  if (NETWORK_CODES.includes(code)) return !OWN_NETWORK_CODES.includes(code);
  return code.length === 5 && OUTAGE_SQLSTATES.some((known) => code.startsWith(known));
}

/** Whether PostgreSQL aborted a statement because it waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === '55P03';
}

/** Whether PostgreSQL aborted a statement because of a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === '40P01';
}

/** Returns advice for the operator about an error; undefined if its message already contains it. */
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
