import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { HOST, type Layout } from './layout.ts';
import { otherUser } from './processes.ts';

/** The certificates of a local cluster, created by the script in deploy/cluster/. */

const SCRIPT = fileURLToPath(new URL('../../deploy/cluster/certificates.sh', import.meta.url));

/** The paths at which the files of deploy/cluster/ expect the certificates of a machine. */
const INSTALLED = '/etc/cardprice/tls';

/** The folder of the certificates of a machine. */
export function tlsFolder(folder: string, machine: string): string {
  return join(folder, 'certificates', machine);
}

/** Makes a file of deploy/cluster/ use the local paths of a machine's certificates. */
export function withCertificates(text: string, tls: string): string {
  return text.replaceAll(INSTALLED, tls);
}

/** Creates an authority, unless the folder has one, and new certificates for all machines. */
export async function makeCertificates(folder: string, layout: Layout): Promise<void> {
  const authority = join(folder, 'certificates');
  if (!existsSync(authority)) await runScript(authority, 'ca');
  await Promise.all([
    ...layout.databases.map(({ name }) => runScript(authority, 'database', name, HOST)),
    ...layout.nodes.map(({ name }) => runScript(authority, 'node', name, HOST)),
    runScript(authority, 'monitor', 'monitor-1', HOST),
  ]);
  for (const { name } of layout.databases) giveToPostgres(authority, name);
}

async function runScript(authority: string, ...command: readonly string[]): Promise<void> {
  await promisify(execFile)('sh', [SCRIPT, '--folder', authority, ...command]);
}

/**
 * If this process runs as root, PostgreSQL runs as another user, who needs a key and access to it.
 */
function giveToPostgres(authority: string, machine: string): void {
  const user = otherUser();
  if (!user) return;
  for (const path of [authority, join(authority, machine)]) chmodSync(path, 0o711);
  for (const name of ['ca.crt', 'patroni.crt', 'patroni.key']) {
    chownSync(join(authority, machine, name), user.uid, user.gid);
  }
}

/** Reads a certificate of a machine, with its key and the authority that the machine trusts. */
export function readCertificate(folder: string, machine: string, name: string) {
  const read = (file: string) => readFileSync(join(tlsFolder(folder, machine), file));
  return { ca: read('ca.crt'), cert: read(`${name}.crt`), key: read(`${name}.key`) };
}

/**
 * The URL of a database of the local cluster, by a port of a server or proxy, for the nodes' user
 * or the superuser.
 */
export function databaseUrl(folder: string, port: number, user = 'cardprice'): string {
  const isNode = user === 'cardprice';
  const tls = tlsFolder(folder, isNode ? 'node-1' : 'database-1');
  const name = isNode ? 'cardprice' : 'patroni';
  const parameters = new URLSearchParams({
    sslmode: 'verify-full',
    sslrootcert: join(tls, 'ca.crt'),
    sslcert: join(tls, `${name}.crt`),
    sslkey: join(tls, `${name}.key`),
  });
  return `postgres://${user}@${HOST}:${port}/${isNode ? 'cardprice' : 'postgres'}?${parameters}`;
}
