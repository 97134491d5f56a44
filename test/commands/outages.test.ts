import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUp } from '../support/cleanup.ts';
import { Program } from '../support/cli.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { createDatabase } from '../support/engines.ts';
import { FIXTURE, FIXTURE_SETS } from '../support/tcgcsv.ts';
import { type Answer, file, status, Upstream } from '../support/upstream.ts';

/** How long the database is lost, in milliseconds. */
const OUTAGE_MS = 1500;

const LOST = /^The database was lost: .+\. Waiting for it, at most 5 minutes, to start again\.$/m;

/** Serves the fixture tree, and loses the database at its tenth file. */
async function treeThatLoses(proxy: CuttableProxy): Promise<Upstream> {
  let files = 0;
  const answer: Answer = async (request, response) => {
    files += 1;
    if (files === 10) await proxy.cut();
    if (files === 10) sleep(OUTAGE_MS).then(() => proxy.restore());
    const path = join(FIXTURE, request.url ?? '');
    const found = existsSync(path) ? file(readFileSync(path)) : status(404);
    found(request, response);
  };
  return (await Upstream.open()).otherwise(answer);
}

describe('A failover in the middle of', () => {
  const COMMANDS: readonly (readonly [
    name: string,
    args: (url: string) => string[],
    sets: RegExp,
  ])[] = [
    [
      'an import',
      (url) => ['import', 'tcgcsv', url, '--pause', '0', '--json'],
      new RegExp(`"setsAdded": ?${FIXTURE_SETS}`),
    ],
    ['a sync', () => ['sync', '--source', 'tcgcsv', '--json'], /"outcome": ?"imported"/],
  ];
  for (const [name, args, imported] of COMMANDS) {
    it(`${name} is survived, and reported`, async () => {
      const { location, remove } = await createDatabase('PostgreSQL');
      cleanUp(remove);
      const { proxy, url } = await CuttableProxy.to(location);
      cleanUp(() => proxy.cut());
      const tree = await treeThatLoses(proxy);
      const env = {
        CARDPRICE_DATABASE: url,
        CARDPRICE_SYNC: 'tcgcsv',
        CARDPRICE_SYNC_FROM: `tcgcsv=${tree.url}`,
      };
      const { code, out, err } = await new Program(args(tree.url), { env }).ended();
      assert.equal(code, 0, err);
      assert.match(err, LOST);
      assert.match(out, imported);
    });
  }
});
