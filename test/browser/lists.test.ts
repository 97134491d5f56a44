/** Long lists of cards, sets and movers, with the keyboard alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { ANY_LOOK, DESK_LOOK, FLOW_LOOKS, hasFocus, SHARP_LOOKS } from './support/reader.ts';
import { MOST_SHIFT, RECORD_SHIFTS } from './support/shifts.ts';

const dashboard = shareDashboard();

const MANY = '/search?q=a&sort=name';

for (const look of SHARP_LOOKS) {
  describe(look.name, () => {
    it('each row of results is one link, labelled with card, set, number and price', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.addInitScript(RECORD_SHIFTS);
      await page.goto('/search?q=elsa+spirit&game=lorcana');
      const results = page.getByRole('list', { name: 'Cards found' });
      const links = results.getByRole('link');
      await links.first().waitFor();
      assert.equal(await links.count(), await results.getByRole('listitem').count());
      const name = await links.first().getAttribute('aria-label');
      assert.match(name ?? '', /^Elsa - Spirit of Winter, .+, \d+\/\d+, \$[\d,.]+$/);
      await reader.checkPage();
      assert.ok((await page.evaluate(() => window.layoutShift)) <= MOST_SHIFT);

      const row = results.getByRole('listitem').first();
      assert.deepEqual(await cutNumbers(page), []);
      await row.locator('.market').click({ force: true }); // the link is on top
      await page.waitForURL(/\/cards\/lorcana-/);
    });

    it('results are rows or pictures, as the reader chose last', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/search?q=dragon');
      const isGrid = page.locator('.card-list.as-grid');
      await page.locator('.card-list.as-rows').waitFor();
      await reader.tabTo(page.getByRole('radio', { name: 'Rows' }));
      await page.keyboard.press('ArrowRight');
      await isGrid.waitFor();
      await reader.checkPage();
      await page.goto(CARD.set);
      await isGrid.waitFor();
      await reader.checkPage();
    });

    it('more results are loaded at the end, and all of them are there on the way back', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(MANY);
      const links = page.getByRole('list', { name: 'Cards found' }).getByRole('link');
      await links.first().waitFor();
      const more = page.getByRole('button', { name: 'Show more' });
      // Batches also load by themselves. Each scroll is for those that are not there yet.
      for (let shown = await links.count(); shown < 80; shown = await links.count()) {
        await more.scrollIntoViewIfNeeded();
        await links.nth(shown).waitFor();
      }
      const target = links.nth(65);
      await target.focus();
      const before = await placeOf(target);
      const loaded = await links.count();
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/cards\//);
      await page.goBack();
      await links.nth(loaded - 1).waitFor();
      assert.deepEqual(await placeOf(target), before);
    });

    it('the set filter finds a set by a part of its name, and selects nothing else', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/search?q=charizard&game=pokemon');
      await page.getByRole('list', { name: 'Cards found' }).waitFor();
      await reader.openFilters();
      const box = page.getByRole('combobox', { name: 'Set', exact: true });
      await reader.type(box, 'base set');
      await page.getByRole('option', { name: /^Base Set BS/ }).waitFor();
      assert.equal(await box.inputValue(), 'base set', 'nothing is cut off');
      assert.doesNotMatch(page.url(), /set=/, 'and nothing is selected yet');
      await reader.checkPage();
      await page.keyboard.press('Enter');
      await page.waitForURL(/set=pokemon-base-set/);
      assert.equal(await box.inputValue(), 'Base Set');
      await page.getByText('1 card', { exact: true }).waitFor();

      await reader.type(box, 'no such set');
      await page.getByText('No set has this name or code.').waitFor();
      await page.keyboard.press('Tab');
      assert.equal(await box.inputValue(), 'Base Set', 'other text is dropped');
      await reader.tabTo(box);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press('Delete');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => !url.search.includes('set='));
    });

    it('results are filtered by price and rarity, and the filters can be dropped', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/search?q=elsa&game=lorcana');
      await page.getByRole('list', { name: 'Cards found' }).waitFor();
      await reader.openFilters();
      await reader.type('Lowest price in USD', '$100');
      await page.keyboard.press('Enter');
      await page.waitForURL(/min_price=100$/);
      await page.getByText('1 card', { exact: true }).waitFor();
      assert.ok((await pricesOf(page)).every((price) => price >= 100));
      await reader.type('Highest price in USD', '101');
      await page.keyboard.press('Enter');
      await page.getByText('No card matches every word and filter.').waitFor();
      await reader.checkPage();
      await reader.press(page.getByRole('link', { name: 'Search without filters' }));
      await page.waitForURL(/q=elsa$/);
    });

    it('a set shows what it is worth, its most valuable cards and a checklist', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.addInitScript(RECORD_SHIFTS);
      await page.goto('/sets/lorcana');
      await reader.checkPage();
      await reader.press(page.getByRole('link', { name: /The First Chapter/ }));
      await page.getByRole('heading', { name: 'The First Chapter', level: 1 }).waitFor();
      await page.getByText('Released Aug 18, 2023').waitFor();
      await page.getByText('Value of one of each card').waitFor();
      const valuable = page.getByRole('list', { name: 'Most valuable cards' });
      await valuable.getByRole('link', { name: CARD.name }).first().waitFor();
      assert.equal(await valuable.getByRole('link').count(), 5);
      const cards = page.getByRole('list', { name: 'Cards of this set' });
      await cards.getByRole('link').first().waitFor();
      assert.ok((await page.evaluate(() => window.layoutShift)) <= MOST_SHIFT);
      await reader.checkPage();

      const rarities = page.getByRole('list', { name: 'Rarities' });
      assert.equal(await rarities.getByRole('link').count(), 6);
      await reader.press(rarities.getByRole('link', { name: 'Legendary 12' }));
      await page.waitForURL(/rarity=Legendary#checklist$/);
      await page.getByText('12 cards', { exact: true }).waitFor();
      assert.equal(await page.getByLabel('Rarity', { exact: true }).inputValue(), 'Legendary');
      await reader.choose('Rarity', 'Enchanted');
      await page.waitForURL(/rarity=Enchanted/);
      await page.getByText('12 cards', { exact: true }).waitFor();
      await reader.choose('Printing', 'Normal');
      await page.waitForURL(/printing=Normal/);
      await page.getByText('0 cards', { exact: true }).waitFor();
      await page.goBack();
      await page.getByText('12 cards', { exact: true }).waitFor();
      const byNumber = await pricesOf(page, cards);
      await reader.choose('Sort by', 'Highest price');
      await page.waitForURL(/sort=price_desc/);
      await cards.getByRole('listitem').first().getByRole('link', { name: CARD.name }).waitFor();
      const byPrice = byNumber.toSorted((x, y) => y - x);
      assert.notDeepEqual(byNumber, byPrice);
      assert.deepEqual(await pricesOf(page, cards), byPrice);
    });

    it('the sets of a game are found by name, and sorted by year, value or name', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/sets/lorcana');
      await page.getByRole('heading', { name: /^2023/ }).waitFor();
      await reader.choose('Sort by', 'Name');
      await page.waitForURL(/sort=name/);
      const shown = page.locator('.set-list .name');
      // The sets of the former order stay until the answer comes.
      await shown.first().filter({ hasText: "Archazia's Island" }).waitFor();
      const names = await shown.allInnerTexts();
      assert.deepEqual(
        names,
        names.toSorted((a, b) => a.localeCompare(b, 'en')),
      );
      await reader.type('Name or code', 'first CHAPTER');
      await page.getByText('1 set', { exact: true }).waitFor();
      await reader.checkPage();
    });
  });
}

describe('Movers', () => {
  for (const look of FLOW_LOOKS) {
    it(`are listed, with those left out and why, ${look.name}`, async () => {
      const reader = await dashboard().reader(look);
      reader.expects(/404/);
      const { page } = reader;
      await page.addInitScript(RECORD_SHIFTS);
      await page.goto('/movers');
      await page.getByRole('heading', { name: 'Movers', level: 1 }).waitFor();
      await page.getByText(/printings? as of /).waitFor();
      await reader.checkPage();
      assert.deepEqual(await cutNumbers(page), []);
      assert.ok((await page.evaluate(() => window.layoutShift)) <= MOST_SHIFT);
      await reader.tabTo(page.getByRole('radio', { name: 'Up and down' }));
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(/direction=up/);
      await page.locator('.found[aria-busy=false]').waitFor();
      const list = page.getByRole('list', { name: 'Cards with price changes' });
      await list.getByRole('link').first().waitFor();
      const changes = await list.locator('.change').allInnerTexts();
      assert.deepEqual(
        changes.filter((change) => !/^▲ \+[$\d]/.test(change)),
        [],
      );
      const row = list.getByRole('listitem').first();
      await reader.press(row.getByRole('button', { name: /^Actions: / }));
      await row.getByRole('button', { name: 'Copy link' }).waitFor();
      await reader.checkPage();
      await page.keyboard.press('Escape');
      await reader.press(page.locator('summary', { hasText: 'left out, with reasons' }));
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await reader.checkPage();
      await reader.tabTo(page.getByRole('radio', { name: '7 days' }));
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(/window=30d/);
      await list.getByRole('link').first().waitFor();
      await page.goto('/movers/fab');
      await page.getByText('No price changes match these filters.').waitFor();
      await page.goto('/movers/chess');
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    });
  }
});

describe('Lists', () => {
  it('the button for more moves the focus to the first new row', async () => {
    const reader = await dashboard().reader(DESK_LOOK);
    const { page } = reader;
    await page.addInitScript('delete window.IntersectionObserverEntry.prototype.isIntersecting');
    await page.goto(MANY);
    const links = page.getByRole('list', { name: 'Cards found' }).getByRole('link');
    await links.first().waitFor();
    const count = await links.count();
    await reader.press('Show more');
    await links.nth(count).waitFor();
    assert.ok(await hasFocus(links.nth(count)));
  });

  it('a page of a list has 600 rows, and the next page has its own address', async () => {
    const reader = await dashboard().reader(DESK_LOOK);
    const { page } = reader;
    await page.goto(MANY);
    const links = page.getByRole('list', { name: 'Cards found' }).getByRole('link');
    await links.first().waitFor();
    const next = page.getByRole('link', { name: /^601 to/ });
    while (!(await next.isVisible())) {
      await page.keyboard.press('End');
      await page.waitForTimeout(30);
    }
    assert.equal(await links.count(), 600);
    await next.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/page=2$/);
    await page.getByRole('link', { name: '1 to 600', exact: true }).waitFor();
    assert.ok(await hasFocus(links.first()));
    await page.goBack();
    await links.nth(599).waitFor();
  });

  it('an unknown set is reported, and a set of another game is shown under its game', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    reader.expects(/404/);
    const { page } = reader;
    await page.goto('/sets/lorcana/lorcana-nothing');
    await page.getByRole('heading', { name: 'Set not found' }).waitFor();
    await page.goto('/sets/mtg/lorcana-the-first-chapter');
    await page.waitForURL(`**${CARD.set}`);
  });
});

describe('Old prices', () => {
  const CHARIZARDS = '/search?q=charizard&game=pokemon';
  const olds = (page: Page) =>
    page.getByRole('main').locator('li').getByText('old', { exact: true });

  it('are marked once if all prices of a list are old, and not for cards without a price', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    for (const path of [CHARIZARDS, '/search?q=dragon&sort=price_asc', '/movers']) {
      await page.goto(path);
      await page.getByText('All of these prices are older than 7 days.').waitFor();
      assert.equal(await olds(page).count(), 0, path);
    }
    await page.goto('/');
    await page
      .getByRole('heading', { name: 'Price changes in the week to Jan 28, 2026' })
      .waitFor();
    await page.getByText('The newest prices are from Jan 28, 2026').waitFor();
    await page.goto(`/cards/${CARD.id}`);
    await page.getByText('From tcgplayer, observed Jan 28, 2026').waitFor();
    await page.getByText('All of these prices are older than 7 days.').first().waitFor();
    await page.getByRole('combobox', { name: 'Search cards' }).focus();
    await page.keyboard.type('elsa');
    await page.getByRole('option', { name: /old \$740\.04/ }).waitFor();
  });

  it('are marked one by one where others are new', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const quote = `pokemon-bs-charizard-004,Holofoil,${today},450`;
    await dashboard().importQuotes(`card,printing,date,market\n${quote}\n`);
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto(CHARIZARDS);
    await reader.reloadUntil(page.getByText('$450.00'));
    assert.ok((await olds(page).count()) > 0);
    const charizard = page.getByRole('listitem').filter({ hasText: '$450.00' });
    assert.equal(await charizard.getByText('old', { exact: true }).count(), 0);
  });
});

/** Returns the collector numbers that are cut off. */
function cutNumbers(page: Page): Promise<string[]> {
  return page.locator('.card-facts .number bdi').evaluateAll((numbers) => {
    const cut = numbers.filter((number) => {
      const facts = number.closest('.card-facts')?.getBoundingClientRect();
      const { left, right, bottom } = number.getBoundingClientRect();
      // In columns, the facts have no box.
      if (!facts || facts.width === 0) return false;
      return left < facts.left || right > facts.right + 0.5 || bottom > facts.bottom + 0.5;
    });
    return cut.map((number) => number.textContent ?? '');
  });
}

/** Returns the card of a row, and the distance of the row from the top of the window in px. */
async function placeOf(link: Locator) {
  const top = await link.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  return { card: await link.getAttribute('href'), top };
}

/** Returns the prices of a list in its order. */
async function pricesOf(page: Page, list: Locator = page.getByRole('main')): Promise<number[]> {
  const texts = await list.locator('li .market').allInnerTexts();
  return texts.map((text) => Number(text.replace(/[^\d.]/g, '')));
}
