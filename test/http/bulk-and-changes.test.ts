import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { writeBulk } from '../../src/commands/bulk/write.ts';
import type { Cents } from '../../src/domain/money.ts';
import { type Caller, Service } from '../support/app.ts';
import { temporaryFolder } from '../support/cli.ts';
import { type ChangesPage, CopiedRows } from '../support/copied-rows.ts';
import { createDatabase, forEachEngine } from '../support/engines.ts';
import { importListings, type Listings, listings } from '../support/listings.ts';
import { publishPrices } from '../support/publish-prices.ts';
import { bodyOf } from './expect.ts';

const OPTIONS = { sources: ['tcgcsv'], key: '', keepDays: 1 };

const withFoils = fc
  .tuple(listings, fc.subarray(['90', '91', '92']))
  .map(([listed, foils]) => ({ ...listed, foils }));

async function applyChanges(copy: CopiedRows, caller: Caller, limit: number): Promise<void> {
  for (let [since, more] = [copy.cursor, true]; more; ) {
    const page = bodyOf<ChangesPage>(await caller.get(`/v1/changes?since=${since}&limit=${limit}`));
    for (const change of page.data) copy.apply(change);
    [since, more] = [page.nextCursor, page.more];
  }
}

forEachEngine((label) => {
  describe('Bulk files and /v1/changes', () => {
    it('make the next bulk files, row for row', async () => {
      const { location, remove } = await createDatabase(label);
      const service = await Service.open(location);
      const { store, catalog } = service;
      const folder = temporaryFolder();
      let day = 0;
      const publish = async (listed: Listings) => {
        await importListings(store, day, listed);
        day += 1;
        const prices = { conditions: { damaged: day as Cents }, graded: { psa_9: 100 as Cents } };
        await publishPrices(store, [prices], service.now);
        await catalog.refresh();
      };
      await publish(fc.sample(listings, { numRuns: 1, seed: 1 })[0] ?? assert.fail());
      const caller = await service.caller('business');
      await fc.assert(
        fc.asyncProperty(
          fc.array(withFoils, { minLength: 1, maxLength: 3 }),
          fc.integer({ min: 1, max: 9 }),
          async (days, limit) => {
            await writeBulk(store, folder, OPTIONS);
            const copy = new CopiedRows(folder);
            for (const listed of days) await publish(listed);
            await applyChanges(copy, caller, limit);
            await writeBulk(store, folder, OPTIONS);
            const fresh = new CopiedRows(folder);
            assert.deepEqual(copy.rows, fresh.rows);
            assert.ok(fresh.size > 3);
          },
        ),
        { numRuns: 5, endOnFailure: true },
      );
      await service.close();
      await remove();
    });
  });
});
