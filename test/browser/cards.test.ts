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

      await reader.openFilters();
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

    it('a search without results is explained', async () => {
      const reader = await dashboard().reader(look);
      await reader.page.goto('/search?q=charrrizarrrd');
      await reader.page.getByText('No card matches every word.').waitFor();
      await reader.checkPage();
      await reader.leave();
    });

    it('the games lead to their sets, and the sets to their cards', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/sets');
      await reader.press(page.getByRole('main').getByRole('link', { name: 'Disney Lorcana' }));
      await page.waitForURL('**/sets/lorcana');
      await reader.press(page.getByRole('link', { name: /^TFC The First Chapter Aug 18, 2023/ }));
      await page.getByRole('heading', { name: 'The First Chapter', level: 1 }).waitFor();
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
