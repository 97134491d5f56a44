/** Seeing how a search was understood, and removing parts of it with the keyboard alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { ANY_LOOK, LOOKS } from './support/reader.ts';
import { MOST_SHIFT, RECORD_SHIFTS } from './support/shifts.ts';

const ALIASES = fileURLToPath(new URL('support/aliases.csv', import.meta.url));
const QUERY = 'Elsa  First Chapter Enchanted 207/204 PSA 9 xyzzy';

const dashboard = shareDashboard({ settings: { CARDPRICE_ALIASES: ALIASES } });

for (const look of LOOKS) {
  describe(look.name, () => {
    it('the readings of a query are filters, and removing one searches without it', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/search?q=${encodeURIComponent(QUERY)}`);
      const readings = page.getByRole('list', { name: 'How the search was understood' });
      await readings.waitFor();
      const texts = await readings.getByRole('listitem').allInnerTexts();
      const shown = texts.map((text) => text.replace(/\s+/g, ' '));
      assert.deepEqual(shown, [
        'Remove Not understood: xyzzy ✕',
        'Remove set: first chapter ✕',
        'Remove number: 207/204 ✕',
        'Remove rarity: enchanted ✕',
        'Remove grade: psa 9 ✕',
      ]);
      await reader.checkPage();

      await reader.press('Remove set: first chapter');
      await readings.getByText('first chapter').waitFor({ state: 'detached' });
      const box = page.getByRole('combobox', { name: 'Card name' });
      assert.equal(await box.inputValue(), 'Elsa Enchanted 207/204 PSA 9 xyzzy');
      await page.waitForURL(/q=Elsa\+Enchanted\+207/);
      assert.ok(await page.getByText('1 card').evaluate(isAtFocus));
      await page.keyboard.press('Tab');
      const next = page.getByRole('button', { name: 'Remove Not understood: xyzzy' });
      assert.ok(await next.evaluate(isAtFocus));
      await page.keyboard.press('Space');
      await page.waitForURL(/q=Elsa\+Enchanted\+207%2F204\+PSA\+9$/);
      await reader.checkPage();
      await page.goBack();
      await page.getByText('Not understood:', { exact: true }).waitFor();
    });

    it('while one types, the results move only for another line of readings on a phone', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.addInitScript(RECORD_SHIFTS);
      await page.goto('/search');
      await reader.tabTo(page.getByRole('combobox', { name: 'Card name' }));
      await page.keyboard.type('elsa');
      await resultsOf(page).waitFor();
      const top = await topOfResults(page);
      const first = await heightOfHead(page);
      for (const key of ' first chapter enchanted 207/204 psa 9 nm xyzzy') {
        await page.keyboard.type(key);
        await page.waitForFunction(() => document.querySelector('.found[aria-busy=false]'));
        if (await resultsOf(page).isVisible()) {
          // On a phone, each line of readings moves the results down.
          const grown = look.width < 1000 ? (await heightOfHead(page)) - first : 0;
          assert.equal((await topOfResults(page)) - grown, top, `the results move at "${key}"`);
        }
      }
      await page.getByText('Not understood:', { exact: true }).waitFor();
      const lines = await linesOf(
        page.getByRole('list', { name: 'How the search was understood' }),
      );
      assert.ok(lines <= (look.width < 1000 ? 4 : 1), `${lines} lines`);
      assert.ok((await page.evaluate(() => window.layoutShift)) <= MOST_SHIFT);
    });
  });
}

describe('The readings of a query', () => {
  it('are announced together with the number of cards', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    await reader.page.goto(`/search?q=${encodeURIComponent('elsa enchanted xyzzy')}`);
    const status = reader.page.getByRole('status').filter({ hasText: '1 card' });
    await status.waitFor();
    assert.equal(await status.textContent(), '1 card. Not understood: xyzzy. rarity: enchanted');
  });

  it('are not shown for a name', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    for (const address of ['/search?q=elsa', '/search?q=elsa&game=lorcana']) {
      await page.goto(address);
      await page.getByText(/^[\d,]+ cards$/).waitFor();
      assert.equal(await page.getByRole('button', { name: /^Remove/ }).count(), 0, address);
    }
  });

  it('come with the correct spelling of misspelt words', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/search?q=charzard');
    await page.getByText('Showing results for charizard').waitFor();
    await page.goto('/search?q=charizrd+bse+set');
    await page.getByText('Showing results for charizard base set').waitFor();
    await reader.checkPage();
    await page.goto('/search?q=chariz');
    await page.getByText(/^\d+ cards$/).waitFor();
    assert.equal(await page.getByText('Showing results for').count(), 0);
  });

  it('leave out invalid filters of an address, and list them', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/search?q=elsa&min_price=abc&max_price=5&game=nogame');
    const notice = page.getByText(/^Ignored invalid filters/);
    assert.equal(
      await notice.textContent(),
      'Ignored invalid filters: game “nogame”, lowest price “abc”.',
    );
    await reader.checkPage();
    await page.goto('/search?q=elsa&min_price=1&game=lorcana');
    await page.getByText(/^\d+ cards$/).waitFor();
    assert.equal(await notice.count(), 0);
  });

  it('include filters, orders and malformed parts, and each can be removed', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    const q = 'cheapest elsa -gloves text:frozen under $5000';
    await page.goto(`/search?q=${encodeURIComponent(q)}`);
    const readings = page.getByRole('list', { name: 'How the search was understood' });
    await readings.waitFor();
    const texts = await readings.getByRole('listitem').allInnerTexts();
    assert.deepEqual(
      texts.map((text) => text.replace(/\s+/g, ' ')),
      [
        'Remove Not understood: text:frozen ✕',
        'Remove order: cheapest ✕',
        'Remove filter: -gloves ✕',
        'Remove filter: under $5000 ✕',
      ],
    );
    await page.getByText('Cardprice does not know texts of cards yet.').waitFor();
    await reader.checkPage();
    await reader.press('Remove filter: -gloves');
    await readings.getByText('-gloves').waitFor({ state: 'detached' });
    const box = page.getByRole('combobox', { name: 'Card name' });
    assert.equal(await box.inputValue(), 'cheapest elsa text:frozen under $5000');
    await reader.press('Remove Not understood: text:frozen');
    await page
      .getByText('Cardprice does not know texts of cards yet.')
      .waitFor({ state: 'detached' });
    assert.equal(await box.inputValue(), 'cheapest elsa under $5000');
  });

  it('include the words of an alias, which cannot be removed because nobody typed them', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/search?q=snowbraid+nm');
    await page.getByRole('link', { name: CARD.name }).waitFor();
    const readings = page.getByRole('list', { name: 'How the search was understood' });
    await readings.getByText('name: elsa').waitFor();
    await readings.getByText('number: 207/204').waitFor();
    await readings.getByRole('button', { name: 'Remove condition: nm' }).waitFor();
    assert.equal(await readings.getByRole('button').count(), 1);
    await reader.checkPage();
  });

  it('move the focus to the box when no reading is left', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/search?q=romance+dawn');
    await reader.press('Remove set: romance dawn');
    await page.waitForURL((url) => url.search === '');
    assert.ok(await page.getByRole('combobox', { name: 'Card name' }).evaluate(isAtFocus));
  });
});

function isAtFocus(element: Element): boolean {
  return document.activeElement?.contains(element) ?? false;
}

/** The results as one list. */
function resultsOf(page: Page) {
  return page.getByRole('list', { name: 'Cards found' });
}

/** Returns the height of the line above the results, with all readings, in px. */
function heightOfHead(page: Page): Promise<number> {
  return page.locator('.found-head').evaluate((head) => head.getBoundingClientRect().height);
}

/** Counts the lines that the items of a list take. */
function linesOf(list: Locator): Promise<number> {
  return list.getByRole('listitem').evaluateAll((items) => {
    return new Set(items.map((item) => Math.round(item.getBoundingClientRect().top))).size;
  });
}

async function topOfResults(page: Page): Promise<number> {
  return resultsOf(page).evaluate((list) => list.getBoundingClientRect().top + scrollY);
}
