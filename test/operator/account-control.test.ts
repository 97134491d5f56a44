import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { totpCode } from '../../src/accounts/sign-in/codes.ts';
import { OPERATOR_CALLS } from '../../src/operator/calls.ts';
import { bodyOf, errorOf } from '../http/expect.ts';
import { PASSWORD, type Service, shareService } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { forEachEngine } from '../support/engines.ts';
import { Mailbox } from '../support/mailbox.ts';

const PUBLIC_URL = 'https://cards.example';
const ACCOUNTS = '/dashboard/operator/accounts';
/** How long a proof of identity is enough for dangerous calls. */
const PROOF_MS = 10 * 60_000;

/** What an operator can do to an account, and the notice to its owner. */
const ACTS = [
  ['/reset-link', {}, 'reset-link-made'],
  ['/remove-second-factors', {}, 'second-factors-removed'],
  ['/operator', { isOperator: true }, 'operator-added'],
  ['/operator', { isOperator: false }, 'operator-removed'],
] as const;

/** Gives the account of a browser an authenticator app, and returns its secret. */
async function addTotp(service: Service, browser: Browser): Promise<string> {
  const path = '/dashboard/second-factors/totp';
  const { data } = bodyOf<{ data: { secret: string } }>(await browser.post(path), 201);
  const code = totpCode(data.secret, service.now);
  bodyOf(await browser.post(`${path}/confirm`, { code }));
  return data.secret;
}

forEachEngine((label) => {
  const shared = shareService(label);

  describe('Control of an account', () => {
    it('is given by these calls', () => {
      const paths = OPERATOR_CALLS.filter((call) => call.keys !== true).map(({ path }) => path);
      const acts = ACTS.map(([path]) => `/accounts${path}`);
      assert.deepEqual(new Set(acts), new Set(paths));
    });

    it('needs the second factor of the operator again after ten minutes', async () => {
      const { service } = shared;
      const operator = await service.operator();
      const { email } = await service.signedInBrowser();
      const secret = await addTotp(service, operator);
      for (const [path, body] of ACTS) {
        const act = () => operator.post(`${ACCOUNTS}${path}`, { email, ...body });
        service.now += PROOF_MS;
        errorOf(await act(), 'REAUTHENTICATION_REQUIRED');
        const alone = await operator.post('/dashboard/reauthenticate', { password: PASSWORD });
        assert.match(errorOf(alone, 'REFUSED').message, /code of your second factor/);
        errorOf(await act(), 'REAUTHENTICATION_REQUIRED');
        const proof = { password: PASSWORD, code: totpCode(secret, service.now) };
        assert.equal((await operator.post('/dashboard/reauthenticate', proof)).statusCode, 204);
        bodyOf(await act());
      }
    });

    it('sends its owner a notice without the address of the operator', async () => {
      const box = new Mailbox();
      const dashboard = { mailer: box.mailer, publicUrl: PUBLIC_URL };
      const service = await shared.service.another(shared.location, { dashboard });
      const operator = await service.operator();
      const { email } = await service.signedInBrowser();
      for (const [path, body, kind] of ACTS) {
        bodyOf(await operator.post(`${ACCOUNTS}${path}`, { email: email.toUpperCase(), ...body }));
        const notice = { kind, at: service.now, address: null };
        assert.deepEqual(await box.next(), {
          kind: 'sendNotice',
          to: email,
          rest: [notice, PUBLIC_URL],
        });
      }
      const nobody = { email: 'nobody@shop.example' };
      errorOf(await operator.post(`${ACCOUNTS}/reset-link`, nobody), 'REFUSED');
      await service.close();
      assert.deepEqual(box.mails, [], 'a refused call mails nobody');
    });

    it('is recorded where second factors are removed', async () => {
      const { service } = shared;
      const operator = await service.operator();
      const member = await service.signedInBrowser();
      await addTotp(service, member);
      for (const removed of [1, 0]) {
        const answer = await operator.post(`${ACCOUNTS}/remove-second-factors`, member);
        assert.deepEqual(bodyOf(answer), { data: { removed } });
      }
      await service.trail.settled();
      const query = `action=second-factor-changed&account=${member.email}&actor=operator`;
      const entries = await operator.get(`/dashboard/operator/audit?${query}`);
      const { data } = bodyOf<{ data: { by: string; detail: string }[] }>(entries);
      const expected = { by: operator.email, detail: 'all were removed' };
      assert.deepEqual(
        data.map(({ by, detail }) => ({ by, detail })),
        [expected, expected],
      );
    });
  });
});
