import { globSync } from 'node:fs';

/** The programs that a cluster needs in addition to Node, with their Debian packages. */

const NEEDED = {
  etcd: { package: 'etcd-server', paths: ['usr/bin/etcd', 'usr/local/bin/etcd'] },
  patroni: { package: 'patroni', paths: ['usr/lib/python3/dist-packages/patroni/__init__.py'] },
  haproxy: { package: 'haproxy', paths: ['usr/sbin/haproxy', 'usr/local/sbin/haproxy'] },
  openssl: { package: 'openssl', paths: ['usr/bin/openssl', 'usr/local/bin/openssl'] },
  // Patroni needs it for TLS to etcd, but Debian's package does not depend on it.
  idna: { package: 'python3-idna', paths: ['usr/lib/python3/dist-packages/idna/__init__.py'] },
  postgres: { package: 'postgresql', paths: ['usr/lib/postgresql/*/bin/postgres'] },
  faketime: { package: 'faketime', paths: ['usr/lib/*/faketime/libfaketime.so.1'] },
} as const;

/** The absolute path of each program: the newest of PostgreSQL, and the library of faketime. */
export type Programs = Readonly<Record<keyof typeof NEEDED, string>>;

/**
 * Finds the programs below `root`.
 *
 * @throws Error with the packages to install if some are missing.
 */
export function findPrograms(root = '/'): Programs {
  const found = Object.entries(NEEDED).map(([name, { paths }]) => [name, newest(root, paths)]);
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => name);
  if (missing.length > 0) throw new Error(advice(missing as (keyof Programs)[]));
  return Object.fromEntries(found) as Programs;
}

function newest(root: string, paths: readonly string[]): string | undefined {
  const found = paths.flatMap((path) => globSync(`${root}${path}`));
  return found.sort((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1);
}

function advice(missing: readonly (keyof Programs)[]): string {
  const packages = missing.map((name) => NEEDED[name].package);
  return (
    `The cluster needs ${missing.join(', ')}. On Debian 12 or newer, as root:\n` +
    `  apt-get install --yes --no-install-recommends ${packages.join(' ')}`
  );
}
