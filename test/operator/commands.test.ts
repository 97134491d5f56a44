import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { readCommands } from '../../scripts/docs.ts';
import { enableBilling } from '../../src/accounts/billing/billing-sql.ts';
import { OPERATOR_CALLS } from '../../src/operator/calls.ts';
import { bodyOf, errorOf } from '../http/expect.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';

/** The operation that does what a command does. */
const SAME: Readonly<Record<string, string>> = {
  'account list': 'listAccounts',
  'account create': 'createAccount',
  'account confirm': 'confirmAccount',
  'account set-plan': 'setAccountPlan',
  'account set-limits': 'setAccountLimits',
  'account disable': 'disableAccount',
  'account enable': 'enableAccount',
  'account delete': 'deleteAccount',
  'key list': 'listKeys',
  'key create': 'createKey',
  'key update': 'updateKey',
  'key regenerate': 'regenerateKey',
  'key revoke': 'revokeKey',
  'plan list': 'listPlans',
  'plan create': 'createPlan',
  'plan set': 'changePlan',
  'plan delete': 'deletePlan',
  'billing list': 'listBillingEvents',
  usage: 'readUsage',
  'quarantine list': 'listQuarantine',
  'quarantine digest': 'digestQuarantine',
  'quarantine approve': 'approveQuarantined',
  'quarantine reject': 'rejectQuarantined',
  'quarantine undo': 'undoRejections',
  'quarantine decisions': 'listDecisions',
  sources: 'listSources',
  status: 'listSources',
  doctor: 'readHealth',
  sync: 'startSync',
  audit: 'listAudit',
};

/** What the API and `/mcp` have, with a key of anybody. */
const OF_THE_API = ['explain', 'mcp', 'resolve', 'search', 'show'];

/** The commands that the page says no key can run. */
function withoutKeys(): string[] {
  const page = readFileSync('docs/operating.md', 'utf8');
  const [, list = ''] = /Not through this API:(.*?)\n\n#/s.exec(page) ?? [];
  return [...list.matchAll(/`([a-z -]+)`/g)].map(([, name = '']) => name);
}

describe('Every command', () => {
  it('is an operation of operators or the API, or the page says that it is none', async () => {
    const names = (await readCommands()).map(({ name }) => name.replace('cardprice ', ''));
    const alone = withoutKeys();
    const isAlone = (name: string) => alone.some((one) => `${name} `.startsWith(`${one} `));
    const missing = names.filter((name) => {
      return !(name in SAME) && !OF_THE_API.includes(name) && !isAlone(name);
    });
    assert.deepEqual(missing, []);
    const unknown = [...Object.keys(SAME), ...OF_THE_API].filter((name) => !names.includes(name));
    assert.deepEqual(unknown, []);
    assert.deepEqual(
      alone.filter((one) => one in SAME || !names.some((name) => `${name} `.startsWith(`${one} `))),
      [],
    );
  });

  it('names an operation that keys may send', () => {
    const ids = OPERATOR_CALLS.filter(({ keys }) => keys === true).map(({ id }) => id);
    const unknown = Object.values(SAME).filter((operation) => !ids.includes(operation));
    assert.deepEqual(unknown, []);
  });
});

const EMAIL = 'ann@shop.example';

forEachEngine((label) => {
  const shared = shareService(label);
  let headers: Record<string, string>;

  before(async () => {
    const email = 'operator@shop.example';
    await shared.service.accounts.create(email, 'free', { isOperator: true });
    const scopes = ['operator:read', 'operator:write'];
    headers = { 'x-api-key': (await shared.service.keys.create(email, { scopes })).key };
    await shared.service.accounts.create(EMAIL, 'free');
  });

  const post = (path: string, payload: object) => {
    const url = `/operator/v1${path}`;
    return shared.service.app.inject({ method: 'POST', url, headers, payload });
  };

  describe('The API of operators', () => {
    it('restricts a key, and replaces it', async () => {
      const { id, key } = await shared.service.keys.create(EMAIL);
      const changed = await post(`/keys/${id}`, { dailyRequests: 7, scopes: ['read'] });
      const { data } = bodyOf<{ data: { dailyRequests: number; hint: string } }>(changed);
      assert.equal(data.dailyRequests, 7);
      errorOf(await post(`/keys/${id}/regenerate`, { hint: 'none' }), 'CONFLICT');
      const replaced = await post(`/keys/${id}/regenerate`, { hint: data.hint });
      const made = bodyOf<{ data: { key: string } }>(replaced).data;
      assert.equal((await shared.service.get('/v1/games', { 'x-api-key': key })).statusCode, 401);
      const works = await shared.service.get('/v1/games', { 'x-api-key': made.key });
      assert.equal(works.statusCode, 200);
    });

    it('can revoke keys with an operator scope, but not change them', async () => {
      const email = 'robot@shop.example';
      await shared.service.accounts.create(email, 'free', { isOperator: true });
      const { id, hint } = await shared.service.keys.create(email, { scopes: ['operator:read'] });
      for (const [path, body] of [
        [`/keys/${id}`, { expires: 'never' }],
        [`/keys/${id}/regenerate`, { hint }],
      ] as const) {
        const { message } = errorOf(await post(path, body), 'REFUSED');
        assert.match(message, /has an operator scope/);
      }
      const ordinary = await shared.service.keys.create(email);
      const scopes = ['operator:read'];
      errorOf(await post(`/keys/${ordinary.id}`, { scopes }), 'INVALID_BODY');
      bodyOf(await post(`/keys/${id}/revoke`, {}));
    });

    it('lists the events for billing that wait', async () => {
      const { store, accounts } = shared.service;
      await enableBilling(store.accounts.db, true);
      await accounts.setPlan(EMAIL, 'trader');
      const { data } = bodyOf<{ data: Record<string, unknown>[] }>(
        await shared.service.get('/operator/v1/billing', headers),
      );
      assert.equal(data.length, 1);
      const { id, at, nextAt, payload, ...event } = data[0] ?? {};
      assert.match(String(id), /^evt_/);
      assert.deepEqual(event, {
        type: 'account.plan_changed',
        attempts: 0,
        error: null,
        givenUpAt: null,
      });
      assert.equal((payload as { data: { email: string } }).data.email, EMAIL);
    });
  });
});
