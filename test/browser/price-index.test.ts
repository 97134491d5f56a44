/** The price index on the pages of sets and games, with the keyboard alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { ANY_LOOK, LOOKS } from './support/reader.ts';

const dashboard = shareDashboard({ settings: { CARDPRICE_PUBLIC: 'on' } });

const OPEN = 'Show the price index';

for (const look of LOOKS) {
  describe(look.name, () => {
    it('the page of a set draws its index when a reader opens it', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(CARD.set);
      await reader.press(page.getByText(OPEN));
      await page.getByText(/index \d+\.\d\d$/).waitFor();
      await reader.checkPage();
      const index = page.locator('.price-index');
      await reader.tabTo(index.getByRole('radio', { name: '30 days' }));
      for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
      await index.locator('dt', { hasText: '90 days' }).waitFor();
      const day = index.getByRole('slider', { name: 'Day of the index' });
      await reader.tabTo(day);
      await page.keyboard.press('Home');
      assert.match(
        (await day.getAttribute('aria-valuetext')) ?? '',
        /^Sep 19, 2025: index 100\.00$/,
      );
    });

    it('the page of a game has it too', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/sets/lorcana');
      await reader.press(page.getByText(OPEN));
      await page.getByText(/index \d+\.\d\d$/).waitFor();
      await reader.checkPage();
    });
  });
}

describe('The index for visitors', () => {
  it('has the days of the free plan', async () => {
    const { page } = await dashboard().visitor(ANY_LOOK);
    await page.goto(CARD.set);
    await page.getByText(OPEN).click();
    await page.getByText('This page shows the last 30 days.').waitFor();
    assert.equal(await page.getByRole('radio', { name: '90 days' }).count(), 0);
  });

  it('says when it starts if prices are of one day', async () => {
    const { page } = await dashboard().visitor(ANY_LOOK);
    await page.goto('/sets/pokemon/pokemon-base-set');
    await page.getByText(OPEN).click();
    await page.getByText('The index starts with the second day').waitFor();
  });
});
