import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { enableBilling } from '../../src/accounts/billing/billing-sql.ts';
import { openStore } from '../../src/store/connect.ts';
import { run, temporaryFolder } from '../support/cli.ts';
import { SECRET, Webhook } from '../support/webhook.ts';

let webhook: Webhook;
before(async () => {
  webhook = await Webhook.open();
});
after(() => webhook.close());

const sendTest = (env: Readonly<Record<string, string>>) => {
  return run(['billing', 'test'], { env });
};

it('sends a test event, and shows what came back', async () => {
  const env = { CARDPRICE_BILLING_WEBHOOK: webhook.url, CARDPRICE_BILLING_SECRET: SECRET };
  webhook.answer = (response) => response.end('thanks\u001b[31m');
  const { out, code } = await sendTest(env);
  assert.match(out, /^The webhook accepted the event test_[\da-f-]+: 200, thanks\\u001b\[31m\n$/);
  assert.equal(code, 0);
  assert.equal(webhook.received[0]?.type, 'test');
  webhook.answer = (response) => response.writeHead(401).end('wrong signature');
  const refused = await sendTest(env);
  assert.match(refused.err, /did not accept the event\. It answered 401: wrong signature/);
  assert.equal(refused.code, 1);
});

it('names the missing setting, and never the address', async () => {
  const half = await sendTest({ CARDPRICE_BILLING_WEBHOOK: webhook.url });
  assert.match(half.err, /Billing needs both CARDPRICE_BILLING_WEBHOOK and/);
  assert.match((await sendTest({})).err, /There is no webhook: set CARDPRICE_BILLING_WEBHOOK/);
  const closed = 'http://127.0.0.1:1/token';
  const env = { CARDPRICE_BILLING_WEBHOOK: closed, CARDPRICE_BILLING_SECRET: SECRET };
  const { err } = await sendTest(env);
  assert.match(err, /The event was not sent: no connection/);
  assert.ok(!err.includes('token'));
});

for (const command of [['doctor'], ['serve'], ['billing', 'test']]) {
  it(`${command.join(' ')} refuses to send events unencrypted to another machine`, async () => {
    const url = 'http://billing.internal/token';
    const env = { CARDPRICE_BILLING_WEBHOOK: url, CARDPRICE_BILLING_SECRET: SECRET };
    const { err, code } = await run(command, { env });
    assert.equal(
      err,
      'cardprice: CARDPRICE_BILLING_WEBHOOK is not allowed; it must be an https:// URL without a ' +
        'user or password, or an http:// URL of this machine, such as ' +
        'http://127.0.0.1:9000/events.\n',
    );
    assert.equal(code, 1);
  });
}

it('lists what waits', async () => {
  const database = join(temporaryFolder(), 'billing.db');
  const store = await openStore(database);
  const empty = await run(['--database', database, 'billing', 'list']);
  assert.equal(empty.out, 'Every event was delivered.\n');
  await enableBilling(store.accounts.db, true);
  await store.close();
  await run(['--database', database, 'account', 'create', '--email', 'ann@shop.example']);
  const { out } = await run(['--database', database, 'billing', 'list']);
  assert.match(out, /^evt_[\da-f-]+ +account\.created +\S+Z +0 +\S+Z$/m);
  const { out: json } = await run(['--database', database, 'billing', 'list', '--json']);
  const [event] = JSON.parse(json) as { payload: { data: { email: string } } }[];
  assert.equal(event?.payload.data.email, 'ann@shop.example');
});
