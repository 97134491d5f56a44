import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Static } from 'typebox';
import { type Day, formatDay, parseDay } from '../../src/domain/day.ts';
import type { AlertEventItem, AlertItem, AlertPreview } from '../../src/http/alert-schemas.ts';
import { judgeAlerts } from '../../src/http/alerts.ts';
import { changesReader } from '../../src/store/catalogue/changes.ts';
import { type Caller, Service, shareService } from '../support/app.ts';
import { createMigratedDatabase, forEachEngine } from '../support/engines.ts';
import { Market, type Date as MarketDate } from '../support/market.ts';
import { bodyOf, errorOf } from './expect.ts';

type Alert = Static<typeof AlertItem>;
type Event = Static<typeof AlertEventItem>;

const CHARIZARD = 'pokemon-bs-charizard-004';
const ABOVE = { kind: 'above', amount: 50, card: CHARIZARD };

const made = async (caller: Caller, body: object, headers = {}) => {
  return bodyOf<{ data: Alert }>(await caller.post('/v1/alerts', body, headers)).data;
};
const listed = async (caller: Caller) => {
  return bodyOf<{ data: Alert[] }>(await caller.get('/v1/alerts')).data;
};

describe('/v1/alerts', () => {
  const shared = shareService('SQLite');

  it('makes, lists and shows alerts of the account', async () => {
    const caller = await shared.service.caller('trader');
    const { id, createdAt, ...alert } = await made(caller, { ...ABOVE, name: ' Zard ' });
    assert.equal(createdAt, '2026-01-29T12:00:00Z');
    assert.deepEqual(alert, {
      name: 'Zard',
      kind: 'above',
      amount: 50,
      percent: null,
      days: null,
      mail: 'off',
      game: 'pokemon',
      setName: 'Base Set',
      card: CHARIZARD,
      printing: 'Holofoil',
      cardName: 'Charizard',
      lineCount: 1,
      price: alert.price,
      pausedAt: null,
      firedAt: null,
    });
    assert.ok((alert.price ?? 0) > 0);
    const set = await made(caller, { kind: 'rise', percent: 20, days: 7, set: 'pokemon-base-set' });
    assert.deepEqual([set.set, set.lineCount, set.price], ['pokemon-base-set', null, null]);
    assert.deepEqual([set.game, set.setName], ['pokemon', 'Base Set']);
    assert.deepEqual(
      (await listed(caller)).map((one) => one.id),
      [set.id, id],
    );
    const one = bodyOf<{ data: Alert }>(await caller.get(`/v1/alerts/${id}`)).data;
    assert.deepEqual(one.lines, [{ card: CHARIZARD, printing: 'Holofoil' }]);
  });

  it('pauses, resumes and deletes an alert', async () => {
    const caller = await shared.service.caller('trader');
    const { id } = await made(caller, { kind: 'high', card: CHARIZARD });
    const change = async (name: string) => {
      return bodyOf<{ data: Alert }>(await caller.post(`/v1/alerts/${id}/${name}`, {})).data;
    };
    assert.equal((await change('pause')).pausedAt, '2026-01-29T12:00:00Z');
    assert.equal((await change('resume')).pausedAt, null);
    assert.equal((await change('delete')).id, id);
    assert.deepEqual(await listed(caller), []);
  });

  it('makes one alert for a request that is repeated with its Idempotency-Key', async () => {
    const caller = await shared.service.caller('trader');
    const key = { 'idempotency-key': 'a-key-of-at-least-16' };
    const first = await made(caller, ABOVE, key);
    const again = await caller.post('/v1/alerts', ABOVE, key);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.deepEqual(bodyOf<{ data: Alert }>(again).data, first);
    assert.equal((await listed(caller)).length, 1);
    const other = await caller.post('/v1/alerts', { ...ABOVE, amount: 60 }, key);
    errorOf(other, 'IDEMPOTENCY_KEY_REUSED');
    const short = await caller.post('/v1/alerts', ABOVE, { 'idempotency-key': 'short' });
    errorOf(short, 'INVALID_PARAMETER');
  });

  it('refuses more alerts than the plan allows, and names the number', async () => {
    const caller = await shared.service.caller('free');
    await shared.service.accounts.setLimits(caller.email, { alerts: 1 });
    await made(caller, ABOVE);
    const { message } = errorOf(await caller.post('/v1/alerts', ABOVE), 'PLAN_RESTRICTION');
    assert.match(message, /allows 1 alert, and you have as many/);
  });

  it('needs a plan with history for previews, and for kinds that compare with all of it', async () => {
    const caller = await shared.service.caller('free');
    errorOf(await caller.post('/v1/alerts/preview', ABOVE), 'PLAN_RESTRICTION');
    const high = { kind: 'high', card: CHARIZARD };
    errorOf(await caller.post('/v1/alerts', high), 'PLAN_RESTRICTION');
  });

  it('looks back in previews as far as the plan does', async () => {
    const caller = await shared.service.caller('trader');
    const rise = { kind: 'rise', percent: 5, days: 7, card: CHARIZARD };
    const preview = async (body: object) => {
      const answer = await caller.post('/v1/alerts/preview', body);
      return bodyOf<{ data: { from: string; to: string } }>(answer).data;
    };
    const whole = await preview(rise);
    assert.equal(Date.parse(whole.to) - Date.parse(whole.from), 364 * 86_400_000);
    await shared.service.accounts.setLimits(caller.email, { historyDays: 30 });
    for (const body of [rise, { kind: 'high', card: CHARIZARD }]) {
      const { from, to } = await preview(body);
      assert.equal(Date.parse(to) - Date.parse(from), 29 * 86_400_000);
    }
  });

  it('needs the scope of a key that lists scopes', async () => {
    const caller = await shared.service.caller('trader');
    await shared.service.keys.update(caller.keyId, { scopes: ['read'] });
    errorOf(await caller.get('/v1/alerts'), 'KEY_RESTRICTION');
    await shared.service.keys.update(caller.keyId, { scopes: ['alerts'] });
    bodyOf(await caller.get('/v1/alerts'));
  });

  it('does not know alerts of other accounts', async () => {
    const [ann, bob] = [
      await shared.service.caller('trader'),
      await shared.service.caller('trader'),
    ];
    const { id } = await made(ann, ABOVE);
    errorOf(await bob.get(`/v1/alerts/${id}`), 'ALERT_NOT_FOUND');
    errorOf(await bob.get(`/v1/alerts/events?alert=${id}`), 'ALERT_NOT_FOUND');
    for (const name of ['pause', 'resume', 'delete']) {
      errorOf(await bob.post(`/v1/alerts/${id}/${name}`, {}), 'ALERT_NOT_FOUND');
    }
    assert.deepEqual(await listed(bob), []);
    assert.equal((await listed(ann)).length, 1);
    for (const wrong of ['0', 'x', '99999999999', '%00']) {
      errorOf(await ann.get(`/v1/alerts/${wrong}`), 'ALERT_NOT_FOUND');
    }
  });

  const line = { card: CHARIZARD };
  const bad: readonly (readonly [what: string, body: object, code: string, says: RegExp])[] = [
    ['no kind', { card: CHARIZARD }, 'INVALID_BODY', /kind/],
    ['an unknown kind', { kind: 'x', card: CHARIZARD }, 'INVALID_BODY', /kind/],
    [
      'no amount',
      { kind: 'above', card: CHARIZARD },
      'INVALID_BODY',
      /needs amount.*Send "amount"/,
    ],
    [
      'no window',
      { kind: 'rise', percent: 5, card: CHARIZARD },
      'INVALID_BODY',
      /needs percent and days/,
    ],
    ['an amount of zero', { ...ABOVE, amount: 0 }, 'INVALID_BODY', /amount/],
    ['a huge amount', { ...ABOVE, amount: 1e12 }, 'INVALID_BODY', /amount/],
    ['too long a window', { kind: 'rise', percent: 5, days: 91, ...line }, 'INVALID_BODY', /days/],
    ['nothing to watch', { kind: 'high' }, 'INVALID_BODY', /Send one of/],
    ['a card and a set', { kind: 'high', ...line, set: 'x' }, 'INVALID_BODY', /Send one of/],
    ['an unknown card', { kind: 'high', card: 'x' }, 'CARD_NOT_FOUND', /No card has the id "x"/],
    ['an unknown set', { kind: 'high', set: 'x' }, 'SET_NOT_FOUND', /No set/],
    [
      'an unknown printing',
      { ...ABOVE, printing: 'Foil' },
      'INVALID_BODY',
      /printings of .*Holofoil/,
    ],
    ['an unknown grade', { ...ABOVE, grade: 'psa_99' }, 'INVALID_PARAMETER', /not a grade/],
    [
      'a grade and a condition',
      { ...ABOVE, grade: 'psa_9', condition: 'x' },
      'INVALID_PARAMETER',
      /not both/,
    ],
    ['the same line twice', { kind: 'high', lines: [line, line] }, 'INVALID_BODY', /twice/],
    ['no line', { kind: 'high', lines: [] }, 'INVALID_BODY', /lines/],
    ['too many lines', { kind: 'high', lines: Array(501).fill(line) }, 'INVALID_BODY', /lines/],
    ['a name with a control character', { ...ABOVE, name: 'a\u0000b' }, 'INVALID_BODY', /name/],
    ['a name of 101 characters', { ...ABOVE, name: 'x'.repeat(101) }, 'INVALID_BODY', /name/],
    ['an unknown way of mails', { ...ABOVE, mail: 'hourly' }, 'INVALID_BODY', /mail/],
  ];
  for (const [what, body, code, says] of bad) {
    it(`refuses ${what}, also in a preview`, async () => {
      const caller = await shared.service.caller('trader');
      for (const path of ['/v1/alerts', '/v1/alerts/preview']) {
        const { message } = errorOf(await caller.post(path, body), code as 'INVALID_BODY');
        assert.match(message, says);
      }
    });
  }
});

/** Every kind, with numbers at which random prices fire often. */
const RULES = [
  { kind: 'above', amount: 20 },
  { kind: 'below', amount: 15 },
  { kind: 'rise', percent: 20, days: 3 },
  { kind: 'rise', percent: 50, days: 90 },
  { kind: 'fall', percent: 10, days: 1 },
  { kind: 'fall', percent: 30, days: 14 },
  { kind: 'high' },
  { kind: 'low' },
  { kind: 'first' },
];

const CARDS = [1, 2, 3];
const MADE = parseDay('2026-01-05') ?? assert.fail();

const randomDays = fc.record({
  before: fc.array(prices(), { minLength: 1, maxLength: 4 }),
  gaps: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 5, maxLength: 12 }),
  after: fc.array(prices(), { minLength: 13, maxLength: 13 }),
});

function prices() {
  const amount = fc.option(fc.integer({ min: 5, max: 30 }), { freq: 5 });
  return fc.tuple(...CARDS.map(() => amount));
}

/** A service that imports, serves and judges days, and whose caller has alerts on all cards. */
class Replayed {
  readonly service: Service;
  readonly #market: Market;
  /** What each alert was made with, by id. */
  readonly alerts = new Map<number, object>();

  constructor(service: Service) {
    this.service = service;
    this.#market = new Market(service.store, { limits: null });
  }

  async publish(day: number, amounts: readonly (number | null)[] = []): Promise<void> {
    const board = CARDS.map((card, index) => [`${card} Normal`, amounts[index] ?? null]);
    await this.#market.lists(formatDay(day as Day) as MarketDate, Object.fromEntries(board));
    const { store, catalog } = this.service;
    await catalog.refresh();
    const changes = changesReader(store);
    await judgeAlerts({ store, catalog, changes, clock: () => this.service.now });
  }

  async make(caller: Caller): Promise<void> {
    for (const card of CARDS) {
      for (const rule of RULES) {
        const body = { ...rule, card: `mtg-lea-card-${card}-${card}`, printing: 'Normal' };
        this.alerts.set((await made(caller, body)).id, body);
      }
    }
  }
}

/** What an alert fired, newest first. */
async function firedBy(caller: Caller, id: number) {
  const path = `/v1/alerts/events?alert=${id}`;
  const events = bodyOf<{ data: Event[] }>(await caller.get(path)).data;
  return events
    .toSorted((a, b) => (b.publication ?? 0) - (a.publication ?? 0))
    .map((event) => [event.date, event.before, event.after]);
}

async function previewed(caller: Caller, body: object) {
  const answer = await caller.post('/v1/alerts/preview', body);
  const { events } = bodyOf<{ data: Static<typeof AlertPreview> }>(answer).data;
  return events.map((event) => [event.date, event.before, event.after]);
}

forEachEngine((label) => {
  it('A preview lists exactly what fires when the same days are published', async () => {
    let count = 0;
    const property = fc.asyncProperty(randomDays, async ({ before, gaps, after }) => {
      const { location, remove } = await createMigratedDatabase(label);
      const replayed = new Replayed(await Service.open(location));
      const first = MADE - before.length + 1;
      for (const [index, amounts] of before.entries())
        await replayed.publish(first + index, amounts);
      const caller = await replayed.service.caller('trader');
      await replayed.make(caller);
      let day: number = MADE;
      for (const [index, gap] of gaps.entries()) {
        day += gap;
        await replayed.publish(day, after[index]);
      }
      // The preview begins with the day on which the alerts were made.
      await replayed.publish(MADE + 364, after[12]);
      for (const [id, body] of replayed.alerts) {
        const fired = await firedBy(caller, id);
        assert.deepEqual(await previewed(caller, body), fired, JSON.stringify(body));
        count += fired.length;
      }
      await replayed.service.close();
      await remove();
    });
    await fc.assert(property, { numRuns: 2, endOnFailure: true });
    assert.ok(count > 20, `${count} events`);
  });
});
