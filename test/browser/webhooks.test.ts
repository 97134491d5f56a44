/** Webhooks and what was sent to them, with the keyboard alone. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Webhook } from '../support/webhook.ts';
import { shareDashboard } from './support/dashboard.ts';
import { FLOW_LOOKS } from './support/reader.ts';

const dashboard = shareDashboard({ settings: { CARDPRICE_WEBHOOK_NETWORKS: '127.0.0.0/8' } });

let receiver: Webhook;
before(async () => {
  receiver = await Webhook.open();
});
after(() => receiver.close());

for (const look of FLOW_LOOKS) {
  describe(look.name, () => {
    it('a webhook is added, tested, sent its test again, and deleted', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/keys');
      await reader.press(page.getByRole('link', { name: 'webhook' }));
      await page.getByText('The account has no webhooks.').waitFor();
      await reader.type('URL', receiver.url);
      await reader.press('Add the webhook');
      const secret = await page.getByText(/^whsec_\S+$/).innerText();
      receiver.secrets = [secret];
      await reader.checkPage();
      await reader.press('I copied it, hide it');
      assert.equal(await page.getByText(secret).count(), 0, 'the secret is not shown again');

      receiver.answer = (response) => response.writeHead(500).end();
      await reader.press('Send a test');
      await page.getByText('A test is on its way.').waitFor();
      await reader.press(page.getByText('Deliveries', { exact: true }));
      const row = page.getByRole('row').filter({ hasText: 'test' });
      await row.getByText('answered 500').waitFor();
      await reader.checkPage();
      receiver.answer = (response) => response.writeHead(204).end();
      await row.getByText('delivered').waitFor();
      await reader.press(row.getByText('answered 204'));
      await row.getByText('answered 500').waitFor();
      await reader.checkPage();
      const { length } = receiver.received;
      await reader.press('Send again');
      await row.getByText('waiting').waitFor();
      await row.getByText('delivered').waitFor();
      assert.equal(receiver.received.length, length + 1);
      assert.equal(new Set(receiver.received.slice(-2).map(({ id }) => id)).size, 1);

      await reader.press('Disable');
      await page.getByText('The webhook is disabled.').waitFor();
      await reader.press('Enable');
      await reader.press('Replace the secret…');
      await reader.press(page.getByRole('dialog').getByRole('button', { name: 'Replace' }));
      await page.getByText(/^whsec_\S+$/).waitFor();
      await reader.press('Delete…');
      await reader.checkPage();
      await reader.press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
      await page.getByText('The account has no webhooks.').waitFor();
    });
  });
}
