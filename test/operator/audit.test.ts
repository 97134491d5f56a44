import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import { AuditLog, SERVICE } from '../../src/accounts/audit/audit.ts';
import { ROUTES } from '../../src/dashboard/routes.ts';
import { MS_PER_DAY } from '../../src/domain/day.ts';
import type { AuditEntryView, AuditPage } from '../../src/operator/views.ts';
import { bodyOf, errorOf, unauthorizedOf } from '../http/expect.ts';
import { PASSWORD, shareService } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { forEachEngine } from '../support/engines.ts';

type Entry = Static<typeof AuditEntryView>;

/** What every call that may change something leaves in the audit log. */
const AUDITED: Readonly<Record<string, string>> = {
  '/sign-in': 'depends, sign-in-failed',
  '/sign-in/second-factor': 'signed-in, sign-in-failed',
  '/sign-in/second-factor/passkey-options': 'it only asks for a passkey',
  '/sign-in/second-factor/passkey': 'signed-in, sign-in-failed',
  '/sign-in/passkey-options': 'it only asks for a passkey',
  '/sign-in/passkey': 'signed-in, sign-in-failed',
  '/reauthenticate': 'nothing, sign-in-failed',
  '/reauthenticate/passkey-options': 'it only asks for a passkey',
  '/reauthenticate/passkey': 'nothing, sign-in-failed',
  '/second-factors/totp': 'it only begins, and changes nothing yet',
  '/second-factors/totp/confirm': 'second-factor-changed',
  '/second-factors/totp/remove': 'second-factor-changed',
  '/second-factors/passkey-options': 'it only begins, and changes nothing yet',
  '/second-factors/passkeys': 'second-factor-changed',
  '/second-factors/passkeys/:id/remove': 'second-factor-changed',
  '/second-factors/recovery-codes': 'second-factor-changed',
  '/sessions/revoke': 'session-revoked',
  '/sessions/revoke-others': 'session-revoked',
  '/reset/preview': 'it only reads what a link is for',
  '/operator/accounts/confirm': 'account-verified',
  '/sign-up': 'sign-up-asked',
  '/alerts': 'the list of alerts has it',
  '/alerts/preview': 'it saves nothing',
  '/alerts/:id/delete': 'the list of alerts has it',
  '/alerts/:id/mail': 'the list of alerts has it',
  '/alerts/:id/pause': 'the list of alerts has it',
  '/alerts/:id/resume': 'the list of alerts has it',
  '/webhooks': 'webhook-changed',
  '/webhooks/:id/delete': 'webhook-changed',
  '/webhooks/:id/deliveries/:event/resend': 'the delivery log has it',
  '/webhooks/:id/disable': 'webhook-changed',
  '/webhooks/:id/enable': 'webhook-changed',
  '/webhooks/:id/rotate': 'webhook-changed',
  '/webhooks/:id/test': 'the delivery log has it',
  '/forgot': 'reset-link-asked',
  '/reset': 'password-reset',
  '/sign-out': 'signed-out',
  '/sign-out-everywhere': 'signed-out',
  '/password': 'password-changed, sign-in-failed',
  '/account/delete': 'account-deleted, sign-in-failed',
  '/keys': 'key-created',
  '/keys/:id': 'key-changed',
  '/keys/:id/regenerate': 'key-changed',
  '/keys/:id/revoke': 'key-revoked',
  '/operator/accounts': 'account-created',
  '/operator/accounts/limits': 'plan-changed',
  '/operator/accounts/delete': 'account-deleted',
  '/operator/keys': 'key-created',
  '/operator/keys/:id/revoke': 'key-revoked',
  '/operator/plans': 'settings-changed',
  '/operator/plans/:name': 'settings-changed',
  '/operator/plans/:name/delete': 'settings-changed',
  '/operator/accounts/plan': 'plan-changed',
  '/operator/accounts/operator': 'operator-changed',
  '/operator/accounts/disable': 'account-disabled',
  '/operator/accounts/enable': 'account-enabled',
  '/operator/accounts/remove-second-factors': 'second-factor-changed',
  '/operator/keys/:id': 'key-changed',
  '/operator/keys/:id/regenerate': 'key-changed',
  '/operator/accounts/reset-link': 'reset-link-made',
  '/operator/sync': 'sync-started',
  '/operator/quarantine/approve': 'quarantine-decided',
  '/operator/quarantine/reject': 'quarantine-decided',
  '/operator/quarantine/undo': 'quarantine-decided',
  '/operator/quarantine/approve-group': 'quarantine-decided',
  '/operator/quarantine/reject-group': 'quarantine-decided',
  '/operator/quarantine/undo-decision': 'quarantine-decided',
};

describe('A route of the dashboard', () => {
  it('names what it leaves in the audit log, or says why it leaves nothing', () => {
    const changing = ROUTES.filter(({ method }) => method !== 'GET');
    const named = changing.map(({ path, audit }) => {
      if (audit === null) return [path, 'null'];
      if ('none' in audit) return [path, audit.none];
      const { action, refusal } = audit;
      const done = typeof action === 'function' ? 'depends' : (action ?? 'nothing');
      return [path, [done, ...(refusal ? [refusal] : [])].join(', ')];
    });
    assert.deepEqual(Object.fromEntries(named), AUDITED);
  });
});

forEachEngine((label) => {
  const shared = shareService(label);

  /** The entries that were written meanwhile, oldest first, without their ids and request ids. */
  async function entriesOf(work: () => Promise<unknown>) {
    const operator = await shared.service.operator();
    const read = async (limit: number) => {
      const { data } = bodyOf<Static<typeof AuditPage>>(
        await operator.get(`/dashboard/operator/audit?limit=${limit}`),
      );
      return data;
    };
    await settled();
    const [last] = await read(1);
    await work();
    await settled();
    const later = (await read(100)).filter(({ id }) => id > (last?.id ?? 0)).reverse();
    for (const { requestId } of later) assert.match(requestId ?? '', /^[\da-f-]{36}$/);
    return later.map(({ id: _, requestId: __, at: ___, ...entry }) => entry);
  }

  /** Waits until what was recorded is written, which no answer waits for. */
  const settled = (): Promise<void> => shared.service.trail.settled();

  async function filtered(operator: Browser, query: string): Promise<Entry[]> {
    await settled();
    const answer = await operator.get(`/dashboard/operator/audit?${query}`);
    return bodyOf<Static<typeof AuditPage>>(answer).data;
  }

  describe('The audit log', () => {
    it('has sign-ins, also failed ones, and sign-outs, with account and address', async () => {
      const { email } = await shared.service.signedInBrowser();
      const browser = shared.service.browser();
      const { address } = browser;
      const entries = await entriesOf(async () => {
        const wrong = { email: ` ${email.toUpperCase()}`.trim(), password: 'not the password' };
        unauthorizedOf(await browser.post('/dashboard/sign-in', wrong));
        bodyOf(await browser.post('/dashboard/sign-in', { email, password: PASSWORD }));
        await browser.post('/dashboard/sign-out');
        await browser.post('/dashboard/sign-out');
      });
      const [failed, ...rest] = entries;
      assert.match(failed?.detail ?? '', /password is wrong/);
      const who = { actor: 'account', address, subject: email };
      assert.deepEqual(
        { ...failed, detail: null },
        { ...who, action: 'sign-in-failed', by: null, detail: null },
      );
      assert.deepEqual(rest, [
        { ...who, action: 'signed-in', by: null, detail: 'with a password' },
        { ...who, action: 'signed-out', by: email, detail: null },
      ]);
    });

    it('does not keep what was typed in the place of an address', async () => {
      const entries = await entriesOf(async () => {
        for (const email of ['hunter2 is my password', `${randomUUID()}@nobody.example`]) {
          const body = { email, password: 'x' };
          unauthorizedOf(await shared.service.browser().post('/dashboard/sign-in', body));
        }
      });
      assert.deepEqual(
        entries.map(({ action, subject }) => [action, subject]),
        [
          ['sign-in-failed', 'unknown account'],
          ['sign-in-failed', 'unknown account'],
        ],
      );
      assert.ok(!shared.service.log.join('').includes('hunter2'));
    });

    it('does not grow by attempts that come too early', async () => {
      const { email } = await shared.service.signedInBrowser();
      const entries = await entriesOf(async () => {
        for (let tries = 0; tries < 9; tries += 1) {
          await shared.service.browser().post('/dashboard/sign-in', { email, password: 'x' });
        }
      });
      assert.equal(entries.length, 5);
    });

    it('has what becomes of keys, without their secrets', async () => {
      const browser = await shared.service.signedInBrowser();
      const entries = await entriesOf(async () => {
        const { data } = bodyOf<{ data: { id: number; key: string; hint: string } }>(
          await browser.post('/dashboard/keys', { name: 'shop' }),
          201,
        );
        const path = `/dashboard/keys/${data.id}`;
        bodyOf(await browser.post(path, { scopes: ['read'] }));
        bodyOf(await browser.post(`${path}/regenerate`, { hint: data.hint }));
        bodyOf(await browser.post(`${path}/revoke`));
        errorOf(await browser.post('/dashboard/keys/999999/revoke'), 'REFUSED');
      });
      assert.deepEqual(
        entries.map(({ action }) => action),
        ['key-created', 'key-changed', 'key-changed', 'key-revoked'],
      );
      for (const { by, subject, detail } of entries) {
        assert.deepEqual([by, subject], [browser.email, browser.email]);
        assert.match(detail ?? '', /^key \d+ "shop" \(….{4}\)/);
      }
      assert.ok(!JSON.stringify(entries).includes('cp_live_'));
    });

    it('has the changes that operators make, with the account', async () => {
      const operator = await shared.service.operator();
      const { email } = await shared.service.signedInBrowser();
      const entries = await entriesOf(async () => {
        const path = '/dashboard/operator/accounts';
        bodyOf(await operator.post(`${path}/plan`, { email, plan: 'trader' }));
        bodyOf(await operator.post(`${path}/disable`, { email }));
        bodyOf(await operator.post(`${path}/enable`, { email: email.toUpperCase() }));
        bodyOf(await operator.post(`${path}/reset-link`, { email }));
        const quarantine = '/dashboard/operator/quarantine';
        bodyOf(await operator.post(`${quarantine}/reject`, { ids: [999_999] }));
        const decision = { decidedAt: '2026-01-29T11:00:00.000Z' };
        bodyOf(await operator.post(`${quarantine}/undo-decision`, decision));
      });
      assert.deepEqual(
        entries.map(({ actor, by, action, subject, detail }) => [
          actor,
          by,
          action,
          subject,
          detail,
        ]),
        [
          ['operator', operator.email, 'plan-changed', email, 'to trader'],
          ['operator', operator.email, 'account-disabled', email, null],
          ['operator', operator.email, 'account-enabled', email, null],
          ['operator', operator.email, 'reset-link-made', email, null],
          [
            'operator',
            operator.email,
            'quarantine-decided',
            'quarantine',
            'rejected 0: ids 999999',
          ],
          [
            'operator',
            operator.email,
            'quarantine-decided',
            'quarantine',
            'took back 0: decision 2026-01-29T11:00:00.000Z',
          ],
        ],
      );
    });

    it('has an account that was deleted, which it names by its number', async () => {
      const email = `${randomUUID()}@shop.example`;
      let name = '';
      const entries = await entriesOf(async () => {
        const browser = await shared.service.signedInBrowser('free', email);
        await settled();
        const wrong = await browser.post('/dashboard/account/delete', { password: 'x' });
        errorOf(wrong, 'REFUSED');
        await settled();
        const answer = await browser.post('/dashboard/account/delete', { password: PASSWORD });
        const { data } = bodyOf<{ data: { name: string; auditEntries: number } }>(answer);
        assert.equal(data.auditEntries, 2);
        name = data.name;
      });
      assert.match(name, /^deleted account #\d+$/);
      assert.deepEqual(
        entries.map(({ action, by, subject }) => [action, by, subject]),
        [
          ['signed-in', null, name],
          ['sign-in-failed', name, name],
          ['account-deleted', name, name],
        ],
      );
    });

    it('is filtered by account, action, actor and days, and read page by page', async () => {
      const operator = await shared.service.operator();
      const { email } = await shared.service.signedInBrowser();
      await operator.post('/dashboard/operator/accounts/plan', { email, plan: 'trader' });
      const plan = await filtered(operator, `account=${email}&action=plan-changed`);
      assert.equal(plan.length, 1);
      const own = await filtered(operator, `account=${email.toUpperCase()}&actor=account`);
      assert.deepEqual(
        own.map(({ action }) => action),
        ['signed-in'],
      );
      assert.equal((await filtered(operator, `account=${email}&since=2026-01-30`)).length, 0);
      assert.equal((await filtered(operator, `account=${email}&until=2026-01-28`)).length, 0);
      const day = `account=${email}&since=2026-01-29&until=2026-01-29`;
      assert.equal((await filtered(operator, day)).length, 2);
      const second = await operator.get(`/dashboard/operator/audit?${day}&limit=1&offset=1`);
      const page = bodyOf<Static<typeof AuditPage>>(second);
      assert.deepEqual([page.total, page.data[0]?.action], [2, 'signed-in']);
      for (const query of ['action=x', 'actor=x', 'since=yesterday', 'limit=101']) {
        const answer = await operator.get(`/dashboard/operator/audit?${query}`);
        errorOf(answer, 'INVALID_PARAMETER');
      }
      assert.deepEqual(await filtered(operator, 'account=%00'), []);
    });

    it('is also in the log of the process', async () => {
      const { email, address } = await shared.service.signedInBrowser();
      const { id } = await shared.service.accounts.find(email);
      await settled();
      const lines = shared.service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
      const found = lines.find(
        ({ msg, subject }) => msg === 'audit' && subject === `account #${id}`,
      );
      const { audit, actor, address: from, level } = found ?? {};
      assert.deepEqual([audit, actor, from, level], ['signed-in', 'account', address, 30]);
    });

    it('fails nobody when it cannot be written, and that is logged as an error', async () => {
      const browser = await shared.service.signedInBrowser();
      await settled();
      const { db } = shared.service.store.accounts;
      await db.schema.alterTable('audit').renameTo('audit_away').execute();
      try {
        bodyOf(await browser.post('/dashboard/keys', { name: 'unaudited' }), 201);
        await settled();
      } finally {
        await db.schema.alterTable('audit_away').renameTo('audit').execute();
      }
      const lines = shared.service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
      const failure = lines.find(({ msg }) => msg === 'an audit entry could not be written');
      assert.deepEqual([failure?.level, failure?.audit], [50, 'key-created']);
    });

    it('loses entries older than the limit, and no others', async () => {
      const { store, now } = shared.service;
      const old = new AuditLog(store, () => now - 401 * MS_PER_DAY);
      const recent = new AuditLog(store, () => now - 399 * MS_PER_DAY);
      for (let count = 0; count < 3; count += 1) {
        await old.record('settings-changed', SERVICE, { subject: 'old' });
      }
      await recent.record('settings-changed', SERVICE, { subject: 'recent' });
      await new AuditLog(store, () => now).removeOld(400);
      const rows = await store.accounts.db
        .selectFrom('audit')
        .select('subject')
        .where('actor', '=', 'service')
        .execute();
      assert.deepEqual(rows, [{ subject: 'recent' }]);
    });
  });
});
