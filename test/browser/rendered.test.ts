/** Pages that the server renders and a browser takes over. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Program, temporaryFolder } from '../support/cli.ts';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { ANY_LOOK, DESK_LOOK, FLOW_LOOKS, LARGER_PHONE, Reader } from './support/reader.ts';
import { MOST_SHIFT, RECORD_SHIFTS } from './support/shifts.ts';

const dashboard = shareDashboard({ settings: { CARDPRICE_PUBLIC: 'on' }, isHostile: true });

const PATHS = [
  ...['/', '/search?q=elsa', `/cards/${CARD.id}`, '/sets', '/sets/lorcana'],
  `/cards/${CARD.id}?condition=near_mint`,
  ...[CARD.set, '/movers', '/list', '/plans', '/cards/none'],
];

declare global {
  interface Element {
    /** Whether the server sent the element. */
    isSent?: boolean;
  }
}

/** Opens a page whose scripts wait until `look` has seen the HTML of the server. */
async function open(reader: Reader, path: string, look: (page: Page) => Promise<void>) {
  const { page } = reader;
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  await page.locator('footer').waitFor();
  await look(page);
  resolve();
  await page.waitForLoadState('networkidle');
}

function markElements(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const element of document.querySelectorAll('#app *')) element.isSent = true;
  });
}

/**
 * Returns the elements that the server did not send, except those of charts, which scripts draw.
 */
function newElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('#app *:not(.plot *)')];
    return all.filter(({ isSent }) => !isSent).map(({ outerHTML }) => outerHTML.slice(0, 200));
  });
}

describe('A rendered page', () => {
  it('has the chart of a card as a picture before any script has run', async () => {
    const reader = await dashboard().visitor(ANY_LOOK);
    await open(reader, `/cards/${CARD.id}`, async (page) => {
      const line = page.locator('.plot svg.chart path').last();
      assert.match((await line.getAttribute('d')) ?? '', /^M[\d. ]+L/);
    });
    await reader.leave();
  });

  for (const look of [...FLOW_LOOKS, LARGER_PHONE]) {
    it(`is taken over without a change, ${look.name}`, async () => {
      for (const path of PATHS) {
        const reader = await dashboard().visitor(look);
        if (path.endsWith('none')) reader.expects(/404/);
        await reader.page.addInitScript(RECORD_SHIFTS);
        await open(reader, path, markElements);
        assert.deepEqual(await newElements(reader.page), [], path);
        const shift = await reader.page.evaluate(() => window.layoutShift);
        assert.ok(shift <= MOST_SHIFT, `${path} moves by ${shift}`);
        await reader.checkPage();
        await reader.leave();
      }
    });
  }

  it('then works as an app: its links load no page', async () => {
    const reader = await dashboard().visitor(DESK_LOOK);
    await open(reader, '/sets', markElements);
    await reader.press(reader.page.getByRole('link', { name: 'Disney Lorcana' }));
    await reader.page.getByRole('heading', { level: 1, name: /Lorcana/ }).waitFor();
    assert.equal(await reader.page.evaluate(() => document.querySelector('header')?.isSent), true);
  });

  it('shows the price of a card before any script has run', async () => {
    const reader = await dashboard().visitor(ANY_LOOK);
    await open(reader, `/cards/${CARD.id}`, async (page) => {
      await page.getByRole('heading', { level: 1, name: CARD.name }).waitFor();
      assert.match(await page.innerText('main'), /\$\d/);
      assert.match(await page.title(), /^Elsa - Spirit of Winter · .* · \$[\d.,]+ \| Cardprice$/);
    });
  });

  it('shows visitors where to buy a card, and accounts its ids and the calls as well', async () => {
    const [visitor, member] = [
      await dashboard().visitor(ANY_LOOK),
      await dashboard().reader(ANY_LOOK),
    ];
    const folds = ['Ids of this card', 'Get this from the API'];
    for (const [{ page }, shown] of [
      [visitor, []],
      [member, folds],
    ] as const) {
      await page.goto(`/cards/${CARD.id}`);
      const link = page.getByRole('link', { name: 'Buy at TCGplayer' });
      assert.match(
        (await link.getAttribute('href')) ?? '',
        /^https:\/\/www\.tcgplayer\.com\/product\/\d+$/,
      );
      const summaries = await page.locator('.folds summary').allInnerTexts();
      assert.deepEqual(summaries, ['Where these prices come from', ...shown]);
    }
  });

  it('keeps what the reader types before its scripts have run', async () => {
    const reader = await dashboard().visitor(DESK_LOOK);
    await open(reader, '/', (page) => page.getByRole('combobox').fill('elsa spirit'));
    await reader.page.getByRole('option').first().waitFor();
    assert.equal(await reader.page.getByRole('combobox').inputValue(), 'elsa spirit');
  });

  it('is also rendered for members, with their pages in the navigation', async () => {
    const reader = await dashboard().reader(DESK_LOOK);
    await open(reader, `/cards/${CARD.id}`, async (page) => {
      await page.getByRole('link', { name: 'Account' }).waitFor();
    });
  });

  it('stays a page when names are hostile', async () => {
    const reader = await dashboard().visitor(DESK_LOOK);
    const { page } = reader;
    await open(reader, '/search?game=lorcana&q=ODD', markElements);
    assert.deepEqual(await newElements(page), []);
    for (const link of await page.locator('main a[href^="/cards/"]').all()) {
      const path = (await link.getAttribute('href')) ?? '';
      const answer = await reader.context.request.get(path);
      assert.equal(answer.status(), 200);
      assert.doesNotMatch(await answer.text(), /<script>document|<img src=x/);
    }
    assert.doesNotMatch(await page.title(), /taken over/);
  });

  it('marks Japanese names, so screen readers pronounce them', async () => {
    const reader = await dashboard().visitor(DESK_LOOK);
    const { page } = reader;
    await page.goto('/search?q=フシギダネ');
    const link = page
      .locator('.card-list')
      .getByRole('link', { name: /フシギダネ/ })
      .first();
    const name = page.locator('.card-list [lang=ja]').filter({ hasText: 'フシギダネ' });
    await name.first().waitFor();
    await reader.press(link);
    await page.locator('h1[lang=ja]').waitFor();
    await page.goto('/search?q=elsa');
    await page.locator('.card-list').waitFor();
    assert.equal(await page.locator('.card-list [lang]').count(), 0);
  });

  it('is not found at a malformed address', async () => {
    for (const path of ['/cards/%zz', '/sets/%', '/%E0%A4%A']) {
      const reader = await dashboard().visitor(ANY_LOOK);
      reader.expects(/404/);
      const answer = await reader.page.goto(path);
      assert.equal(answer?.status(), 404, path);
      await reader.page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await reader.leave();
    }
  });
});

describe('cardprice start', () => {
  it('shows the home page to visitors without an account', async () => {
    const database = join(temporaryFolder(), 'first.db');
    const program = new Program(['--database', database, 'start', '--port', '0']);
    const reader = await Reader.at(dashboard().browser, await program.listening(), ANY_LOOK);
    const { page } = reader;
    const answer = await page.goto('/');
    assert.equal(answer?.status(), 200);
    await page.getByRole('heading', { name: 'Newest sets' }).waitFor();
    await page
      .getByText(/^\d,\d{3} cards in \d+ sets of 8 games, \d,\d{3} prices and \d+ days of history$/)
      .waitFor();
    const example = page.getByRole('region', { name: 'An example' });
    await example.locator('.spark polyline[points*=","]').waitFor({ state: 'attached' });
    await example.getByText(/^curl -H .+\/v1\/cards\//).waitFor();
    await page.getByRole('combobox', { name: /Search/ }).waitFor();
    await reader.checkPage();
    assert.equal(await page.getByLabel('Password').count(), 0);
    await reader.leave();
  });
});
