/** Reading the reference of the API. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EXAMPLE_CARD_ID } from '../../src/http/parameters.ts';
import { shareDashboard } from './support/dashboard.ts';
import { FLOW_LOOKS } from './support/reader.ts';

const dashboard = shareDashboard();

for (const look of FLOW_LOOKS) {
  describe(look.name, () => {
    it('the reference shows each endpoint, its requests, fields and errors', async () => {
      const reader = await dashboard().visitor(look);
      const { page } = reader;
      await page.goto('/docs');
      assert.equal(await page.title(), 'Cardprice API');
      await reader.checkPage();
      await reader.press(page.getByRole('link', { name: 'GET /v1/cards/{id}', exact: true }));
      await page.waitForURL(/#getCard$/);
      const section = page.getByRole('region', { name: 'Get one card with all of its prices' });
      await section.getByText('data.prices.market').waitFor();
      await section.getByText(`'${dashboard().url}/v1/cards/${EXAMPLE_CARD_ID}'`).waitFor();
      await section.getByText('Example of an answer').click();
      await section.getByRole('region', { name: /^Answer/ }).waitFor();
      await section.getByText('CARD_NOT_FOUND', { exact: true }).waitFor();
      await reader.checkPage();
      await reader.press(page.getByRole('link', { name: 'Back to the pages' }));
      await page.waitForURL((url) => url.pathname === '/' || url.pathname === '/sign-in');
    });
  });
}
