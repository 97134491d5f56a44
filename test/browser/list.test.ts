/** Pricing a pasted list, with the keyboard alone. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { VisitorQuota } from '../../src/accounts/quota/page-quota.ts';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { publishEuro } from './support/rates.ts';
import { ANY_LOOK, DESK_LOOK, FLOW_LOOKS, hasFocus, LARGER_PHONE } from './support/reader.ts';

const LIST = `Deck
4 ${CARD.name} (TFC) 207

1 Charizard
=1+1`;

/** A binary file as a browser reads it: broken UTF-8, control characters, lone surrogates. */
const BINARY = `PK\u0003\u0004\u0000\u0014\ufffd\ud800 \u202e\u0007\n${'\ufffd\u0001'.repeat(400)}\n\udc00x`;

const dashboard = shareDashboard({ settings: { CARDPRICE_PUBLIC: 'on' } });

/** Replaces the text of a box as a paste does, at once. */
async function paste(box: Locator, text: string): Promise<void> {
  await box.evaluate((element: HTMLTextAreaElement, pasted) => {
    element.value = pasted;
    element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
  }, text);
}

/** Enters a value and resolves with the milliseconds until the browser has painted it. */
function timeInput(element: HTMLElement | SVGElement, value: string): Promise<number> {
  const start = performance.now();
  (element as HTMLInputElement).value = value;
  element.dispatchEvent(new InputEvent('input', { bubbles: true }));
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
  });
}

const boxOf = (page: Page) => page.getByRole('textbox', { name: 'Cards, one per line' });
const summaryOf = (page: Page) => page.getByRole('status').filter({ hasText: 'name a card' });
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first();

for (const look of [...FLOW_LOOKS, LARGER_PHONE]) {
  describe(look.name, () => {
    it('a list becomes a table of cards, and the reader chooses among candidates', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/');
      await reader.follow('List');
      await page.waitForURL('**/list');
      await reader.checkPage();
      await reader.tabTo(boxOf(page));
      await page.keyboard.insertText(LIST);
      await reader.press('Price the list');
      const summary = summaryOf(page);
      await summary.getByText(/^1 of 4 lines name a card: 4 copies worth \$[\d,.]+\.$/).waitFor();
      assert.ok(await hasFocus(summary));
      await page.getByText('=1+1').last().waitFor();
      await reader.press(page.getByRole('button', { name: /^\d+ candidates for 1 Charizard/ }));
      await reader.checkPage();

      await reader.tabTo(page.getByRole('radio', { name: 'None of these' }));
      await page.keyboard.press('ArrowUp');
      await summary.getByText(/^2 of 4 lines name a card: 5 copies/).waitFor();
      assert.ok(await hasFocus(page.getByRole('radio', { checked: true }).last()));
      await page.getByLabel('Condition').waitFor();
      await reader.checkPage();

      const [file] = await Promise.all([
        page.waitForEvent('download'),
        reader.press('Download as CSV'),
      ]);
      assert.equal(file.suggestedFilename(), 'cards.csv');
      const csv = await readFile(await file.path(), 'utf8');
      assert.match(csv, /^2,4 Elsa .*,matched,lorcana-tfc-elsa-spirit-of-winter-207,/m);
      assert.match(csv, /^5,'=1\+1,unknown,/m);
      await reader.press('Copy as CSV');
      await page.getByText('Copied.').waitFor();
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), csv);

      await page.getByRole('link', { name: CARD.name }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: CARD.name, exact: true }).waitFor();
      await page.goBack();
      await summary.getByText(/^2 of 4 lines/).waitFor();
    });

    it('a visitor tries the sample, and sees what it is worth and how many lookups are left', async () => {
      const reader = await dashboard().visitor(look);
      const { page } = reader;
      await page.goto('/');
      await reader.follow('List');
      const left = page.getByText(/of 3,000 card lookups left today\.$/);
      await left.waitFor();
      const before = await left.innerText();
      await reader.press('Try a sample');
      await summaryOf(page)
        .getByText(/^8 of 9 lines name a card: 15 copies worth \$\d/)
        .waitFor();
      assert.match(await boxOf(page).inputValue(), /^4x Lightning Bolt/);
      await page.getByText(before).waitFor({ state: 'hidden' });
      await left.waitFor();
      const graded = rowOf(page, 'PSA 10');
      assert.match(await graded.innerText(), /Holofoil · PSA 10/);
      await reader.checkPage();
    });

    it('the reader edits quantities and copies, and sees what to pay', async () => {
      const reader = await dashboard().visitor(look);
      const { page } = reader;
      await page.goto('/list');
      await boxOf(page).fill(`2 ${CARD.name} (TFC) 207 NM\n1 Charizard Base Set 4/102 PSA 7`);
      await reader.press('Price the list');
      const summary = summaryOf(page);
      await summary.getByText('3 copies worth $1,313.02').waitFor();
      await page.getByText('because they have no price: 1 line (Charizard PSA 7)').waitFor();
      const charizard = rowOf(page, '4/102');
      assert.match(await charizard.innerText(), /No source prices a PSA 7 of this printing\./);
      assert.match(await charizard.innerText(), /no price/);

      await reader.type('Percent to pay', '62.5');
      await page.getByText('$820.64').first().waitFor();
      await reader.type(page.getByRole('spinbutton', { name: `Quantity of ${CARD.name}` }), '3');
      await summary.getByText('4 copies worth $1,969.53').waitFor();
      // 62.5% are $1,230.95625.
      await page.getByText('$1,230.96').first().waitFor();

      await reader.press(page.getByRole('button', { name: 'Copy of Charizard: ' }));
      await page.getByLabel('Grade').waitFor();
      await reader.checkPage();
      await reader.choose('Grade', 'Not graded');
      await charizard.getByText('Holofoil · Any condition').waitFor();
      await summary.getByText('4 copies worth $2,423.39').waitFor();
      assert.doesNotMatch(await charizard.innerText(), /no price/i);
      await reader.type('Percent for this line', '50');
      await page.getByText('$226.93').first().waitFor();
      await reader.choose('Condition', 'Damaged');
      await page.getByText('No source prices a damaged copy of this printing.').waitFor();
      await summary.getByText('4 copies worth $1,969.53').waitFor();
      await reader.checkPage();
    });
  });
}

describe('A list', () => {
  it('has the prices of the currency that the reader chooses, and says the rate', async () => {
    await publishEuro(dashboard(), 1.25);
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/list');
    await boxOf(page).fill(LIST);
    await reader.press('Price the list');
    const summary = summaryOf(page);
    await summary.getByText('4 copies worth $2,960.16').waitFor();
    await reader.press(page.getByRole('button', { name: /candidates for 1 Charizard/ }));
    await page
      .getByRole('radio', { name: /Charizard/ })
      .first()
      .check();
    await summary.getByText(/^2 of 4 lines name a card: 5 copies worth \$/).waitFor();

    const euros = page.getByRole('button', { name: 'EUR' });
    await reader.press(euros);
    await summary.getByText(/^2 of 4 lines name a card: 5 copies worth €/).waitFor();
    assert.ok(await hasFocus(euros), 'the reader stays where they are');
    await page.getByText('€592.03', { exact: true }).first().waitFor();
    await page
      .getByText(/^Prices that no source has in EUR are converted from USD at 0\.8 of/)
      .waitFor();
    assert.equal(await page.getByText('$').count(), 0);
    await reader.checkPage();
    await reader.press('Price the list');
    await summary.getByText('4 copies worth €2,368.12').waitFor();
    await reader.press(page.getByRole('button', { name: 'USD' }));
    await summary.getByText('4 copies worth $2,960.16').waitFor();
  });

  it('of too many lines stays in the form with an error', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/list');
    const box = boxOf(page);
    const find = page.getByRole('button', { name: 'Price the list' });
    await box.fill('Elsa\n'.repeat(501));
    await reader.press(find);
    await page.getByRole('alert').getByText('The list has 501 lines.').waitFor();
    await box.fill(' \n ');
    await reader.press(find);
    await page.getByRole('alert').getByText('The list is empty.').waitFor();
    await reader.checkPage();
    await box.fill('Elsa\n'.repeat(500));
    await reader.press(find);
    await page.getByText(/^0 of 500 lines name a card/).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  it('of 30,000 lines, or of a binary file, does not break the page', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/list');
    const box = boxOf(page);
    const find = page.getByRole('button', { name: 'Price the list' });
    const lines = Array.from({ length: 30_000 }, (_, index) => `${index},Charizard,Base Set,4`);
    await paste(box, lines.join('\r\n'));
    await reader.press(find);
    await page.getByRole('alert').getByText('The list has 30,000 lines.').waitFor();
    assert.equal((await box.inputValue()).split('\n').length, 30_000, 'all of them stay');
    await reader.checkPage();

    await paste(box, BINARY);
    await reader.press(find);
    await page.getByText(/^0 of \d+ lines name a card/).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await reader.checkPage();
  });

  it('keeps what the reader has changed in another currency', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/list');
    await boxOf(page).fill(`${CARD.name} (TFC) 207`);
    await reader.press('Price the list');
    await reader.press(page.getByRole('button', { name: `Copy of ${CARD.name}` }));
    await reader.choose('Condition', 'Near mint');
    const summary = summaryOf(page);
    await summary.getByText('1 copy worth $656.51').waitFor();
    await reader.press(page.getByRole('button', { name: 'EUR' }));
    await summary.getByText('1 copy worth €525.21').waitFor();
    await page.getByText('Cold Foil · Near mint').waitFor();
  });

  it('shows all cards that a line may mean, as pictures, and keeps a choice among them', async () => {
    const reader = await dashboard().reader(DESK_LOOK);
    const { page } = reader;
    await page.goto('/list');
    await boxOf(page).fill('4 Pikachu\nSol Ring');
    await reader.press('Price the list');
    await reader.press(page.getByRole('button', { name: /candidates for 4 Pikachu/ }));
    const candidates = page.getByRole('radio', { name: /Pikachu/ });
    assert.equal(await candidates.count(), 5);
    const all = page.getByRole('button', { name: /^Show all \d/ });
    const count = Number(/\d+/.exec(await all.innerText())?.[0]);
    await reader.press(all);
    await candidates.nth(count - 1).waitFor();
    assert.equal(await candidates.count(), count);
    assert.equal(await page.locator('.candidate .card-picture').count(), count);
    await reader.checkPage();
    await candidates.nth(count - 1).check();
    const summary = summaryOf(page);
    await summary.getByText(/^2 of 2 lines name a card: 5 copies worth \$/).waitFor();
    await reader.press(page.getByRole('button', { name: 'EUR' }));
    await summary.getByText(/^2 of 2 lines name a card: 5 copies worth €/).waitFor();
  });

  it('has the price of the printing that the reader picks, never that of another', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/list');
    await boxOf(page).fill('2 Alakazam Base Set 1/102');
    await reader.press('Price the list');
    const summary = summaryOf(page);
    await summary.getByText('2 copies worth $112.68').waitFor();
    await reader.press(page.getByRole('button', { name: 'Copy of Alakazam: Holofoil' }));
    await reader.choose('Printing', '1st Edition');
    await page.getByText('No source reports a market price.').waitFor();
    await summary.getByText('2 copies worth $0.00').waitFor();
  });

  it('can be narrowed to the lines without a card or a price, which stay when they are edited', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/list');
    await boxOf(page).fill('Sol Ring\nCharizard\nCharizard 4/102 PSA 7');
    await reader.press('Price the list');
    const rows = page.locator('.list-lines tbody tr:not(.detail)');
    await page.getByRole('radio', { name: 'No price 1' }).check();
    assert.equal(await rows.count(), 1);
    await page.getByRole('radio', { name: 'No card 1' }).check();
    await reader.press(page.getByRole('button', { name: /candidates for Charizard/ }));
    await page.getByRole('radio', { name: /Base Set/ }).check();
    await page.getByRole('radio', { name: 'No card 0' }).waitFor();
    assert.equal(await rows.count(), 1);
    await page.getByRole('radio', { name: 'All 3' }).check();
    assert.equal(await rows.count(), 3);
    await reader.checkPage();
  });

  it('takes over the cards that a visitor adds on other pages', async () => {
    const reader = await dashboard().visitor(DESK_LOOK);
    const { page } = reader;
    await page.goto(`/cards/${CARD.id}`);
    await reader.press('Add to list');
    await page.getByRole('link', { name: 'Open the list' }).click();
    await page.waitForURL('**/list');
    assert.equal(await boxOf(page).inputValue(), `1 ${CARD.name} (TFC) 207/204`);
  });

  it('of 500 lines stays fluid', async () => {
    const reader = await dashboard().reader(DESK_LOOK);
    const { page } = reader;
    await page.goto('/list');
    await boxOf(page).fill(`2 ${CARD.name} (TFC) 207\n`.repeat(500));
    await reader.press('Price the list');
    await summaryOf(page).getByText('500 of 500 lines').waitFor();
    const durations: number[] = [];
    for (const quantity of ['3', '4', '5', '6', '7']) {
      const box = page.getByRole('spinbutton').nth(3);
      durations.push(await box.evaluate(timeInput, quantity));
    }
    const median = durations.sort((a, b) => a - b)[2] ?? 0;
    assert.ok(median < 250, `an edit takes ${Math.round(median)} ms`);
    await summaryOf(page).getByText('1,005 copies').waitFor();
  });

  it('does not count toward the quota of the API', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/list');
    await boxOf(page).fill('Charizard');
    await reader.press('Price the list');
    await page.getByRole('table').waitFor();
    await page.goto('/usage');
    await page.getByText('0 of 10,000 requests used').waitFor();
  });
});

describe('A visitor without lookups', () => {
  it('reads when they return and that an account has more, and keeps the list', async () => {
    const { store } = dashboard();
    const quota = new VisitorQuota(store, Date.now);
    const { remaining } = await quota.left('127.0.0.1');
    await quota.charge('127.0.0.1', remaining - 1);
    const reader = await dashboard().visitor(ANY_LOOK);
    reader.expects(/429/);
    const { page } = reader;
    await page.goto('/list');
    await page.getByText('1 of 3,000 card lookups left today.').waitFor();
    await boxOf(page).fill('Sol Ring (2ED) 270\nLightning Bolt (2ED) 162');
    await reader.press('Price the list');
    await page.getByRole('alert').getByText('needs more card lookups than you have left').waitFor();
    assert.match(await boxOf(page).inputValue(), /^Sol Ring/);

    await quota.charge('127.0.0.1', 1);
    await page.reload();
    const notice = page.getByText('You have used today’s 3,000 card lookups.');
    assert.match(
      await notice.innerText(),
      /reset at midnight UTC, in .* An account has its own lookups/,
    );
    await notice.getByRole('link', { name: 'sign up' }).waitFor();
    await reader.checkPage();
  });
});
