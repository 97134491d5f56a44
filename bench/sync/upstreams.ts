import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Simulated sources, with the settings by which `cardprice sync` finds them. */
export interface Upstreams {
  readonly env: Readonly<Record<string, string>>;
  /** How many requests each source got. */
  readonly requests: Map<string, number>;
  close(): void;
}

const NAMES = ['tcgcsv', 'scryfall', 'ygoprodeck', 'swu-db', 'fab-cube', 'pricecharting'];

/** Starts a local server that answers as the sources do, each below its name. */
export async function simulateUpstreams(data: string, tree: string): Promise<Upstreams> {
  const requests = new Map<string, number>();
  const server = createServer((request, response) => {
    const [, source = '', ...rest] = new URL(request.url ?? '', 'http://x').pathname.split('/');
    requests.set(source, (requests.get(source) ?? 0) + 1);
    const found = contentOf(source, rest.join('/'), { data, tree, url });
    send(request, response, found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requests,
    env: {
      CARDPRICE_SYNC: NAMES.join(','),
      CARDPRICE_SYNC_FROM: NAMES.map((name) => `${name}=${url}/${name}`).join(','),
      CARDPRICE_SYNC_KEYS: 'pricecharting=key',
    },
    close: () => server.close(),
  };
}

interface Files {
  readonly data: string;
  readonly tree: string;
  readonly url: string;
}

function contentOf(source: string, path: string, files: Files): string | Buffer | undefined {
  const { data, tree, url } = files;
  const read = (...parts: string[]) => readFileSync(join(data, ...parts));
  switch (source) {
    case 'tcgcsv':
      return readFileSync(join(tree, path));
    case 'scryfall':
      return path === 'bulk-data' ? bulkData(url, data) : read('scryfall', path);
    case 'ygoprodeck':
      return read('ygoprodeck', 'cardinfo.json.gz');
    case 'swu-db':
      return swuSet(data, path.slice('cards/'.length));
    case 'fab-cube':
      return read('fab-cube', path.split('/').at(-1) ?? '');
    case 'pricecharting':
      return read('pricecharting', 'pokemon-cards.csv');
    default:
      return undefined;
  }
}

function bulkData(url: string, data: string): string {
  const [newest = ''] = readdirSync(join(data, 'scryfall')).sort().reverse();
  const [day] = /\d{4}-\d{2}-\d{2}/.exec(newest) ?? [];
  const file = { type: 'default_cards', updated_at: `${day}T22:00:00Z` };
  return JSON.stringify({ data: [{ ...file, download_uri: `${url}/scryfall/${newest}` }] });
}

/** Wraps the file of a set as the API does; a set without a file is empty. */
function swuSet(data: string, code: string): string {
  const name = `${code.toUpperCase()}.json`;
  if (!readdirSync(join(data, 'swu-db')).includes(name)) return '{"data":[]}';
  return `{"data":${readFileSync(join(data, 'swu-db', name), 'utf8')}}`;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  content: string | Buffer | undefined,
): void {
  const etag = `"${content?.length}"`;
  if (content === undefined) response.writeHead(404).end();
  else if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
  else response.writeHead(200, { etag }).end(content);
}
