/**
 * Measures `GET /v1/changes` and `GET /v1/manifest` after an import in which every price of the
 * tree changed: the processor time of a whole page, without a network, by its median and slowest.
 *
 *     node bench/changes.ts                  # needs ../shared/data, about a minute
 *
 * Options: --data FOLDER (../shared/data); --limit N rows a page (1000).
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Caller, Service } from '../test/support/app.ts';
import { median } from './http/load.ts';
import { runCommand } from './http/processes.ts';
import { changeTree, copyTree } from './sync/tree.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
    limit: { type: 'string', default: '1000' },
  },
});

/** How often all pages are read. The fastest time of a page counts. */
const ROUNDS = 3;

interface Page {
  readonly data: readonly { readonly id?: string }[];
  /** Of changes; where the next page of the manifest begins is the last id of this one. */
  readonly nextCursor?: string;
  readonly more: boolean;
}

const folder = await mkdtemp(join(tmpdir(), 'cardprice-bench-'));
try {
  const [tree, database] = [join(folder, 'tree'), join(folder, 'cards.db')];
  copyTree(join(values.data, 'tcgcsv'), tree);
  await runCommand(database, ['import', 'tcgcsv', tree]);
  const service = await Service.open(database, {}, { now: Date.now() });
  const caller = await service.caller('business');
  const { nextCursor: since }: Page = (await get(caller, '/v1/changes')).json();
  changeTree(tree, new Date());
  await runCommand(database, ['import', 'tcgcsv', tree]);
  await service.catalog.refresh();
  await measure(caller, `/v1/changes?limit=${values.limit}&since=`, String(since));
  await measure(caller, `/v1/manifest?limit=${values.limit}&after=`, '');
  await service.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Reads all pages from a place on, some times, and prints what they take. */
async function measure(caller: Caller, url: string, first: string): Promise<void> {
  const times: number[] = [];
  let rows = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    rows = 0;
    for (let [place, page, isMore] = [first, 0, true]; isMore; page += 1) {
      const start = process.threadCpuUsage();
      const answer = await get(caller, url + place);
      const { user, system } = process.threadCpuUsage(start);
      times[page] = Math.min(times[page] ?? Number.POSITIVE_INFINITY, (user + system) / 1000);
      const { data, nextCursor, more }: Page = answer.json();
      rows += data.length;
      place = nextCursor ?? data.at(-1)?.id ?? '';
      isMore = more;
    }
  }
  const [p50, slowest] = [median(times), Math.max(...times)].map((ms) => ms.toFixed(1));
  console.log(`${url}: ${rows} rows, ${times.length} pages; p50 ${p50}, slowest ${slowest} ms`);
}

async function get(caller: Caller, url: string) {
  const response = await caller.get(url.replace(/&after=$/, ''));
  assert.equal(response.statusCode, 200, response.body);
  return response;
}
