import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { dayOf, formatDay, type Millis, MS_PER_DAY } from '../../domain/day.ts';
import type { Finding } from '../../domain/finding.ts';
import { isPostgres } from '../../domain/location.ts';
import { good, warning, wrong } from './finding.ts';

interface Settings {
  readonly config: { readonly publicUrl: string; readonly database: string };
  readonly clock: () => Millis;
}

/** Renewals begin 30 days before the end, so later than this they have failed. */
const NEAR_END: Millis = 14 * MS_PER_DAY;

/** How long a server may take to show its certificate, in milliseconds. */
const TIMEOUT_MS = 3000;

/**
 * Finds certificates that end soon: of the address of the service, and of the PostgreSQL server.
 * A server that cannot be reached from here, or that does not use TLS, gives no finding.
 */
export async function checkCertificates({ config, clock }: Settings): Promise<Finding[]> {
  const { publicUrl, database } = config;
  const ends = await Promise.all([
    publicUrl.startsWith('https://') ? endOf(new URL(publicUrl), 443) : undefined,
    isPostgres(database) ? endOf(URL.parse(database), 5432, askPostgres) : undefined,
  ]);
  return ends.flatMap((end) => (end ? [findingOf(end, clock())] : []));
}

/** When the certificate of a server ends. */
interface CertificateEnd {
  readonly host: string;
  readonly at: Millis;
}

function findingOf({ host, at }: CertificateEnd, now: Millis): Finding {
  const day = formatDay(dayOf(at));
  if (at <= now) {
    const fix = 'Renew it, and find out why it was not renewed by itself.';
    return wrong('certificates', `The certificate of ${host} ended on ${day}.`, fix);
  }
  const says = `The certificate of ${host} ends on ${day}.`;
  if (at - now > NEAR_END) return good('certificates', says);
  return warning('certificates', says, 'Renew it, and check that it is renewed by itself.');
}

/** Makes a server begin TLS. @throws Error if it does not use TLS. */
type Ask = (socket: Socket, signal: AbortSignal) => Promise<void>;

/** Returns when the certificate of a server ends; undefined if it shows none in time. */
async function endOf(
  url: URL | null,
  usualPort: number,
  ask: Ask = async () => {},
): Promise<CertificateEnd | undefined> {
  if (!url?.hostname) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(url.port) || usualPort }).on('error', () => {});
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    await once(socket, 'connect', { signal });
    await ask(socket, signal);
    return { host, at: await certificateEnd(socket, host, signal) };
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
  // A certificate that nobody else would trust has an end as well.
  const secured = connectTls({ socket, ...name, rejectUnauthorized: false });
  secured.on('error', () => {});
  await once(secured, 'secureConnect', { signal });
  return Date.parse(secured.getPeerCertificate().valid_to) as Millis;
}
