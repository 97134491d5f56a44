/** API keys and their usage, with the keyboard alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shareDashboard } from './support/dashboard.ts';
import { FLOW_LOOKS } from './support/reader.ts';

const dashboard = shareDashboard();

/** Calls the API with an API key, as a program does. Resolves with the status. */
async function callApi(key: string, path = '/v1/search?q=elsa'): Promise<number> {
  const response = await fetch(dashboard().url + path, { headers: { 'x-api-key': key } });
  await response.arrayBuffer();
  return response.status;
}

for (const look of FLOW_LOOKS) {
  describe(look.name, () => {
    it('an API key is created, shown once, copied, regenerated and revoked', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/keys');
      await page.getByText('The account has no active keys.').waitFor();
      await reader.type('Name', 'shop server');
      await reader.tabTo(page.getByLabel('Works until'));
      await page.keyboard.type('12312030');
      await reader.press('Create the key');
      const key = await page.getByText(/^cp_live_[\w-]+$/).innerText();
      await reader.checkPage();
      assert.equal(await callApi(key), 200);
      await reader.press('Copy the key');
      await page.getByText('Copied.').waitFor();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
      await page.getByText(`export PRICES_KEY='${key}'`).waitFor();
      const row = page.getByRole('row').filter({ hasText: 'shop server' });
      await row.getByText('Dec 31, 2030').waitFor();

      await page.reload();
      await row.waitFor();
      assert.equal(await page.getByText(key).count(), 0, 'the key is not shown again');
      await reader.reloadUntil(row.getByText('127.0.0.1'));

      await reader.press('Regenerate shop server');
      await reader.checkPage();
      await reader.press(page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }));
      const next = await page.getByText(/^cp_live_[\w-]+$/).innerText();
      assert.equal(await callApi(key), 401, 'the old key fails at once');
      assert.equal(await callApi(next), 200);

      await reader.press('Revoke shop server');
      await reader.press(page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
      await page.getByText('The key “shop server” is revoked.').waitFor();
      assert.equal(await callApi(next), 401, 'the revoked key fails at once');
      await reader.press(page.getByText('Revoked and expired keys (1)'));
      await reader.checkPage();
    });

    it('a key is shown although the answer that has it was lost', async () => {
      const reader = await dashboard().reader(look);
      reader.expects(/ERR_CONNECTION_RESET/);
      const { page } = reader;
      await page.goto('/keys');
      let lost = 0;
      await page.route('**/dashboard/keys', async (route) => {
        if (route.request().method() === 'GET' || lost > 0) return route.continue();
        lost += 1;
        await route.fetch();
        await route.abort('connectionreset');
      });
      await reader.type('Name', 'shop server');
      await reader.press('Create the key');
      const key = await page.getByText(/^cp_live_[\w-]+$/).innerText();
      assert.equal(lost, 1);
      assert.equal(await callApi(key), 200);
      assert.equal(await page.getByRole('row').filter({ hasText: 'shop server' }).count(), 1);
    });

    it('the page of a new API key makes the first call with it, and shows the code', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/keys');
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      await reader.press('Create the key');
      const key = await page.getByText(/^cp_live_[\w-]+$/).innerText();
      await reader.type('Search for a card', 'elsa');
      await reader.press('Send the call');
      await page.getByText('200 OK').waitFor();
      await page.getByText('"name": "Elsa').waitFor();
      await page.getByText('X-RateLimit-Remaining').waitFor();
      await page.getByText('9999', { exact: true }).waitFor();
      await page.getByText(`curl -H "X-API-Key: $PRICES_KEY"`).waitFor();
      await reader.press('Python');
      await page.getByText(`"${dashboard().url}/v1/search?q=elsa&limit=1"`).waitFor();
      await reader.checkPage();
      assert.deepEqual(
        sent.filter((url) => url.includes(key)),
        [],
        'no address contains the key',
      );
    });

    it('a refused first call shows what to do', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/keys');
      await reader.press(page.getByText('Restrict the key'));
      await reader.type('Works from', '192.0.2.0/24');
      await reader.press('Create the key');
      await reader.press('Send the call');
      await page.getByText('403 Forbidden').waitFor();
      await page.getByText('ask from an address that the owner of the key allows').waitFor();
      await reader.checkPage();
      reader.expects(/403/);
    });

    it('an API key is restricted when it is created, and changed later', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/keys');
      await reader.type('Name', 'reader');
      await reader.press(page.getByText('Restrict the key'));
      await reader.tabTo(page.getByRole('checkbox', { name: /^read/ }));
      await page.keyboard.press('Space');
      await reader.type('Requests per day', '2');
      await reader.type('Works from', '127.0.0.1, 10.0.0.0/8');
      await reader.checkPage();
      await reader.press('Create the key');
      const key = await page.getByText(/^cp_live_[\w-]+$/).innerText();
      const row = page.getByRole('row').filter({ hasText: 'reader' });
      const shown =
        'bulk, alerts, webhooks, sheet · 0 of 2 requests today · from 127.0.0.1/32, 10.0.0.0/8';
      await row.getByText(shown).waitFor();
      await reader.checkPage();
      assert.equal(await callApi(key), 403, 'it may not read');

      await reader.press('Change reader');
      const dialog = page.getByRole('dialog');
      await reader.tabTo(dialog.getByRole('checkbox', { name: /^read/ }));
      await page.keyboard.press('Space');
      await reader.type(dialog.getByLabel('Works from'), 'nowhere');
      await reader.press(dialog.getByRole('button', { name: 'Change the key' }));
      await dialog.getByText('"nowhere" is neither an address nor a network').waitFor();
      await reader.checkPage();
      await reader.type(dialog.getByLabel('Works from'), '127.0.0.0/8');
      await reader.press(dialog.getByRole('button', { name: 'Change the key' }));
      await page.getByText('The key was changed.').waitFor();
      const statuses = [await callApi(key), await callApi(key), await callApi(key)];
      assert.deepEqual(statuses, [200, 200, 429]);
      await reader.reloadUntil(row.getByText('2 of 2 requests today · from 127.0.0.0/8'));
      reader.expects(/400/);
    });

    it('a key for spreadsheets alone is shown as an address and as a formula', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/keys');
      await reader.press(page.getByText('Restrict the key'));
      for (const scope of [/^read/, /^bulk/, /^alerts/, /^webhooks/]) {
        await reader.tabTo(page.getByRole('checkbox', { name: scope }));
        await page.keyboard.press('Space');
      }
      await reader.press('Create the key');
      const address = await page.getByText(/^http.*token=cp_live_[\w-]+&q=charizard$/).innerText();
      await page.getByText(`=IMPORTDATA("${address}")`).waitFor();
      await reader.checkPage();
      assert.match(await (await fetch(address)).text(), /^id,name,game,set,/);
      await reader.press('Copy the formula');
      await page.getByText('Copied.').waitFor();
    });

    it('an account without requests sees why there is no chart', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/usage');
      await page.getByText('the account has no active keys').waitFor();
      await page.getByText('Requests per day').waitFor();
      await reader.checkPage();
      await reader.press(page.getByRole('link', { name: 'Create a key' }));
      await reader.press('Create the key');
      await page.getByText(/^cp_live_[\w-]+$/).waitFor();
      await page.goto('/usage');
      await page.getByText('no key has been used yet').waitFor();
    });

    it('an account has at most five API keys', async () => {
      const reader = await dashboard().reader(look);
      for (let i = 0; i < 5; i++) await dashboard().keys.create(reader.email, { name: `key ${i}` });
      await reader.page.goto('/keys');
      await reader.page.getByText('The account has 5 active keys, the most').waitFor();
      await reader.checkPage();
    });

    it('the usage of today is live; the last 30 days are a chart and a table', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      const { key } = await dashboard().keys.create(reader.email);
      assert.equal(await callApi(key), 200);
      await page.goto('/usage');
      await page.getByText('1 of 10,000 requests used').waitFor();
      // The browser is in New York, where the day of UTC ends in the evening.
      await page.getByText(/resets at (19|20):00/).waitFor();
      assert.equal(await callApi(key), 200);
      assert.equal(await callApi(key, '/v1/cards/nothing'), 404);
      await page.getByText('3 of 10,000 requests used').waitFor();
      await page.getByText('9,997 remain').waitFor();

      const recent = page.getByRole('table', { name: 'The last requests' });
      const failed = recent.getByRole('row').filter({ hasText: 'CARD_NOT_FOUND' });
      await failed.getByText(/^[0-9a-f-]{36}$/).waitFor();
      const errors = page.getByRole('table', { name: 'Errors in 30 days' });
      await errors.getByText('Take ids from search results as they are').waitFor();
      const byKey = page.getByRole('table', { name: 'by key and endpoint' });
      assert.match(await byKey.innerText(), /default\s+3\s+1/);
      await reader.press(page.getByText('Show as a table'));
      const table = page.getByRole('table', { name: 'Requests per day' });
      await table.getByText('GET /v1/search').waitFor();
      await table.getByText('GET /v1/cards/{id}').waitFor();
      await reader.press('By status');
      await table.getByText('4xx').waitFor();
      await reader.checkPage();
    });
  });
}
