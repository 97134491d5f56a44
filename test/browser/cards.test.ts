/** Looking up cards, by keyboard alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { LOOKS } from './support/reader.ts';

const dashboard = shareDashboard();

for (const look of LOOKS) {
  describe(look.name, () => {
    it('a search finds a card while one types, and filters narrow it down', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/search');
      const box = page.getByRole('combobox', { name: 'Card name' });
      await reader.tabTo(box);
      await reader.checkPage();
      await page.keyboard.type('spirit of wint');
      await page.getByRole('link', { name: CARD.name }).first().waitFor();
      await page.getByRole('option', { name: CARD.name }).waitFor();
      await reader.checkPage();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\?q=Elsa/);
      assert.equal(await box.inputValue(), CARD.name);

      await reader.choose('Game', 'Disney Lorcana');
      await page.waitForURL(/game=lorcana/);
      await reader.choose('Rarity', 'Enchanted');
      await page.waitForURL(/rarity=Enchanted/);
      await page.getByText('1 card', { exact: true }).waitFor();
      await page.getByText('/v1/search?q=Elsa').waitFor();
      await page.goBack();
      await page.getByText('2 cards', { exact: true }).waitFor();
      assert.equal(await page.getByLabel('Rarity').inputValue(), '');
      await page.goForward();
      await page.getByText('1 card', { exact: true }).waitFor();
      await reader.press(page.getByRole('link', { name: CARD.name }));
      await page.getByRole('heading', { name: CARD.name, exact: true }).waitFor();
      await reader.leave();
    });

    it('each page of results has an address of its own', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/search?q=a&sort=name');
      await page.getByText(/^Page 1 of \d+/).waitFor();
      const first = await page.getByRole('table').innerText();
      await reader.press(page.getByRole('link', { name: 'Next' }));
      await page.getByText(/^Page 2 of/).waitFor();
      await page.waitForFunction(
        (before) => document.querySelector('table')?.innerText !== before,
        first,
      );
      await reader.checkPage();
      await page.goBack();
      await page.getByText(/^Page 1 of/).waitFor();
      await reader.leave();
    });

    it('a search without results is explained', async () => {
      const reader = await dashboard().reader(look);
      await reader.page.goto('/search?q=charrrizarrrd');
      await reader.page.getByText('No card matches every word.').waitFor();
      await reader.checkPage();
      await reader.leave();
    });

    it('a card shows its prices, and which are missing', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${CARD.id}`);
      await page.getByRole('row', { name: /Market price \$[\d,.]+/ }).waitFor();
      await page.getByRole('row', { name: 'PSA 10 no price' }).waitFor();
      await page.getByRole('row', { name: 'Near mint no price' }).waitFor();
      await page.getByText(/From tcgplayer, observed .* ago/).waitFor();
      await page.getByText(`/v1/cards/${CARD.id}'`).waitFor();
      await reader.press(page.getByText('Where these numbers come from'));
      await page
        .getByText(/tcgplayer/)
        .nth(1)
        .waitFor();
      await reader.checkPage();
      await reader.leave();
    });

    it('the price history is a chart with a cursor and a table', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${CARD.id}`);
      const chart = page.getByRole('slider', { name: 'Day of the price history' });
      await page.locator('canvas').waitFor();
      await reader.tabTo(chart);
      const last = await chart.getAttribute('aria-valuetext');
      await page.keyboard.press('ArrowLeft');
      assert.notEqual(await chart.getAttribute('aria-valuetext'), last);
      await page.keyboard.press('Home');
      await page.getByText('Dec 30, 2025').first().waitFor();
      const box = await chart.boundingBox();
      await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 50);
      await page.getByText(/^Jan 1\d, 2026$/).waitFor(); // the middle of the month, read out
      for (const [label, period] of PERIODS) {
        await reader.press(page.getByRole('link', { name: label, exact: true }));
        await page.waitForURL(new RegExp(`period=${period}`));
        await page.getByText(`history?period=${period}`).waitFor();
        await page.locator('canvas').waitFor();
      }
      await page.goBack();
      await page.waitForURL(/period=1y/);
      await page.goto(`/cards/${CARD.id}?period=7d`);
      await reader.press(page.getByText('The same numbers as a table'));
      const rows = page
        .getByRole('table', { name: 'Prices by day, newest first' })
        .getByRole('row');
      await rows.nth(7).waitFor();
      assert.equal(await rows.count(), 1 + 7);
      await page.getByRole('row', { name: /Jan 28, 2026 \$[\d.]+/ }).waitFor();
      await reader.checkPage();
      await reader.leave();
    });

    it('a plan without price history names the first one with it', async () => {
      const reader = await dashboard().reader(look, 'free');
      const { page } = reader;
      await page.goto(`/cards/${CARD.id}`);
      await page.getByText('included from the Trader plan on').waitFor();
      assert.equal(await page.locator('canvas').count(), 0);
      await reader.checkPage();
      const response = await reader.context.request.get(`/dashboard/v1/cards/${CARD.id}/history`);
      assert.equal(response.status(), 403);
      await reader.leave();
    });

    it('the sets of a game are listed with their numbers of priced cards', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/sets');
      await reader.press(page.getByRole('main').getByRole('link', { name: 'Disney Lorcana' }));
      await page.waitForURL('**/sets/lorcana');
      await page.getByRole('row', { name: /The First Chapter TFC Aug 18, 2023/ }).waitFor();
      await reader.checkPage();
      await reader.press(page.getByRole('link', { name: 'The First Chapter' }));
      await page.getByText(/^\d+ cards$/).waitFor();
      await reader.checkPage();
      await page.goBack();
      await page.waitForURL('**/sets/lorcana');
      await reader.leave();
    });

    it('the pages cost nothing of the quota', async () => {
      const reader = await dashboard().reader(look);
      await reader.page.goto('/search?q=elsa');
      await reader.page.getByRole('link', { name: CARD.name }).first().waitFor();
      await reader.page.goto('/usage');
      await reader.page.getByText('0 of 10,000 requests used').waitFor();
      await reader.leave();
    });
  });
}

const PERIODS = [
  ['7 days', '7d'],
  ['90 days', '90d'],
  ['1 year', '1y'],
  ['All', 'all'],
] as const;
