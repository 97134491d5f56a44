import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { insertAlert } from '../../src/accounts/alerts/alert-sql.ts';
import { Unsubscribing } from '../../src/accounts/alerts/unsubscribing.ts';
import type { Cents } from '../../src/domain/money.ts';
import { bodyOf, errorOf } from '../http/expect.ts';
import { shareService } from '../support/app.ts';

const shared = shareService('SQLite', { dashboard: { publicUrl: 'https://cards.example' } });
const FORM = 'application/x-www-form-urlencoded';
const ONE_CLICK = 'List-Unsubscribe=One-Click';

/** Adds two alerts with mails to a new account. Returns the address in a mail about the first. */
async function mailed() {
  const { service } = shared;
  const { email } = await service.signedInBrowser();
  const { id: accountId } = await service.accounts.find(email);
  const rule = { kind: 'above', amount: 50_00 as Cents, percent: null, days: null } as const;
  const alert = { ...rule, accountId, name: '', set: null, mail: 'now' as const, since: 1 };
  const add = () => {
    const { db } = service.store.accounts;
    return insertAlert(db, { ...alert, createdAt: service.now }, []);
  };
  const { id: alertId } = await add();
  await add();
  const token = await new Unsubscribing(service.store).tokenOf({ accountId, alertId });
  const mails = async () => {
    const rows = service.store.accounts.db
      .selectFrom('alerts')
      .select('mail')
      .where('account_id', '=', accountId)
      .orderBy('id');
    return (await rows.execute()).map(({ mail }) => mail);
  };
  return { path: `/unsubscribe?token=${token}`, mails };
}

const send = (url: string, payload = ONE_CLICK, type = FORM) => {
  return shared.service.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': type },
  });
};

describe('The address in a mail', () => {
  it('ends the mails of its alert by one POST without a session, as mail programs send it', async () => {
    const { path, mails } = await mailed();
    assert.deepEqual(bodyOf(await send(path)), { data: {} });
    assert.deepEqual(await mails(), ['off', 'now']);
    bodyOf(await send(path), 200);
    const other = await mailed();
    const multipart =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--';
    bodyOf(await send(other.path, multipart, 'multipart/form-data; boundary=x'));
    assert.deepEqual(await other.mails(), ['off', 'now']);
  });

  it('ends the mails of all alerts if its bearer says so', async () => {
    const { path, mails } = await mailed();
    bodyOf(await send(`${path}&scope=all`));
    assert.deepEqual(await mails(), ['off', 'off']);
  });

  it('changes nothing when a scanner fetches it', async () => {
    const { path, mails } = await mailed();
    const answer = await shared.service.app.inject({ url: path, headers: { accept: 'text/html' } });
    assert.equal(answer.statusCode, 200);
    assert.match(String(answer.headers['content-type']), /^text\/html/);
    await shared.service.app.inject({ method: 'HEAD', url: path });
    assert.deepEqual(await mails(), ['now', 'now']);
  });

  it('is refused if it was forged, and says what to do', async () => {
    const { path, mails } = await mailed();
    const { message } = errorOf(await send(`${path.slice(0, -4)}AAAA`), 'NOT_FOUND');
    assert.match(message, /turn the mails off on the page Alerts/);
    for (const query of [
      '',
      '?token=',
      '?token=7',
      `?token=${'a'.repeat(101)}`,
      '?token=a&token=b',
    ]) {
      const { statusCode } = await send(`/unsubscribe${query}`);
      assert.ok(statusCode === 404 || statusCode === 400, `${query} ${statusCode}`);
    }
    errorOf(await send(`${path}&scope=others`), 'INVALID_PARAMETER');
    errorOf(await send(path, 'a'.repeat(100_000)), 'PAYLOAD_TOO_LARGE');
    assert.deepEqual(await mails(), ['now', 'now']);
  });
});
