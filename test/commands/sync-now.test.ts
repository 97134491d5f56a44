import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Static } from 'typebox';
import type { SyncView } from '../../src/operator/views.ts';
import { freeImportLock, takeImportLock } from '../../src/store/catalogue/imports.ts';
import { openStore } from '../../src/store/connect.ts';
import { eventually, Program, run } from '../support/cli.ts';
import { createMigratedDatabase, forEachEngine } from '../support/engines.ts';
import { TreeCopy } from '../support/tcgcsv.ts';

/** A service of two processes whose TCGCSV is a folder, and what an operator's key asks of it. */
async function serviceOver(database: string) {
  const tree = new TreeCopy().observed(new Date().toISOString());
  const env = {
    CARDPRICE_DATABASE: database,
    CARDPRICE_SYNC: 'tcgcsv,justtcg',
    CARDPRICE_SYNC_FROM: `tcgcsv=${tree.folder}`,
  };
  const email = 'operator@shop.example';
  await run(['account', 'create', '--email', email, '--operator'], { env });
  const scopes = 'operator:read,operator:write';
  const made = await run(['key', 'create', '--account', email, '--scopes', scopes, '--json'], {
    env,
  });
  const { key } = JSON.parse(made.out);
  const service = new Program(['serve', '--port', '0', '--workers', '2'], { env });
  const url = `${await service.listening(2)}/operator/v1/sync`;
  const headers = { 'x-api-key': String(key), 'content-type': 'application/json' };
  const start = (body: object) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const read = async () => {
    const { data } = (await (await fetch(url, { headers })).json()) as {
      data: Static<typeof SyncView>;
    };
    return data;
  };
  return { service, start, read };
}

forEachEngine((label) => {
  describe('A service whose operator syncs now', () => {
    it('syncs in a separate process, and every process shows the outcome', async () => {
      const { location, remove } = await createMigratedDatabase(label);
      after(remove);
      const { service, start, read } = await serviceOver(location);
      const [tcgcsv, justtcg] = (await read()).sources;
      assert.deepEqual(tcgcsv, { name: 'tcgcsv', hindrance: null });
      assert.match(String(justtcg?.hindrance), /^justtcg wants a key: set CARDPRICE_SYNC_KEYS/);

      const store = await openStore(location);
      const now = Date.now();
      await takeImportLock(store.db, 'elsewhere:7', now, now + 60_000, 'sync');
      const refused = await start({});
      assert.equal(refused.status, 409);
      assert.match(await refused.text(), /Another sync is running \(process 7 on elsewhere since /);
      await freeImportLock(store.db, 'elsewhere:7', 'sync');
      await store.close();

      assert.equal((await start({ source: 'tcgcsv' })).status, 202);
      await eventually(async () => (await read()).run?.state !== 'running');
      const { run: last } = await read();
      assert.equal(last?.state, 'succeeded', String(last?.lines));
      assert.match(String(last?.lines.at(-1)), /^tcgcsv +imported +\d+ prices changed/);
      const { code } = await service.send('SIGTERM').ended();
      assert.equal(code, 0);
    });
  });
});
