/** Looking up cards, with the keyboard alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { hasFocus, LOOKS } from './support/reader.ts';

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
      await reader.press(page.getByText('Get this from the API'));
      await page.getByText('/v1/search?q=Elsa').waitFor();
      await page.goBack();
      await page.getByText('2 cards', { exact: true }).waitFor();
      assert.equal(await page.getByLabel('Rarity').inputValue(), '');
      await page.goForward();
      await page.getByText('1 card', { exact: true }).waitFor();
      await reader.press(page.getByRole('link', { name: CARD.name }));
      await page.getByRole('heading', { name: CARD.name, exact: true }).waitFor();
    });

    it('a button opens the actions of a card in a list', async () => {
      const reader = await dashboard().reader(look, 'business');
      const { page } = reader;
      await page.goto('/search?q=spirit+of+winter');
      for (const view of ['Rows', 'Pictures']) {
        await page.getByRole('radio', { name: view }).check();
        const row = page.getByRole('listitem').filter({ hasText: CARD.name }).first();
        const button = row.getByRole('button', { name: new RegExp(`^Actions: ${CARD.name}`) });
        await reader.press(button);
        await row.getByRole('button', { name: 'Copy link' }).waitFor();
        await reader.checkPage();
        await reader.press(row.getByRole('button', { name: 'Add to list' }));
        await row.getByText('Added.').waitFor();
        await page.keyboard.press('Escape');
        await row.getByRole('button', { name: 'Copy link' }).waitFor({ state: 'detached' });
        assert.ok(await hasFocus(button));
        await button.click();
        await row.getByRole('button', { name: 'Copy link' }).waitFor();
        // In a corner, where no link is.
        await page.locator('footer').click({ position: { x: 2, y: 2 } });
        await row.getByRole('button', { name: 'Copy link' }).waitFor({ state: 'detached' });
        assert.match(page.url(), /search/);
      }
    });

    it('a search without results is explained', async () => {
      const reader = await dashboard().reader(look);
      await reader.page.goto('/search?q=charrrizarrrd');
      await reader.page.getByText('No card matches every word.').waitFor();
      await reader.checkPage();
    });

    it('the games lead to their sets, and the sets to their cards', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/sets');
      await reader.press(page.getByRole('main').getByRole('link', { name: 'Disney Lorcana' }));
      await page.waitForURL('**/sets/lorcana');
      await reader.press(page.getByRole('link', { name: /^TFC The First Chapter Aug 18, 2023/ }));
      await page.waitForURL('**/sets/lorcana/lorcana-the-first-chapter');
      const cards = page.getByRole('list', { name: 'Cards of this set' });
      await cards.getByRole('link').first().waitFor();
      await reader.checkPage();
      await page.goBack();
      await page.waitForURL('**/sets/lorcana');
      await page.getByRole('heading', { level: 1, name: /Lorcana/ }).waitFor();
    });

    it('pages do not count toward the quota', async () => {
      const reader = await dashboard().reader(look);
      await reader.page.goto('/search?q=elsa');
      await reader.page.getByRole('link', { name: CARD.name }).first().waitFor();
      await reader.page.goto('/usage');
      await reader.page.getByText('0 of 10,000 requests used').waitFor();
    });
  });
}
