import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readPlans } from '../../../src/accounts/quota/plan-sql.ts';
import { Plans } from '../../../src/accounts/quota/plans.ts';
import { UNLIMITED } from '../../../src/domain/plans.ts';
import { forEachEngine } from '../../support/engines.ts';

forEachEngine((_label, open) => {
  it('reads plans again only when they were changed', async () => {
    const store = await open();
    const version = async () => (await readPlans(store.accounts.db)).version ?? assert.fail();
    const plans = new Plans(store);
    const table = await plans.at(await version());
    assert.equal(await plans.at(await version()), table);
    await new Plans(store).change('trader', { dailyRequests: UNLIMITED });
    const changed = await plans.at(await version());
    assert.notEqual(changed, table);
    assert.equal(changed.find('trader')?.dailyRequests, UNLIMITED);
    assert.equal(await plans.at(await version()), changed);
  });
});
