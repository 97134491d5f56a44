import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Accounts } from '../../src/accounts/accounts.ts';
import { AccountKeys } from '../../src/accounts/keys/account-keys.ts';
import { UsageReport } from '../../src/accounts/quota/usage-report.ts';
import { RESET_LINK_MS, SelfService } from '../../src/accounts/sign-in/self-service.ts';
import { openStore, type Store } from '../../src/store/connect.ts';
import { importFixtures } from '../support/app.ts';
import { Program, run, temporaryFolder } from '../support/cli.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';

const EMAIL = 'ann@shop.example';
const CREDENTIALS = { email: EMAIL, password: 'correct horse battery' };

/** Posts JSON as a page does; returns the cookie that comes of it. */
async function post(url: string, body: object): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, await answer.text());
  const cookies = answer.headers.getSetCookie();
  return cookies.find((one) => one.startsWith('cardprice_session'))?.split(';')[0] ?? '';
}

/** Makes the account of the credentials. */
async function makeMember(store: Store): Promise<void> {
  const signUp = { isOpen: false, invitationCode: '' };
  const selfService = new SelfService(store, Date.now, { signUp });
  await new Accounts(store, Date.now).create(EMAIL, 'free');
  const { token } = await selfService.resetToken(EMAIL, RESET_LINK_MS);
  await selfService.reset(token, CREDENTIALS.password, '127.0.0.1');
}

forEachEngine((label) => {
  it('Several processes share sessions, and lose no counts when they stop', async () => {
    const { location, remove } = await createDatabase(label);
    after(remove);
    await importFixtures(location);
    const args = ['--database', location, 'serve', '--port', '0', '--workers', '2'];
    const program = new Program(args);
    const url = await program.listening(2);
    const store = await openStore(location);
    await makeMember(store);
    const cookie = await post(`${url}/dashboard/sign-in`, CREDENTIALS);
    const { key } = await new AccountKeys(store, Date.now).create(EMAIL);
    for (let count = 0; count < 20; count += 1) {
      // Each on a separate connection, so that both processes get some.
      const headers = { connection: 'close' };
      const asked = await fetch(`${url}/v1/games`, { headers: { ...headers, 'x-api-key': key } });
      assert.equal(asked.status, 200);
      const shown = await fetch(`${url}/dashboard/usage`, { headers: { ...headers, cookie } });
      assert.equal(shown.status, 200);
    }
    const { code } = await program.send('SIGTERM').ended();
    assert.equal(code, 0);

    const { id, plan } = await new Accounts(store, Date.now).find(EMAIL);
    const { days } = await new UsageReport(store, Date.now).read(id, plan);
    const counted = days.flatMap(({ requests }) => requests);
    const total = counted.reduce((sum, { count }) => sum + count, 0);
    assert.equal(total, 20);
    const [used] = await new AccountKeys(store, Date.now).list(EMAIL);
    assert.equal(used?.lastUse?.address, '127.0.0.1');
    await store.close();
  });
});

describe('cardprice serve', () => {
  it('refuses to mail links without CARDPRICE_URL', async () => {
    const env = {
      CARDPRICE_DATABASE: `${temporaryFolder()}/cards.db`,
      CARDPRICE_SMTP: 'smtp://cards%40shop.example:s3cret@127.0.0.1',
    };
    const { code, err } = await run(['serve', '--port', '0'], { env });
    assert.equal(code, 1);
    assert.match(err, /Links in mail need CARDPRICE_URL/);
    assert.ok(!err.includes('s3cret'));
  });
});
