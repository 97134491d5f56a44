import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Static } from 'typebox';
import { takeLock } from '../../src/ingest/lock.ts';
import type {
  AccountsPage,
  HealthView,
  ListedDecisions,
  QuarantineDigestView,
  QuarantineGroups,
  QuarantineList,
  SourceHealthView,
} from '../../src/operator/views.ts';
import { replaceFailedParts } from '../../src/store/catalogue/failed-parts.ts';
import { openStore } from '../../src/store/connect.ts';
import { bodyOf, errorOf, problemOf, unauthorizedOf } from '../http/expect.ts';
import { PASSWORD, Service, shareService } from '../support/app.ts';
import type { Browser } from '../support/browser.ts';
import { createDatabase, type EngineLabel, forEachEngine } from '../support/engines.ts';
import { Market } from '../support/market.ts';

type Accounts = Static<typeof AccountsPage>;
type Quarantined = Static<typeof QuarantineList>;
type Groups = Static<typeof QuarantineGroups>;

/** A service over a catalogue of which some prices are quarantined, and its operator. */
function shareMarket(label: EngineLabel) {
  const shared = {} as { service: Service; operator: Browser; close(): Promise<void> };
  before(async () => {
    const { location, remove } = await createDatabase(label);
    const store = await openStore(location);
    const market = new Market(store);
    await market.lists('2026-01-20', { '1 Normal': 10, '2 Normal': 20, '3 Normal': 30 });
    await market.lists('2026-01-21', { '1 Normal': 99, '2 Normal': 199, '3 Normal': 31 });
    await market.feeds('2026-01-21', { '1 Foil': 30, '3 Normal': 0 });
    await store.close();
    shared.service = await Service.open(location);
    shared.operator = await shared.service.operator();
    shared.close = async () => {
      await shared.service.close();
      await remove();
    };
  });
  after(() => shared.close());
  return shared;
}

forEachEngine((label) => {
  describe('Accounts', () => {
    const shared = shareService(label);
    const accounts = async (browser: Browser, query = '') => {
      const answer = await browser.get(`/dashboard/operator/accounts${query}`);
      return bodyOf<Accounts>(answer);
    };

    it('are listed by address with their usage of today', async () => {
      const operator = await shared.service.operator();
      const caller = await shared.service.caller('trader');
      await caller.spend(3);
      const { data, ...page } = await accounts(operator, `?q=${caller.email.slice(2, 30)}`);
      assert.deepEqual(page, { total: 1, waiting: 0, limit: 50, offset: 0 });
      assert.deepEqual(data, [
        {
          email: caller.email,
          plan: 'trader',
          isOperator: false,
          usedToday: 3,
          dailyRequests: 10_000,
          createdAt: '2026-01-29T12:00:00Z',
          disabledAt: null,
          limits: null,
          isConfirmed: true,
        },
      ]);
      const [own] = (await accounts(operator, `?q=${operator.email.toUpperCase()}`)).data;
      assert.equal(own?.isOperator, true);
    });

    it('are listed in pages', async () => {
      const operator = await shared.service.operator();
      for (let count = 0; count < 3; count += 1) await shared.service.caller();
      const all = await accounts(operator);
      const emails = all.data.map(({ email }) => email);
      assert.deepEqual(emails, emails.toSorted());
      const { data, total } = await accounts(operator, '?limit=2&offset=1');
      assert.deepEqual(data, all.data.slice(1, 3));
      assert.equal(total, all.total);
      assert.deepEqual((await accounts(operator, '?offset=9007199254740991')).data, []);
      problemOf(await operator.get('/dashboard/operator/accounts?limit=101'), 'limit');
      problemOf(await operator.get('/dashboard/operator/accounts?offset=-1'), 'offset');
      problemOf(await operator.get(`/dashboard/operator/accounts?q=${'x'.repeat(255)}`), 'q');
    });

    it('are listed by use of today, and the newest first', async () => {
      const operator = await shared.service.operator();
      const [few, many] = [
        await shared.service.caller('trader'),
        await shared.service.caller('trader'),
      ];
      await few.spend(2);
      await many.spend(5);
      const used = (await accounts(operator, '?sort=used&limit=100')).data;
      const counts = used.map(({ usedToday }) => usedToday);
      assert.deepEqual(
        counts,
        counts.toSorted((a, b) => b - a),
      );
      assert.ok(counts.every((count) => count > 0));
      const emails = used.map(({ email }) => email);
      assert.ok(emails.indexOf(many.email) < emails.indexOf(few.email));
      assert.equal((await accounts(operator, '?sort=used&limit=1')).total, used.length);
      const newest = (await accounts(operator, '?sort=newest')).data;
      assert.equal(newest[0]?.email, many.email);
      problemOf(await operator.get('/dashboard/operator/accounts?sort=plan'), 'sort');
    });

    it('are read one by one', async () => {
      const operator = await shared.service.operator();
      const path = `/dashboard/operator/account?email=${operator.email.toUpperCase()}`;
      const { data } = bodyOf<{ data: Accounts['data'][number] }>(await operator.get(path));
      assert.deepEqual([data.email, data.isOperator], [operator.email, true]);
      errorOf(await operator.get('/dashboard/operator/account?email=nobody'), 'REFUSED');
    });

    it('of operators see every feature while they are operators', async () => {
      const browser = await shared.service.signedInBrowser('free');
      const explained = '/dashboard/v1/cards/pokemon-bs-charizard-004/explain';
      errorOf(await browser.get(explained), 'PLAN_RESTRICTION');
      await shared.service.accounts.setOperator(browser.email, true);
      bodyOf(await browser.get(explained));
      await shared.service.accounts.setOperator(browser.email, false);
      errorOf(await browser.get(explained), 'PLAN_RESTRICTION');
    });

    it('are found by a part of their address', async () => {
      const operator = await shared.service.operator();
      for (const q of ['%25', '_', '%00', '%5C', "'", '%ED%A0%80', 'a%20b', '__proto__']) {
        assert.deepEqual((await accounts(operator, `?q=${q}`)).data, [], q);
      }
    });

    it('get another plan from their next request on', async () => {
      const operator = await shared.service.operator();
      const { email, ...browser } = await shared.service.signedInBrowser('free');
      assert.ok(browser);
      const move = (plan: unknown) => {
        return operator.post('/dashboard/operator/accounts/plan', { email, plan });
      };
      const { data } = bodyOf<{ data: Accounts['data'][number] }>(await move('business'));
      assert.deepEqual([data.plan, data.dailyRequests], ['business', 100_000]);
      const { message } = errorOf(await move('gold'), 'REFUSED');
      assert.equal(message, 'There is no plan "gold". The plans are free, trader, business.');
      errorOf(await move(7), 'INVALID_BODY');
    });

    it('are disabled with their sessions and keys, and enabled again', async () => {
      const operator = await shared.service.operator();
      const browser = await shared.service.signedInBrowser();
      const { key } = await shared.service.keys.create(browser.email);
      const change = (what: string) =>
        operator.post(`/dashboard/operator/accounts/${what}`, { email: browser.email });
      const disabled = bodyOf<{ data: Accounts['data'][number] }>(await change('disable'));
      assert.equal(disabled.data.disabledAt, '2026-01-29T12:00:00Z');
      unauthorizedOf(await browser.get('/dashboard/keys'));
      errorOf(await shared.service.get('/v1/games', { 'x-api-key': key }), 'INVALID_API_KEY');
      const enabled = bodyOf<{ data: Accounts['data'][number] }>(await change('enable'));
      assert.equal(enabled.data.disabledAt, null);
      bodyOf(await shared.service.get('/v1/games', { 'x-api-key': key }));
      await shared.service.signIn(browser.email, PASSWORD);
    });

    it('that do not exist are refused by name', async () => {
      const operator = await shared.service.operator();
      for (const email of ['nobody@shop.example', 'a\u0000b', '\ud800@x', "' or 1=1 --"]) {
        for (const what of ['plan', 'disable', 'enable', 'reset-link']) {
          const body = { email, plan: 'free' };
          const answer = await operator.post(`/dashboard/operator/accounts/${what}`, body);
          assert.match(errorOf(answer, 'REFUSED').message, /^There is no account .*\.$/);
        }
      }
    });

    it('get a reset link to the configured address of the dashboard', async () => {
      const dashboard = { publicUrl: 'https://cards.example' };
      const service = await shared.service.another(shared.location, { dashboard });
      const operator = await service.operator();
      const made = await operator.post('/dashboard/operator/accounts/reset-link', operator);
      assert.match(made.json().data.link, /^https:\/\/cards\.example\/reset#[\w-]{43}$/);
      await service.close();
    });
  });

  describe('The health of the service', () => {
    const shared = shareService(label);

    it('has the state of the machine, coverage by game, and the errors of today', async () => {
      const machine = async () => ({
        findings: [{ about: 'disk', state: 'good', says: '5 GB are free.', fix: '' }] as const,
        processes: 2,
        nextSyncAt: Date.UTC(2026, 0, 30),
        backupAt: null,
        freeBytes: 5,
        files: [{ name: 'cards.db', bytes: 7 }],
      });
      const service = await shared.service.another(shared.location, { dashboard: { machine } });
      const operator = await service.operator();
      const caller = await service.caller();
      await caller.get('/v1/cards/nothing');
      await service.usageRecorder.write();
      const { data } = bodyOf<{ data: Static<typeof HealthView> }>(
        await operator.get('/dashboard/operator/health'),
      );
      const { games, errors, version, ...rest } = data;
      assert.deepEqual(rest, {
        processes: 2,
        nextSyncAt: '2026-01-30T00:00:00Z',
        backupAt: null,
        freeBytes: 5,
        findings: [{ about: 'disk', state: 'good', says: '5 GB are free.', fix: '' }],
        files: [{ name: 'cards.db', bytes: 7 }],
      });
      assert.ok(games.length > 0 && games.every(({ priced, cards }) => priced <= cards));
      assert.deepEqual(errors, [{ code: 'CARD_NOT_FOUND', count: 1 }]);
      errorOf(
        await (await service.signedInBrowser()).get('/dashboard/operator/health'),
        'FORBIDDEN',
      );
      await service.close();
    });
  });

  describe('Sources', () => {
    const shared = shareMarket(label);

    it('are listed with their health for each game', async () => {
      const answer = await shared.operator.get('/dashboard/operator/sources');
      const { data } = bodyOf<{ data: Static<typeof SourceHealthView>[] }>(answer);
      const tcgcsv = data.find(({ source }) => source === 'tcgcsv');
      assert.deepEqual(tcgcsv, {
        source: 'tcgcsv',
        game: 'mtg',
        succeededAt: '2026-01-21T20:05:12Z',
        observedAt: '2026-01-21T20:05:12Z',
        age: (shared.service.now - Date.UTC(2026, 0, 21, 20, 5, 12)) / 1000,
        isWatched: false,
        isStale: false,
        priced: 3,
        cards: 3,
        quarantined: 2,
        failedPartCount: 0,
        failedParts: [],
        error: null,
        errorAt: null,
      });
    });
  });

  describe('Parts of a source that could not be read', () => {
    const shared = shareMarket(label);

    it('are counted, and the first five are shown with their first fault', async () => {
      const examples = [{ name: 'row 1', reason: 'lowPrice must be number' }];
      const failed = Array.from({ length: 7 }, (_, index) => {
        return { part: `1/${index}`, game: 'mtg' as const, badRows: index || null, examples };
      });
      const now = Date.UTC(2026, 0, 20);
      await replaceFailedParts(shared.service.store, 'tcgcsv', { failed, readAgain: [], now });
      const answer = await shared.operator.get('/dashboard/operator/sources');
      const { data } = bodyOf<{ data: Static<typeof SourceHealthView>[] }>(answer);
      const row = data.find(({ source }) => source === 'tcgcsv');
      assert.equal(row?.failedPartCount, 7);
      assert.equal(row.failedParts.length, 5);
      const fault = { since: '2026-01-20T00:00:00Z', example: 'row 1: lowPrice must be number' };
      assert.deepEqual(row.failedParts.slice(0, 2), [
        { part: '1/0', badRows: null, ...fault },
        { part: '1/1', badRows: 1, ...fault },
      ]);
    });
  });

  describe('A quarantined price', () => {
    const shared = shareMarket(label);
    const PATH = '/dashboard/operator/quarantine';
    const listed = async (query = '') =>
      bodyOf<Quarantined>(await shared.operator.get(`${PATH}${query}`));
    const decide = (what: 'approve' | 'reject' | 'undo', ids: unknown) => {
      return shared.operator.post(`${PATH}/${what}`, { ids });
    };
    const market = async (id: string) => {
      const answer = await shared.operator.get(`/dashboard/v1/cards/${id}`);
      return answer.json().data.prices.market;
    };
    const decidedAt = '2026-01-29T12:00:00.000Z';

    it('is listed, oldest first, with the card that it is about', async () => {
      const { data, total } = await listed();
      assert.equal(total, 4);
      const [first] = data;
      assert.match(first?.detail ?? '', /from \$10\.00 to \$99\.00 since 2026-01-20/);
      assert.deepEqual(first, {
        id: 1,
        source: 'tcgcsv',
        game: 'mtg',
        cardId: 'mtg-lea-card-1-1',
        cardName: 'Card 1',
        printing: 'Normal',
        rule: 'price-jump',
        detail: first?.detail,
        currency: 'USD',
        amount: 'market',
        value: 99,
        was: first?.was,
        ratio: first?.ratio,
        quarantinedAt: '2026-01-21T20:05:12Z',
        observedOn: '2026-01-21',
        history: { from: '2026-01-20', market: [10] },
        isApprovable: true,
        settledBy:
          'It is settled when another source reports a similar price, or the price returns, or ' +
          'its source keeps reporting it for long enough, or by a decision.',
        closesOn: '2026-02-20',
        market: 10,
        setName: 'Alpha',
        pictured: { image: null, number: '1', rarity: null, setCode: 'LEA' },
      });
      assert.equal(data.find(({ rule }) => rule === 'absurd-price')?.isApprovable, false);
    });

    it('is listed by source and rule, some at a time', async () => {
      const ids = async (query: string) => {
        const { data, total } = await listed(query);
        return [data.map(({ id }) => id), total];
      };
      assert.deepEqual(await ids('?source=scryfall'), [[3, 4], 2]);
      assert.deepEqual(await ids('?rule=unknown-printing'), [[3], 1]);
      assert.deepEqual(await ids('?limit=1'), [[1], 4]);
      assert.deepEqual(await ids('?limit=2&after=1'), [[2, 3], 4]);
      assert.deepEqual(await ids('?set=1'), [[1, 2, 3, 4], 4]);
      assert.deepEqual(await ids('?set=2'), [[], 0]);
      // 0 stands for prices without a set.
      assert.deepEqual(await ids('?set=0'), [[], 0]);
      problemOf(await shared.operator.get(`${PATH}?set=-1`), 'set');
      problemOf(await shared.operator.get(`${PATH}?set=Alpha`), 'set');
      problemOf(await shared.operator.get(`${PATH}?source=nobody`), 'source');
      problemOf(await shared.operator.get(`${PATH}?rule=ugly`), 'rule');
      problemOf(await shared.operator.get(`${PATH}?limit=201`), 'limit');
    });

    it('cannot be approved while an import runs, and the answer says so', async () => {
      const lock = await takeLock(shared.service.store, () => shared.service.now);
      const { message } = errorOf(await decide('approve', [1]), 'CONFLICT');
      assert.match(message, /^Another import is running \(process \d+ on /);
      await lock.free();
      assert.equal((await listed()).total, 4);
    });

    it('is served once an operator approves it', async () => {
      await shared.service.catalog.refresh();
      assert.equal(await market('mtg-lea-card-1-1'), 10);
      const answer = await decide('approve', [1]);
      assert.deepEqual(answer.json(), {
        data: { decided: 1, pricesChanged: 1, refused: 0, decidedAt },
      });
      assert.ok(await shared.service.catalog.refresh());
      assert.equal(await market('mtg-lea-card-1-1'), 99);
    });

    it('is decided on by the first operator only', async () => {
      const nothing = { data: { decided: 0, pricesChanged: 0, refused: 0, decidedAt } };
      assert.deepEqual((await decide('approve', [1, 99])).json(), nothing);
      assert.deepEqual((await decide('reject', [1, 99])).json(), nothing);
      const answers = await Promise.all([decide('approve', [3]), decide('approve', [3])]);
      const decided = answers.map((answer) => answer.json().data.decided).sort();
      assert.deepEqual(decided, [0, 1]);
    });

    it('stays quarantined when no price can be what it is', async () => {
      const answer = await decide('approve', [4]);
      assert.deepEqual(answer.json(), {
        data: { decided: 0, pricesChanged: 0, refused: 1, decidedAt },
      });
    });

    it('is not listed again once it is rejected', async () => {
      const answer = await decide('reject', [2, 4]);
      assert.deepEqual(answer.json(), {
        data: { decided: 2, pricesChanged: 0, refused: 0, decidedAt },
      });
      assert.deepEqual(await listed(), { data: [], total: 0 });
    });

    it('waits for a decision again once its rejection is undone', async () => {
      const rejected = await listed('?rejected=true');
      const ids = rejected.data.map(({ id }) => id);
      assert.deepEqual(ids, [2, 4]);
      const answer = await decide('undo', [2, 4, 4_000_000]);
      assert.deepEqual(answer.json(), {
        data: { decided: 2, pricesChanged: 0, refused: 0, decidedAt: null },
      });
      assert.deepEqual(
        (await listed()).data.map(({ id }) => id),
        ids,
      );
      assert.deepEqual(await listed('?rejected=true'), { data: [], total: 0 });
      assert.equal((await decide('undo', [2])).json().data.decided, 0);
      await decide('reject', [2, 4]);
    });

    it('is chosen by its id, at most 200 at once', async () => {
      const many = Array.from({ length: 201 }, (_, id) => id + 1);
      for (const ids of [undefined, [], 'x', ['1'], [0], [1.5], [2 ** 31], many]) {
        errorOf(await decide('approve', ids), 'INVALID_BODY');
      }
    });
  });

  describe('A group of quarantined prices', () => {
    const shared = shareMarket(label);
    const PATH = '/dashboard/operator/quarantine';
    const grouped = async (query: string) => {
      return bodyOf<Groups>(await shared.operator.get(`${PATH}/groups${query}`));
    };
    const decide = (what: 'approve' | 'reject', body: object) => {
      return shared.operator.post(`${PATH}/${what}-group`, body);
    };
    const decidedAt = '2026-01-29T12:00:00.000Z';

    it('is listed by set, rule or source, the largest first, some at a time', async () => {
      const { data, ...page } = await grouped('?by=set');
      assert.deepEqual(page, { total: 1, limit: 20, offset: 0 });
      const [{ examples = [], rules = [], sentence = '', ...group } = {}] = data;
      assert.match(
        sentence,
        /^tcgcsv and scryfall report 4 prices of Alpha at 9\.9× to 9\.95× of what was accepted: /,
      );
      assert.deepEqual(group, {
        name: 'Alpha',
        set: 1,
        game: 'mtg',
        rule: null,
        count: 4,
        views: 0,
        lastId: 4,
        change: { from: 9.9, to: 9.95 },
        sources: ['tcgcsv', 'scryfall'],
        oldest: '2026-01-21T20:05:12Z',
        closesOn: '2026-02-20',
        newest: '2026-01-21T20:05:12Z',
      });
      assert.ok(rules.includes('price-jump'));
      assert.equal(examples.length, 3);
      const rest = await grouped('?by=source&limit=1&offset=1');
      assert.deepEqual([rest.data.length, rest.total], [1, 2]);
      assert.equal((await grouped('?by=rule&rule=price-jump')).data[0]?.count, 2);
      const both = await grouped('?by=set-rule&set=1');
      assert.deepEqual(
        both.data.map(({ name, rule, count }) => [name, rule, count]),
        [
          ['Alpha', 'price-jump', 2],
          ['Alpha', 'unknown-printing', 1],
          ['Alpha', 'absurd-price', 1],
        ],
      );
      assert.deepEqual((await grouped('?by=set-rule&set=0')).data, []);
      problemOf(await shared.operator.get(`${PATH}/groups?by=colour`), 'by');
      problemOf(await shared.operator.get(`${PATH}/groups`), 'by');
    });

    it('comes in the order of the money at stake, in a digest', async () => {
      const answer = await shared.operator.get(`${PATH}/digest?limit=2`);
      const { data, total, entries } = bodyOf<Static<typeof QuarantineDigestView>>(answer);
      assert.deepEqual([data.length, total, entries], [2, 3, 4]);
      assert.deepEqual(
        data.map(({ rule, count }) => [rule, count]),
        [
          ['price-jump', 2],
          ['unknown-printing', 1],
        ],
      );
      assert.equal(
        data[1]?.sentence,
        'scryfall reports a price of Alpha: a finish or edition that the card is not known to ' +
          'have. At stake: $30.00.',
      );
      const browser = await shared.service.signedInBrowser();
      errorOf(await browser.get(`${PATH}/digest`), 'FORBIDDEN');
    });

    it('is decided on as it was listed', async () => {
      const late = await decide('reject', { rule: 'price-jump', upTo: 1 });
      assert.deepEqual(late.json(), {
        data: { decided: 1, pricesChanged: 0, refused: 0, decidedAt },
      });
      const approved = await decide('approve', { set: 1, upTo: 4 });
      assert.deepEqual(approved.json(), {
        data: { decided: 2, pricesChanged: 2, refused: 1, decidedAt },
      });
      const [left] = (await grouped('?by=rule')).data;
      assert.deepEqual([left?.name, left?.count], ['absurd-price', 1]);
      const rejected = await decide('reject', {
        source: 'scryfall',
        rule: 'absurd-price',
        upTo: 9,
      });
      assert.equal(rejected.json().data.decided, 1);
    });

    it('is never the whole quarantine', async () => {
      const { message } = errorOf(await decide('reject', { upTo: 9 }), 'INVALID_BODY');
      assert.equal(message, 'Name a source, a rule or a set.');
      for (const body of [{}, { set: 'Alpha', upTo: 9 }, { rule: 'ugly', upTo: 9 }, { set: 1 }]) {
        errorOf(await decide('approve', body), 'INVALID_BODY');
      }
    });
  });

  describe('A decision on quarantined prices', () => {
    const shared = shareMarket(label);
    const PATH = '/dashboard/operator/quarantine';
    const listed = async (query = '') => {
      const answer = await shared.operator.get(`${PATH}/decisions${query}`);
      return bodyOf<Static<typeof ListedDecisions>>(answer);
    };
    const undo = (body: object) => shared.operator.post(`${PATH}/undo-decision`, body);
    const [FIRST, SECOND] = ['2026-01-29T12:00:00.000Z', '2026-01-29T12:00:00.250Z'];
    const APPROVED = { decidedAt: FIRST };

    it('is listed with its sets and rules, the newest first', async () => {
      const group = { set: 1, rule: 'price-jump', upTo: 4 };
      await shared.operator.post(`${PATH}/approve-group`, group);
      shared.service.now += 250;
      await shared.operator.post(`${PATH}/reject`, { ids: [3, 4] });
      const { data, ...page } = await listed();
      assert.deepEqual(page, { total: 2, limit: 20, offset: 0 });
      assert.deepEqual(data, [
        {
          decision: 'rejected',
          decidedAt: SECOND,
          count: 2,
          sets: ['Alpha'],
          setCount: 1,
          rules: ['absurd-price', 'unknown-printing'],
        },
        {
          decision: 'approved',
          ...APPROVED,
          count: 2,
          sets: ['Alpha'],
          setCount: 1,
          rules: ['price-jump'],
        },
      ]);
      assert.deepEqual((await listed('?limit=1&offset=1')).data, data.slice(1));
      problemOf(await shared.operator.get(`${PATH}/decisions?limit=101`), 'limit');
    });

    it('is for operators alone', async () => {
      const browser = await shared.service.signedInBrowser();
      errorOf(await browser.get(`${PATH}/decisions`), 'FORBIDDEN');
      errorOf(await browser.post(`${PATH}/undo-decision`, APPROVED), 'FORBIDDEN');
      assert.equal((await listed()).total, 2);
    });

    it('is undone as a whole, and what was served before is served again', async () => {
      const market = async () => {
        await shared.service.catalog.refresh();
        const answer = await shared.operator.get('/dashboard/v1/cards/mtg-lea-card-1-1');
        return answer.json().data.prices.market;
      };
      assert.equal(await market(), 99);
      const other = { decidedAt: '2026-01-29T12:00:00.001Z' };
      assert.equal((await undo(other)).json().data.decided, 0);
      const undone = { decided: 2, pricesChanged: 2, refused: 0, decidedAt: null };
      assert.deepEqual((await undo(APPROVED)).json(), { data: undone });
      assert.equal(await market(), 10);
      assert.equal((await undo({ decidedAt: SECOND })).json().data.decided, 2);
      assert.deepEqual((await listed()).data, []);
      const waiting = await shared.operator.get(PATH);
      assert.equal(waiting.json().total, 4);
    });

    it('is named by its moment', async () => {
      for (const body of [
        {},
        { decidedAt: '2026-01-29' },
        { decidedAt: '2026-13-29T12:00:00.000Z' },
      ]) {
        errorOf(await undo(body), 'INVALID_BODY');
      }
    });
  });
});
