/** The header of every page: the search with its suggestions, and the navigation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { ANY_LOOK, DESK_LOOK, hasFocus, LOOKS } from './support/reader.ts';

const dashboard = shareDashboard({ settings: { CARDPRICE_PUBLIC: 'on' } });

/** The least height and width of a touch target, in px. */
const LEAST_TOUCH = 44;

const box = (page: Page) => page.getByRole('combobox');
const options = (page: Page) => page.getByRole('option');

for (const look of LOOKS) {
  describe(`The header ${look.name}`, () => {
    it('finds cards with the keyboard alone', async () => {
      const reader = await dashboard().visitor(look);
      const { page } = reader;
      await page.goto('/sets');
      await page.waitForLoadState('networkidle');
      await page.keyboard.press('/');
      assert.ok(await hasFocus(box(page)));
      await page.keyboard.type('elsa spirit of winter');
      await options(page).filter({ hasText: CARD.name }).first().waitFor();
      await reader.checkPage();
      await page.keyboard.press('ArrowDown');
      const active = await box(page).getAttribute('aria-activedescendant');
      assert.equal(await options(page).first().getAttribute('id'), active);
      assert.equal(await options(page).first().getAttribute('aria-selected'), 'true');
      await page.keyboard.press('Escape');
      assert.equal(await options(page).count(), 0);
      assert.equal(await box(page).getAttribute('aria-expanded'), 'false');
      await page.keyboard.press('ArrowDown');
      await options(page).first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: CARD.name }).waitFor();
    });

    it('leads to all results with Enter', async () => {
      const reader = await dashboard().visitor(look);
      const { page } = reader;
      await page.goto('/');
      await reader.checkPage();
      await reader.tabTo(box(page));
      await page.keyboard.type('elsa');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/search?q=elsa');
    });
  });
}

describe('The header', () => {
  it('shows the set, the number and the price of each suggestion', async () => {
    const reader = await dashboard().visitor(DESK_LOOK);
    const { page } = reader;
    await page.goto(`/cards/${CARD.id}`);
    await box(page).fill('elsa spirit of winter enchanted');
    const option = options(page).filter({ hasText: '207' }).first();
    await option.waitFor();
    assert.match(await option.innerText(), /The First Chapter\s+207\/204\s+old \$\d/);
    await option.click();
    await page.waitForURL(`**/cards/${CARD.id}`);
  });

  it('leaves `/` to readers who are typing', async () => {
    const reader = await dashboard().visitor(DESK_LOOK);
    const { page } = reader;
    await page.goto('/sets');
    await box(page).fill('');
    await box(page).pressSequentially('4/102');
    assert.equal(await box(page).inputValue(), '4/102');
  });

  it('is at most 64 px high on a phone, and everything in it is large enough to touch', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/sets');
    const header = page.locator('header.bar');
    assert.ok(((await header.boundingBox())?.height ?? 100) <= 64);
    await reader.press(header.getByRole('button', { name: 'Menu' }));
    await reader.checkPage();
    for (const target of await header.locator('a, button, input').all()) {
      if (!(await target.isVisible())) continue;
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {};
      const name = (await target.textContent()) || 'the search';
      assert.ok(height >= LEAST_TOUCH, `${name} is ${height} px high`);
      if (!name.includes('Cardprice'))
        assert.ok(width >= LEAST_TOUCH, `${name} is ${width} px wide`);
    }
    await page.keyboard.press('Escape');
    assert.equal(await header.getByRole('link', { name: 'Keys' }).isVisible(), false);
  });

  it('has one link for operators, whose menu has their pages and their own keys', async () => {
    const reader = await dashboard().operator(ANY_LOOK);
    const { page } = reader;
    await page.goto('/sets');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    const links = navigation.getByRole('link', { includeHidden: true });
    const names = await links.evaluateAll((all) => all.map((link) => link.textContent));
    assert.deepEqual(names, ['Cards', 'Sets', 'Movers', 'List', 'Alerts', 'Account', 'Operator']);
    await reader.follow('Operator');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await reader.follow('Keys', 'Operator');
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
  });

  it('has the pages that visitors may see, and a link to sign in', async () => {
    const reader = await dashboard().visitor(DESK_LOOK);
    const { page } = reader;
    await page.goto('/sets');
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    assert.deepEqual(await links.allInnerTexts(), [
      'Cards',
      'Sets',
      'Movers',
      'List',
      'Plans',
      'Sign in',
      'Sign up',
    ]);
  });
});
