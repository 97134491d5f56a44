/** The pages survive bad input and an unreachable server, and lose nothing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { NAMES } from './support/hostile.ts';
import { ANY_LOOK, FLOW_LOOKS } from './support/reader.ts';

const dashboard = shareDashboard({ settings: { CARDPRICE_PICTURES: 'on' }, isHostile: true });

for (const look of FLOW_LOOKS) {
  describe(look.name, () => {
    it('hostile names of cards are shown as text', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/search?q=ODD&game=lorcana&set=ODD');
      await page.getByText('7 cards').waitFor();
      for (const name of Object.values(NAMES)) {
        await page
          .getByRole('link', { name: name.slice(0, 40) })
          .first()
          .waitFor();
      }
      await reader.checkPage();
      for (let i = 0; i < Object.keys(NAMES).length; i++) {
        await page.goto('/search?q=ODD&game=lorcana&set=ODD&sort=number');
        await page.locator('.card-list').getByRole('link').nth(i).click();
        await page.locator('.card .drawn-card').waitFor();
        await page.locator('.plot svg').waitFor();
        await reader.checkPage();
        assert.doesNotMatch(await page.title(), /^taken over/);
      }
    });

    it('a form is submitted after its session has ended and the reader has signed in again', async () => {
      const reader = await dashboard().reader(look);
      reader.expects(/401/);
      const { page } = reader;
      await page.goto('/keys');
      await reader.type('Name', 'made before and after');
      await dashboard().endSessions(reader.email);
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Your session has ended.').waitFor();
      await reader.checkPage();
      await reader.tabTo(dialog.getByRole('textbox', { name: 'Password' }));
      await page.keyboard.type(reader.password);
      await page.keyboard.press('Enter');
      await page.getByText('The new key “made before and after”').waitFor();
      const keys = await dashboard().keys.list(reader.email);
      assert.deepEqual(
        keys.map(({ name }) => name),
        ['made before and after'],
      );
    });

    it('two tabs regenerate the same key, and the second one reports a conflict', async () => {
      const reader = await dashboard().reader(look);
      reader.expects(/409/);
      const { key: first } = await dashboard().keys.create(reader.email, { name: 'shared' });
      const tabs = [reader.page, await reader.secondTab()];
      for (const tab of tabs) {
        await tab.goto('/keys');
        await tab.getByRole('button', { name: 'Regenerate shared' }).click();
        await tab.getByRole('dialog').waitFor();
      }
      await Promise.all(
        tabs.map((tab) =>
          tab.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click(),
        ),
      );
      for (const tab of tabs) {
        await tab
          .getByText(/^cp_live_|Nothing was changed\. This key had already/)
          .first()
          .waitFor();
      }
      const shown = await Promise.all(
        tabs.map((tab) => tab.getByText(/^cp_live_[\w-]+$/).allInnerTexts()),
      );
      const [next, ...others] = shown.flat();
      assert.deepEqual(others, [], 'only one tab shows a key');
      assert.equal(await statusOf(first), 401);
      assert.equal(await statusOf(next ?? ''), 200, 'and that key works');
    });

    it("ages and countdowns do not depend on the reader's clock", async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.clock.install({ time: Date.now() + 86_400_000 });
      const { key } = await dashboard().keys.create(reader.email);
      assert.equal(await statusOf(key), 200);
      await page.goto('/keys');
      await reader.reloadUntil(page.getByText(/seconds? ago|just now|minute ago/));
      await page.goto('/usage');
      await page.getByText(/resets at .* in \d+ (h|min|s)/).waitFor();
      assert.doesNotMatch(await page.getByRole('main').innerText(), /-\d+ (h|min|s)/);
    });

    it('a page waits while the server restarts, and keeps the typed text', async () => {
      const reader = await dashboard().reader(look);
      reader.expects(/ERR_CONNECTION_REFUSED|Failed to load|ERR_CONNECTION_RESET|ERR_EMPTY/);
      const { page } = reader;
      await page.goto('/keys');
      await reader.type('Name', 'typed before');
      await dashboard().stop();
      await page.keyboard.press('Enter');
      await page.getByText('Cannot reach the server right now.').first().waitFor();
      assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'typed before');
      await reader.checkPage();
      await dashboard().start();
      await reader.press('Create the key');
      await page.getByText('The new key “typed before”').waitFor();

      await page.goto('/usage');
      await page.getByText('0 of 10,000 requests used').waitFor();
      await dashboard().stop();
      await page.getByText('Cannot reach the server. Retrying…').waitFor();
      await dashboard().start();
      await page.getByText('Cannot reach the server right now.').waitFor({ state: 'detached' });
      await page.getByText('0 of 10,000 requests used').waitFor();
    });
  });
}

describe('a missing script of a page', () => {
  const SCRIPT = /\/assets\/keys-page-.*\.js$/;

  it('is replaced by the script of a newer version, because the app reloads', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    reader.expects(/404/);
    const { page } = reader;
    await page.goto('/');
    await page.route(SCRIPT, (route) => route.fulfill({ status: 404 }));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && page.url().endsWith('/keys')) void page.unroute(SCRIPT);
    });
    await reader.follow('Keys');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  });

  it('shows an error if reloading the app has not helped', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    reader.expects(/404|dynamically imported/);
    const { page } = reader;
    await page.goto('/');
    await page.route(SCRIPT, (route) => route.fulfill({ status: 404 }));
    await reader.follow('Keys');
    await page.getByRole('alert').getByText('Something went wrong on this page.').waitFor();
    await page.unroute(SCRIPT);
    await reader.press('Reload the page');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  });
});

describe('an invalid address', () => {
  it('is a page that works', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    reader.expects(/404|400/);
    await reader.page.goto('/cards/%3Cscript%3E');
    await reader.page.getByRole('heading', { name: 'Card not found' }).waitFor();
    await reader.page.goto(`/cards/${CARD.id}?period=forever&printing=%00`);
    await reader.page.getByRole('heading', { name: CARD.name, exact: true }).waitFor();
    await reader.page.goto(`/search?q=${'x'.repeat(5000)}`);
    await reader.page.getByRole('combobox', { name: 'Card name' }).waitFor();
  });

  it('of an operator page shows what is wrong with it', async () => {
    const reader = await dashboard().operator(ANY_LOOK);
    reader.expects(/400|404/);
    const { page } = reader;
    for (const [path, message] of [
      ['/operator/audit?since=nonsense', 'since: must be a day such as 2026-01-29.'],
      ['/operator/quarantine?set=abc', /^set: "abc" is not allowed; it must be a whole number/],
      ['/operator/account?email=nobody@shop.example', 'There is no account nobody@shop.example.'],
      ['/operator/account', 'Choose an account from the list.'],
    ] as const) {
      await page.goto(path);
      await page.getByText(message).waitFor();
      await reader.checkPage();
    }
  });
});

async function statusOf(key: string): Promise<number> {
  const response = await fetch(`${dashboard().url}/v1/games`, { headers: { 'x-api-key': key } });
  await response.arrayBuffer();
  return response.status;
}
