/** The price index on the pages of sets and games, with the keyboard alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { ANY_LOOK, LOOKS } from './support/reader.ts';

const dashboard = shareDashboard({ settings: { CARDPRICE_PUBLIC: 'on' } });

for (const look of LOOKS) {
  describe(look.name, () => {
    it('the page of a set draws its index once a reader comes to it', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(CARD.set);
      const index = page.getByRole('region', { name: 'Price index' });
      await index.scrollIntoViewIfNeeded();
      await index.getByText(/index \d+\.\d\d$/).waitFor();
      await reader.checkPage();
      await reader.tabTo(index.getByRole('radio', { name: '30 days' }));
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await index.locator('dt', { hasText: '90 days' }).waitFor();
      const day = index.getByRole('slider', { name: 'Day of the index' });
      await reader.tabTo(day);
      await page.keyboard.press('Home');
      assert.match(
        (await day.getAttribute('aria-valuetext')) ?? '',
        /^Sep 19, 2025: index 100\.00$/,
      );
    });

    it('the page of a game draws its index when a reader opens it', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/sets/lorcana');
      await reader.press(page.getByText('Show the price index'));
      await page.getByText(/index \d+\.\d\d$/).waitFor();
      await reader.checkPage();
    });
  });
}

describe('The index for visitors', () => {
  it('has the days of the free plan', async () => {
    const { page } = await dashboard().visitor(ANY_LOOK);
    await page.goto(CARD.set);
    const index = page.getByRole('region', { name: 'Price index' });
    await index.scrollIntoViewIfNeeded();
    await index.getByText('This page shows the last 30 days.').waitFor();
    assert.equal(await index.getByText('90 days').count(), 0);
  });

  it('says when it starts if prices are of one day', async () => {
    const { page } = await dashboard().visitor(ANY_LOOK);
    await page.goto('/sets/pokemon/pokemon-base-set');
    const index = page.getByRole('region', { name: 'Price index' });
    await index.scrollIntoViewIfNeeded();
    await index.getByText('The index starts with the second day').waitFor();
  });
});
