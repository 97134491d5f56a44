import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AuditLog, COMMAND_LINE } from '../../../src/accounts/audit/audit.ts';
import type { Caller } from '../../../src/accounts/keys/authenticator.ts';
import { UsageRecorder } from '../../../src/accounts/quota/usage-recorder.ts';
import {
  countDeleted,
  monthUsageCsv,
  monthUsageView,
  readMonthUsage,
} from '../../../src/accounts/quota/usage-report.ts';
import { type Day, type Month, parseDay, parseMonth } from '../../../src/domain/day.ts';
import { type Service, shareService } from '../../support/app.ts';
import { forEachEngine } from '../../support/engines.ts';
import { answered } from '../fixtures.ts';

const JANUARY = parseMonth('2026-01') as Month;

async function use(service: Service, email: string, day: string, used: number): Promise<void> {
  const { id } = await service.accounts.find(email);
  await service.store.accounts.db
    .insertInto('usage')
    .values({ account_id: id, day: parseDay(day) as Day, used })
    .execute();
}

forEachEngine((label) => {
  const shared = shareService(label);

  describe('The usage of a month', () => {
    it('covers its days in UTC, for every account, with the highest day', async () => {
      const { service } = shared;
      const at = ['ann@shop.example', '=cmd@shop.example', 'late@shop.example'] as const;
      await service.accounts.create(at[0], 'trader');
      await service.accounts.create(at[1], 'free');
      await service.accounts.setLimits(at[1], { dailyRequests: 500 });
      const counts = { '2025-12-31': 9, '2026-01-01': 3, '2026-01-20': 7, '2026-01-31': 7 };
      for (const [day, used] of Object.entries(counts)) await use(service, at[0], day, used);
      await use(service, at[0], '2026-02-01', 11);
      await use(service, at[1], '2026-01-09', 1);
      service.now = Date.UTC(2026, 1, 1);
      await service.accounts.create(at[2], 'free');
      const usages = (await Array.fromAsync(readMonthUsage(service.store, JANUARY))).map(
        ({ account: _, ...usage }) => monthUsageView({ ...usage, account: 1 }),
      );
      const ann = usages.find(({ email }) => email === at[0]);
      assert.deepEqual(ann, {
        account: 1,
        email: at[0],
        plan: 'trader',
        price: 14.99,
        requests: 17,
        days: 3,
        highestDay: '2026-01-20',
        highestRequests: 7,
        limits: null,
        isDisabled: false,
      });
      assert.equal(usages.length, 2);
      const lines = await Array.fromAsync(monthUsageCsv(readMonthUsage(service.store, JANUARY)));
      assert.match(lines[0] ?? '', /^account,email,plan,price,requests,days,highest_day,/);
      assert.match(lines[1] ?? '', /^\d+,ann@shop\.example,trader,14\.99,17,3,2026-01-20,7,,no\n$/);
      const limits = '"{""dailyRequests"":500}"';
      assert.ok(
        lines[2]?.endsWith(`,'=cmd@shop.example,free,0.00,1,1,2026-01-09,1,${limits},no\n`),
        lines[2],
      );
      const raw = monthUsageCsv(readMonthUsage(service.store, JANUARY), { raw: true });
      assert.match((await Array.fromAsync(raw))[2] ?? '', /,=cmd@shop\.example,free,/);
    });

    it('counts the deleted accounts, which have no usage left', async () => {
      const { service } = shared;
      await service.accounts.create('gone@shop.example', 'free');
      await use(service, 'gone@shop.example', '2026-01-05', 5);
      await service.accounts.delete('gone@shop.example');
      const log = new AuditLog(service.store, () => Date.UTC(2026, 0, 31, 23));
      await log.record('account-deleted', COMMAND_LINE, { subject: 99 });
      assert.equal(await countDeleted(service.store, JANUARY), 1);
      const usages = await Array.fromAsync(readMonthUsage(service.store, JANUARY));
      assert.ok(usages.every(({ email }) => email !== 'gone@shop.example'));
    });

    it('is kept for 13 months in addition to the current one, and no longer', async () => {
      const { service } = shared;
      const email = 'old@shop.example';
      await service.accounts.create(email, 'free');
      for (const day of ['2024-11-01', '2024-11-17', '2024-11-18', '2026-01-29']) {
        await use(service, email, day, 1);
      }
      const recorder = new UsageRecorder(service.store, ['GET /v1/games'], (error) =>
        assert.fail(String(error)),
      );
      const { id } = await service.accounts.find(email);
      const caller = { accountId: id, keyId: 1 } as Caller;
      recorder.record(caller, answered(0, 200, '', Date.UTC(2026, 1, 1)));
      await recorder.close();
      const rows = await service.store.accounts.db
        .selectFrom('usage')
        .select('day')
        .where('account_id', '=', id)
        .orderBy('day')
        .execute();
      assert.deepEqual(
        rows.map(({ day }) => day),
        [parseDay('2024-11-18'), parseDay('2026-01-29')],
      );
    });
  });
});

it('A month is written as YYYY-MM', () => {
  assert.deepEqual(parseMonth('2024-02'), {
    first: parseDay('2024-02-01'),
    last: parseDay('2024-02-29'),
  });
  for (const text of ['2026-13', '2026-00', '2026-1', '2026-01-01', '2026', '', 'x']) {
    assert.equal(parseMonth(text), undefined, text);
  }
});
