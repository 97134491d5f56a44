import assert from 'node:assert/strict';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { prepareCharges } from '../../src/accounts/quota/charge-sql.ts';
import type { Day } from '../../src/domain/day.ts';
import { openStore } from '../../src/store/connect.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createDatabase } from '../support/engines.ts';

const TODAY = 20_000 as Day;
const HEADER = 100;

/** A database with an account, and many rows in its usage file. */
async function filledDatabase(): Promise<string> {
  const { location, remove } = await createDatabase('SQLite');
  cleanUp(remove);
  const store = await openStore(location);
  const ann = { id: 1, email: 'ann@shop.example', plan: 'free', created_at: 0 };
  await store.accounts.db.insertInto('accounts').values(ann).execute();
  await store.close();
  const usage = new Sqlite(`${location}-usage`);
  usage.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000)
    insert into usage select 1, i, 7 from n`);
  usage.pragma('journal_mode = WAL');
  usage.close();
  return location;
}

/** Ways to damage a file. */
const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  'has another header': (file) => overwrite(file, 0, HEADER),
  'has other bytes after its first page': (file) => overwrite(file, 4096),
  'was cut in the middle': (file) => truncateSync(file, 4096 * 5),
  'has other bytes everywhere': (file) => overwrite(file, 0),
};

function overwrite(file: string, from: number, to?: number): void {
  writeFileSync(file, readFileSync(file).fill(0xa5, from, to));
}

function setAside(location: string): string[] {
  const damaged = `${basename(location)}-usage.damaged-`;
  return readdirSync(dirname(location)).filter((name) => name.startsWith(damaged));
}

describe('A usage file that', () => {
  for (const [how, damage] of Object.entries(DAMAGES)) {
    it(`${how} is set aside when it is used, and replaced by a new one`, async () => {
      const location = await filledDatabase();
      damage(`${location}-usage`);
      const store = await openStore(location);
      cleanUp(() => store.close());
      const { charge } = prepareCharges(store.accounts.engine, 'account');
      await charge([{ id: 1, cost: 3, quota: 10 }], TODAY);
      const used = await charge([{ id: 1, cost: 3, quota: 10 }], TODAY);
      assert.deepEqual(used, [{ id: 1, used: 6 }]);
      assert.equal(setAside(location).filter((name) => /Z?\d$/.test(name)).length, 1);
      const accounts = await store.accounts.db.selectFrom('accounts').select('email').execute();
      assert.deepEqual(accounts, [{ email: 'ann@shop.example' }]);
    });

    it(`${how} while the service runs is replaced by a new one`, async () => {
      const location = await filledDatabase();
      const stores = [await openStore(location), await openStore(location)];
      for (const store of stores) cleanUp(() => store.close());
      const charges = stores.map(
        ({ accounts }) => prepareCharges(accounts.engine, 'account').charge,
      );
      const chargeAll = async () => {
        for (const charge of charges) await charge([{ id: 1, cost: 1, quota: 1000 }], TODAY);
      };
      await chargeAll();
      damage(`${location}-usage`);
      for (let time = 0; time < 20; time += 1) await chargeAll();
      for (const { accounts } of stores) {
        assert.equal((await accounts.db.selectFrom('sessions').selectAll().execute()).length, 0);
      }
    });
  }
});

describe('A damaged file of', () => {
  for (const [name, ending] of [
    ['accounts', '-accounts'],
    ['the catalogue', ''],
  ] as const) {
    it(`${name} is refused with advice, and stays unchanged`, async () => {
      const location = await filledDatabase();
      overwrite(location + ending, 0, HEADER);
      const before = readFileSync(location + ending);
      await assert.rejects(openStore(location), {
        name: 'OperatorError',
        message:
          `${location}${ending} cannot be opened as a SQLite database: file is not a database. ` +
          'See `cardprice restore --help` for what a backup can do',
      });
      assert.deepEqual(readFileSync(location + ending), before);
    });
  }
});
