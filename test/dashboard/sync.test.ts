import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Static } from 'typebox';
import { OperatorError } from '../../src/domain/errors.ts';
import type { SyncRun } from '../../src/domain/sync.ts';
import type { AuditPage, SyncView } from '../../src/operator/views.ts';
import { bodyOf, errorOf } from '../http/expect.ts';
import { shareService } from '../support/app.ts';
import { forEachEngine } from '../support/engines.ts';

const PATH = '/dashboard/operator/sync';

type Sync = Static<typeof SyncView>;

/** Syncs that only remember what was started. */
class Syncs {
  readonly runs: SyncRun[] = [];

  async start(source: string | null): Promise<SyncRun> {
    if (this.runs.length > 0) throw new OperatorError('A sync is running.');
    const run: SyncRun = {
      source,
      startedAt: Date.UTC(2026, 0, 28),
      endedAt: null,
      state: 'running',
      lines: ['1 of 9 sets, about 3 s left'],
    };
    this.runs.push(run);
    return run;
  }

  async read(): Promise<SyncRun | null> {
    return this.runs.at(-1) ?? null;
  }
}

forEachEngine((label) => {
  describe('A sync from the pages', () => {
    const shared = shareService(label);

    async function serviceWith(syncable: Sync['sources']) {
      const syncs = new Syncs();
      const dashboard = { syncs, syncable };
      const service = await shared.service.another(shared.location, { dashboard });
      return { service, syncs, operator: await service.operator() };
    }

    it('is started once, shown while it runs, and recorded', async () => {
      const sources = [
        { name: 'tcgcsv', hindrance: null },
        { name: 'justtcg', hindrance: 'justtcg wants a key.' },
      ];
      const { service, syncs, operator } = await serviceWith(sources);
      const before = bodyOf<{ data: Sync }>(await operator.get(PATH));
      assert.deepEqual(before.data, { sources, run: null });
      const started = await operator.post(PATH, { source: 'tcgcsv' });
      assert.equal(started.statusCode, 202);
      const { data } = bodyOf<{ data: Sync }>(await operator.get(PATH));
      assert.deepEqual(data.run, {
        source: 'tcgcsv',
        startedAt: '2026-01-28T00:00:00Z',
        endedAt: null,
        state: 'running',
        lines: ['1 of 9 sets, about 3 s left'],
      });
      assert.equal(
        errorOf(await operator.post(PATH, {}), 'CONFLICT').message,
        'A sync is running.',
      );
      assert.equal(syncs.runs.length, 1);
      await service.trail.settled();
      const log = await operator.get('/dashboard/operator/audit?action=sync-started');
      const [entry, ...others] = bodyOf<Static<typeof AuditPage>>(log).data;
      assert.deepEqual([entry?.by, entry?.subject], [operator.email, 'tcgcsv']);
      assert.deepEqual(others, []);
      await service.close();
    });

    it('is refused to others, of sources that are not set, and where settings lack', async () => {
      const hindrance = 'justtcg wants a key.';
      const { service, syncs, operator } = await serviceWith([{ name: 'justtcg', hindrance }]);
      const member = await service.signedInBrowser();
      errorOf(await member.get(PATH), 'FORBIDDEN');
      errorOf(await member.post(PATH, {}), 'FORBIDDEN');
      errorOf(await operator.post(PATH, { source: 'tcgcsv' }), 'INVALID_BODY');
      errorOf(await operator.post(PATH, { source: '--again' }), 'INVALID_BODY');
      for (const body of [{}, { source: 'justtcg' }]) {
        assert.equal(errorOf(await operator.post(PATH, body), 'CONFLICT').message, hindrance);
      }
      assert.deepEqual(syncs.runs, []);
      await service.close();
    });
  });
});
