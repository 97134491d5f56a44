/** Finding the cards of a pasted list, with the keyboard alone. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { publishEuro } from './support/rates.ts';
import { ANY_LOOK, FLOW_LOOKS, hasFocus, LARGER_PHONE } from './support/reader.ts';

const LIST = `Deck
4 ${CARD.name} (TFC) 207

1 Charizard
=1+1`;

/** A binary file as a browser reads it: broken UTF-8, control characters, lone surrogates. */
const BINARY = `PK\u0003\u0004\u0000\u0014\ufffd\ud800 \u202e\u0007\n${'\ufffd\u0001'.repeat(400)}\n\udc00x`;

const dashboard = shareDashboard();

/** Replaces the text of a box as a paste does, at once. */
async function paste(box: Locator, text: string): Promise<void> {
  await box.evaluate((element: HTMLTextAreaElement, pasted) => {
    element.value = pasted;
    element.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
  }, text);
}

for (const look of [...FLOW_LOOKS, LARGER_PHONE]) {
  describe(look.name, () => {
    it('a list becomes a table of cards, and the reader chooses among candidates', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/');
      await reader.follow('List');
      await page.waitForURL('**/list');
      await reader.checkPage();
      await reader.tabTo(page.getByRole('textbox', { name: 'Cards, one per line' }));
      await page.keyboard.insertText(LIST);
      await reader.press('Find the cards');
      const summary = page.getByRole('status').filter({ hasText: 'lines are cards' });
      await summary.getByText(/^1 of 4 lines are cards: 4 copies worth \$[\d,.]+\.$/).waitFor();
      assert.ok(await hasFocus(summary));
      await page.getByText('=1+1').last().waitFor();
      await reader.press(page.getByText(/^\d+ candidates$/));
      await reader.checkPage();

      await reader.tabTo(page.getByRole('radio', { name: 'None of these' }));
      await page.keyboard.press('ArrowUp');
      await summary.getByText(/^2 of 4 lines are cards: 5 copies/).waitFor();
      const chosen = page.getByRole('radio', { checked: true });
      assert.ok(await hasFocus(chosen));
      await page.getByText('chosen').waitFor();
      await reader.checkPage();

      const [file] = await Promise.all([
        page.waitForEvent('download'),
        summary
          .evaluate((element) => element.focus())
          .then(() => {
            return reader.press('Download as CSV');
          }),
      ]);
      assert.equal(file.suggestedFilename(), 'cards.csv');
      const csv = await readFile(await file.path(), 'utf8');
      assert.match(csv, /^2,4 Elsa .*,matched,lorcana-tfc-elsa-spirit-of-winter-207,/m);
      assert.match(csv, /^5,'=1\+1,unknown,/m);

      await reader.press(page.getByRole('link', { name: CARD.name }));
      await page.getByRole('heading', { name: CARD.name, exact: true }).waitFor();
      await page.goBack();
      await summary.getByText(/^2 of 4 lines/).waitFor();
    });

    it('a plan without the resolver names the first one with it', async () => {
      const reader = await dashboard().reader(look, 'free');
      await reader.page.goto('/list');
      await reader.page.getByText('included from the Trader plan on').waitFor();
      assert.equal(await reader.page.getByRole('textbox').count(), 0);
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
    await page.getByRole('textbox', { name: 'Cards, one per line' }).fill(LIST);
    await reader.press('Find the cards');
    const summary = page.getByRole('status').filter({ hasText: 'lines are cards' });
    await summary.getByText('4 copies worth $2,960.16').waitFor();
    await reader.press(page.getByText(/^\d+ candidates$/));
    await page
      .getByRole('radio', { name: /Charizard/ })
      .first()
      .check();
    await summary.getByText(/^2 of 4 lines are cards: 5 copies worth \$/).waitFor();

    const euros = page.getByRole('button', { name: 'EUR' });
    await reader.press(euros);
    await summary.getByText(/^2 of 4 lines are cards: 5 copies worth €/).waitFor();
    assert.ok(await hasFocus(euros), 'the reader stays where they are');
    await page.getByText('€592.03', { exact: true }).waitFor();
    await page
      .getByText(/^Prices that no source has in EUR are converted from USD at 0\.8 of/)
      .waitFor();
    assert.equal(await page.getByText('$').count(), 0);
    await reader.checkPage();
    await reader.press('Find the cards');
    await summary.getByText('4 copies worth €2,368.12').waitFor();
    await reader.press(page.getByRole('button', { name: 'USD' }));
    await summary.getByText('4 copies worth $2,960.16').waitFor();
  });

  it('of too many lines stays in the form with an error', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/list');
    const box = page.getByRole('textbox', { name: 'Cards, one per line' });
    const find = page.getByRole('button', { name: 'Find the cards' });
    await box.fill('Elsa\n'.repeat(501));
    await reader.press(find);
    await page.getByRole('alert').getByText('The list has 501 lines.').waitFor();
    await box.fill(' \n ');
    await reader.press(find);
    await page.getByRole('alert').getByText('The list is empty.').waitFor();
    await reader.checkPage();
    await box.fill('Elsa\n'.repeat(500));
    await reader.press(find);
    await page.getByText(/^0 of 500 lines are cards/).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
  });

  it('of 30,000 lines, or of a binary file, does not break the page', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/list');
    const box = page.getByRole('textbox', { name: 'Cards, one per line' });
    const find = page.getByRole('button', { name: 'Find the cards' });
    const lines = Array.from({ length: 30_000 }, (_, index) => `${index},Charizard,Base Set,4`);
    await paste(box, lines.join('\r\n'));
    await reader.press(find);
    await page.getByRole('alert').getByText('The list has 30,000 lines.').waitFor();
    assert.equal((await box.inputValue()).split('\n').length, 30_000, 'all of them stay');
    await reader.checkPage();

    await paste(box, BINARY);
    await reader.press(find);
    await page.getByText(/^0 of \d+ lines are cards/).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0);
    await reader.checkPage();
  });

  it('does not count toward the quota', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/list');
    await page.getByRole('textbox').fill('Charizard');
    await reader.press('Find the cards');
    await page.getByRole('table').waitFor();
    await page.goto('/usage');
    await page.getByText('0 of 10,000 requests used').waitFor();
  });
});
