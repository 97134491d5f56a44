import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, Program } from '../support/cli.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { createDatabase } from '../support/engines.ts';
import { FIXTURE, FIXTURE_SETS } from '../support/tcgcsv.ts';
import { type Answer, file, status, Upstream } from '../support/upstream.ts';

/** A statement in the middle of an import. */
const STATEMENT = 'insert into cards';

const LOST = /^The database was lost: .+\. Waiting for it, at most 5 minutes, to start again\.$/m;

/** Serves the fixture tree. */
async function openTree(): Promise<Upstream> {
  const answer: Answer = (request, response) => {
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
      const tree = await openTree();
      const env = {
        CARDPRICE_DATABASE: url,
        CARDPRICE_SYNC: 'tcgcsv',
        CARDPRICE_SYNC_FROM: `tcgcsv=${tree.url}`,
      };
      const cut = proxy.cutAt(STATEMENT);
      const program = new Program(args(tree.url), { env });
      await cut;
      await eventually(() => LOST.test(program.err));
      await proxy.restore();
      const { code, out, err } = await program.ended();
      assert.equal(code, 0, err);
      assert.match(out, imported);
    });
  }
});
