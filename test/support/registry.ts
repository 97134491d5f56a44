import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A local npm registry with only the packages in our node_modules, so a real `npm install` needs no
 * network. It creates tarballs on request.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TARBALLS = '/-/';

/** A package below node_modules. */
interface Installed {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly folder: string;
}

export interface TestRegistry {
  readonly url: string;
  close(): void;
}

export async function startRegistry(): Promise<TestRegistry> {
  const packages = installedPackages();
  const server = createServer(answerFrom(packages)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns the production packages of the lock file that are installed on this system. */
function installedPackages(): Installed[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path]) => join(ROOT, path))
    .filter((folder) => existsSync(folder))
    .map((folder) => ({ folder, manifest: readManifest(folder) }));
}

function readManifest(folder: string): Installed['manifest'] {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function answerFrom(packages: readonly Installed[]): RequestListener {
  return (request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    if (path.startsWith(TARBALLS)) {
      const found = packages[Number.parseInt(path.slice(TARBALLS.length), 10)];
      if (found) return sendTarball(response, found);
    }
    const versions = packages.filter(({ manifest }) => `/${manifest.name}` === path);
    response.setHeader('content-type', 'application/json');
    if (versions.length === 0) return response.writeHead(404).end('{}');
    const tarballs = `http://${request.headers.host}${TARBALLS}`;
    return response.end(packument(versions, (one) => `${tarballs}${packages.indexOf(one)}.tgz`));
  };
}

/** Returns the document that npm requests for a package. */
function packument(installed: readonly Installed[], addressOf: (one: Installed) => string): string {
  const versions = installed.map((one) => {
    const { manifest } = one;
    return [manifest.version, { ...manifest, dist: { tarball: addressOf(one) } }] as const;
  });
  return JSON.stringify({
    name: installed[0]?.manifest.name,
    'dist-tags': { latest: versions[0]?.[0] },
    versions: Object.fromEntries(versions),
  });
}

function sendTarball(response: ServerResponse, { folder }: Installed): void {
  const name = basename(folder);
  const options = ['--exclude', `${name}/node_modules`, '-C', dirname(folder)];
  spawn('tar', ['-c', ...options, name]).stdout.pipe(response);
}
