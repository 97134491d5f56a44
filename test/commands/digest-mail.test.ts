import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { openStore } from '../../src/store/connect.ts';
import { run, temporaryFolder } from '../support/cli.ts';
import { Market } from '../support/market.ts';
import { openMailServer } from '../support/smtp.ts';

it('quarantine digest --mail goes to operators whose accounts work, while prices wait', async () => {
  const { url, mails } = await openMailServer();
  const database = join(temporaryFolder(), 'cards.db');
  const store = await openStore(database);
  const market = new Market(store);
  await market.lists('2026-01-20', { '1 Normal': 10 });
  const account = { plan: 'free', created_at: 1, operator: 1, verified_at: 1 };
  await store.accounts.db
    .insertInto('accounts')
    .values([
      { ...account, email: 'ann@shop.example' },
      { ...account, email: 'bob@shop.example', disabled_at: 1 },
      { ...account, email: 'cat@shop.example', operator: 0 },
    ])
    .execute();
  const env = { CARDPRICE_DATABASE: database, CARDPRICE_URL: 'https://cards.example' };
  const mail = { CARDPRICE_SMTP: url, CARDPRICE_MAIL_FROM: 'cards@shop.example' };
  const digest = (more: object) => {
    return run(['quarantine', 'digest', '--mail'], { env: { ...env, ...more } });
  };
  assert.equal((await digest(mail)).out, 'Sent 0 mails.\n');
  await market.lists('2026-01-21', { '1 Normal': 99 });
  await store.close();
  assert.equal((await digest(mail)).out, 'Sent 1 mail.\n');
  const [sent, ...others] = mails;
  assert.deepEqual([sent?.to, others.length], [['ann@shop.example'], 0]);
  assert.match(sent?.text ?? '', /1\. tcgcsv reports a price of Alpha/);
  const unset = await digest({});
  assert.equal(unset.code, 1);
  assert.match(unset.err, /Mail needs CARDPRICE_SMTP and CARDPRICE_URL\./);
});
