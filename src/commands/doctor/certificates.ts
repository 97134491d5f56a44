import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { dayOf, formatDay, type Millis, MS_PER_DAY } from '../../domain/day.ts';
import type { Finding } from '../../domain/finding.ts';
import { isPostgres } from '../../domain/location.ts';
import { good, warning, wrong } from './finding.ts';

interface Settings {
  readonly config: {
    readonly publicUrl: string;
    readonly database: string;
    readonly databaseReplica: string;
  };
  readonly clock: () => Millis;
}

/** Renewals begin 30 days before expiry, so any later they must have failed. */
const NEAR_END: Millis = 14 * MS_PER_DAY;

/** How long a server may take to show its certificate, in milliseconds. */
const TIMEOUT_MS = 3000;

/**
 * Finds certificates that expire soon: of the service's address, of PostgreSQL servers, and in
 * files named by PostgreSQL URLs. A server that cannot be reached from here, or that does not use
 * TLS, gives no finding.
 */
export async function checkCertificates({ config, clock }: Settings): Promise<Finding[]> {
  const { publicUrl, database, databaseReplica } = config;
  const servers = [database, databaseReplica].filter(isPostgres).flatMap((url) => {
    return URL.parse(url) ?? [];
  });
  const ends = await Promise.all([
    publicUrl.startsWith('https://') ? endOf(new URL(publicUrl), 443) : undefined,
    ...servers.map((url) => endOf(url, 5432, askPostgres)),
  ]);
  const files = new Set(servers.flatMap(filesOf));
  const all = [...ends, ...[...files].map(endOfFile)];
  return all.flatMap((end) => (end ? [findingOf(end, clock())] : []));
}

/** The parameters of a PostgreSQL URL that name files with certificates. */
const FILE_PARAMETERS = ['sslcert', 'sslrootcert'];

function filesOf({ searchParams }: URL): string[] {
  return FILE_PARAMETERS.flatMap((name) => searchParams.getAll(name));
}

/** Returns when the first certificate of a file expires; undefined if it cannot be read. */
function endOfFile(path: string): CertificateEnd | undefined {
  try {
    const blocks = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----.*?-----END/gs);
    const ends = (blocks ?? []).map((pem) => {
      return Date.parse(new X509Certificate(`${pem} CERTIFICATE-----`).validTo);
    });
    return ends.length > 0 ? { of: path, at: Math.min(...ends) as Millis } : undefined;
  } catch {
    // Connecting to the database then fails with the reason.
    return undefined;
  }
}

/** The expiry of a certificate, from a server or a file. */
interface CertificateEnd {
  /** The host of the server, or the path. */
  readonly of: string;
  readonly at: Millis;
}

function findingOf({ of, at }: CertificateEnd, now: Millis): Finding {
  const day = formatDay(dayOf(at));
  if (at <= now) {
    const fix = 'Renew it, and find out why it was not renewed by itself.';
    return wrong('certificates', `The certificate of ${of} ended on ${day}.`, fix);
  }
  const says = `The certificate of ${of} ends on ${day}.`;
  if (at - now > NEAR_END) return good('certificates', says);
  return warning('certificates', says, 'Renew it, and check that it is renewed by itself.');
}

/** Makes a server start TLS. @throws Error if it does not use TLS. */
type Ask = (socket: Socket, signal: AbortSignal) => Promise<void>;

/** Returns when the certificate of a server expires; undefined if it shows none in time. */
async function endOf(
  url: URL,
  usualPort: number,
  ask: Ask = async () => {},
): Promise<CertificateEnd | undefined> {
  if (!url.hostname) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(url.port) || usualPort }).on('error', () => {});
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    await once(socket, 'connect', { signal });
    await ask(socket, signal);
    return { of: host, at: await certificateEnd(socket, host, signal) };
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

/** The message by which a client of PostgreSQL asks for TLS. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

async function askPostgres(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(SSL_REQUEST);
  const [answer] = (await once(socket, 'data', { signal })) as [Buffer];
  if (answer.toString() !== 'S') throw new Error('The server does not use TLS.');
}

async function certificateEnd(socket: Socket, host: string, signal: AbortSignal): Promise<Millis> {
  const name = isIP(host) === 0 ? { servername: host } : {};
  // An untrusted certificate also has an expiry.
  const secured = connectTls({ socket, ...name, rejectUnauthorized: false });
  secured.on('error', () => {});
  await once(secured, 'secureConnect', { signal });
  return Date.parse(secured.getPeerCertificate().valid_to) as Millis;
}
