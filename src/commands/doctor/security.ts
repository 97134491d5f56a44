import { existsSync } from 'node:fs';
import { operatorsWithoutSecondFactor } from '../../accounts/account-sql.ts';
import { listAudit } from '../../accounts/audit/audit-sql.ts';
import type { Config } from '../../config/config.ts';
import { type Millis, MS_PER_DAY } from '../../domain/day.ts';
import type { Finding } from '../../domain/finding.ts';
import { isPostgres } from '../../domain/location.ts';
import { newestBackup } from '../../store/backup/backup.ts';
import type { Store } from '../../store/connect.ts';
import { lastArchivedAt } from '../../store/reports/health.ts';
import { backupFolder } from '../files.ts';
import { good, warning } from './finding.ts';

type Settings = Pick<
  Config,
  | 'database'
  | 'databaseReplica'
  | 'host'
  | 'publicUrl'
  | 'trustProxy'
  | 'queryKeys'
  | 'operatorSecondFactor'
>;

interface Exposed {
  readonly config: Settings;
  readonly isContainer: boolean;
}

/** Files that exist only in containers of Docker, Podman and Kubernetes. */
const CONTAINER_FILES = ['/.dockerenv', '/run/.containerenv', '/run/secrets/kubernetes.io'];

/** Whether this program runs in a container. */
export function runsInContainer(): boolean {
  return CONTAINER_FILES.some((file) => existsSync(file));
}

const LOOPBACK = ['127.0.0.1', '::1', '[::1]', 'localhost'];
const EVERYWHERE = ['0.0.0.0', '::'];

/** Whether people other than the users of this machine can reach the service. */
function isExposed({ host, publicUrl }: Settings): boolean {
  return publicUrl !== '' || !LOOPBACK.includes(host);
}

/** The host of a PostgreSQL server elsewhere whose connections others could read or change. */
function readableBy(location: string): string | undefined {
  const { hostname, searchParams } = (isPostgres(location) && URL.parse(location)) || {};
  if (!hostname || !searchParams || LOOPBACK.includes(hostname)) return undefined;
  return searchParams.get('sslmode') === 'verify-full' ? undefined : hostname;
}

/** Finds ways around a reverse proxy, API keys that end up in logs, and readable connections. */
export function checkExposure({ config, isContainer }: Exposed): Finding[] {
  const findings: Finding[] = [];
  if (!isContainer && EVERYWHERE.includes(config.host) && config.trustProxy.length > 0) {
    const says = `The service listens on ${config.host}, so callers can bypass its reverse proxy.`;
    const fix = 'Set CARDPRICE_HOST to the address at which the proxy reaches it: 127.0.0.1 here.';
    findings.push(warning('settings', says, fix));
  }
  if (config.queryKeys && isExposed(config)) {
    const says = 'API keys are accepted in URLs, which end up in logs and browser histories.';
    const fix = 'Set CARDPRICE_QUERY_KEYS=off once all callers send the X-API-Key header.';
    findings.push(warning('settings', says, fix));
  }
  for (const host of new Set([config.database, config.databaseReplica].map(readableBy))) {
    if (host === undefined) continue;
    const says = `Others on the network may read or change what is sent to PostgreSQL at ${host}.`;
    const unless = isContainer ? ' Containers on one machine do not need it.' : '';
    const fix = `Add sslmode=verify-full&sslrootcert=FILE to its URL.${unless}`;
    findings.push(warning('settings', says, fix));
  }
  return findings;
}

/** The number of addresses shown. */
const SHOWN = 5;

/** Finds operators whose accounts can be taken over with only a stolen password. */
export async function checkSecondFactors(
  { accounts: { db } }: Store,
  { config }: Pick<Exposed, 'config'>,
): Promise<Finding[]> {
  if (!isExposed(config)) return [];
  const emails = await operatorsWithoutSecondFactor(db);
  if (emails.length === 0) return [];
  const shown = emails.slice(0, SHOWN).join(', ') + (emails.length > SHOWN ? ', …' : '');
  const require = config.operatorSecondFactor
    ? ''
    : ' CARDPRICE_OPERATOR_SECOND_FACTOR=on makes it necessary.';
  const fix = `Add an authenticator app or a passkey on *Account*.${require}`;
  return [warning('accounts', `Operators without a second factor: ${shown}.`, fix)];
}

/** The longest acceptable loss for a database that changes every day. */
const LONGEST_WITHOUT_BACKUP: Millis = 7 * MS_PER_DAY;

/**
 * Finds a database without a recent backup: one made by `cardprice backup` or, with PostgreSQL, a
 * growing archive of the server. Other backups leave no trace in the database.
 */
export async function checkBackups(
  store: Store,
  { config: { database } }: Pick<Exposed, 'config'>,
): Promise<Finding[]> {
  const [recorded] = await listAudit(
    store.accounts.db,
    { action: 'backed-up' },
    { limit: 1, offset: 0 },
  );
  const elsewhere = isPostgres(database)
    ? await lastArchivedAt(store)
    : newestBackup(backupFolder(database));
  const newest = Math.max(recorded?.at ?? 0, elsewhere ?? 0);
  if (newest >= store.clock() - LONGEST_WITHOUT_BACKUP) {
    return [good('backups', 'There is a backup of the last 7 days.')];
  }
  const fix = 'Make one every day: `cardprice backup --output FOLDER`, on another disk.';
  return [warning('backups', 'No backup of the last 7 days is recorded.', fix)];
}
