/** The operator pages of a service in which nothing is wrong and nothing waits. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AuditLog, COMMAND_LINE } from '../../src/accounts/audit/audit.ts';
import { shareDashboard } from './support/dashboard.ts';
import { LARGER_PHONE } from './support/reader.ts';

const dashboard = shareDashboard({ settings: { CARDPRICE_STALE_AFTER: '3650d' } });

it('the overview and the health say in one line that all is well', async () => {
  const reader = await dashboard().operator(LARGER_PHONE);
  const { page } = reader;
  await new AuditLog(dashboard().store, Date.now).record('backed-up', COMMAND_LINE);
  await reader.context.request.post('/dashboard/operator/quarantine/reject-group', {
    data: { source: 'tcgcsv', upTo: 999_999_999 },
  });
  await page.goto('/operator');
  await page
    .getByText(/^All is well: every check passes, .* are fresh, and nothing waits for you\.$/)
    .waitFor();
  await reader.checkPage();
  await page.goto('/operator/health');
  await page.getByText(/^All is well: every check passes, and the prices of .* fresh\.$/).waitFor();
  assert.equal(await page.locator('.alarms').count(), 0);
  await reader.checkPage();
});
