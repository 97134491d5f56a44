/** The page of a card, with the keyboard alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { parseDay } from '../../src/domain/day.ts';
import type { Cents } from '../../src/domain/money.ts';
import { DISPUTE } from '../../src/store/catalogue/json-columns.ts';
import { publish, readPublication, startWriting } from '../../src/store/catalogue/publications.ts';
import type { Store } from '../../src/store/connect.ts';
import { CHARIZARD_ID } from '../support/charizard.ts';
import { charizard, feedItem, importItems } from '../support/feed-items.ts';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { NAMES } from './support/hostile.ts';
import { LONG_CARD } from './support/long-history.ts';
import { publishEuro } from './support/rates.ts';
import { ANY_LOOK, hasFocus, SHARP_LOOKS } from './support/reader.ts';

const dashboard = shareDashboard({ isHostile: true, hasLongHistory: true });

/** A card with prices of only one day in the last week. */
const ONE_DAY = 'pokemon-lc-abra-067';

/** Publishes a dispute of the card's price, as an import does that quarantines one. */
async function disputePrice(store: Store): Promise<void> {
  const { revision } = await readPublication(store.db);
  const since = parseDay('2026-01-28') ?? assert.fail();
  const dispute = DISPUTE.write({ reported: 150_000 as Cents, since, rule: 'price-jump' });
  await startWriting(store.db, revision + 1);
  await store.db
    .updateTable('printings')
    .set({ dispute, revision: revision + 1 })
    .where((row) =>
      row('card_id', 'in', row.selectFrom('cards').where('public_id', '=', ONE_DAY).select('id')),
    )
    .execute();
  await publish(store.db, revision + 1, Date.now());
  await dashboard().showsNewest();
}

/** A card whose last two days are those of another marketplace. */
const MOVED = 'lorcana-tfc-mickey-mouse-wayward-sorcerer-208';

/** Imports the last two days of {@link MOVED} from a shop. */
async function changeMarketplace(): Promise<void> {
  const days = ['2026-01-27', '2026-01-28'].map((day) => `${MOVED},Cold Foil,${day},140`);
  await dashboard().importQuotes(`card,printing,date,market\n${days.join('\n')}\n`);
}

for (const look of SHARP_LOOKS) {
  describe(look.name, () => {
    it('the price comes first, and nothing moves while the page loads', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${CARD.id}`);
      const price = page.locator('.headline').getByText('$740.04');
      await page.locator('.plot svg').waitFor();
      await page.waitForLoadState('networkidle');
      const box = await price.boundingBox();
      assert.ok(box && box.y + box.height < look.height, 'the price is on the first screen');
      assert.ok(await isLargerThan(page, '.headline strong', 'h1'));
      await page.getByText('From tcgplayer, observed Jan 28, 2026').waitFor();
      const unknown = page.getByText('No price: Lightly played, Moderately played');
      assert.equal(await unknown.count(), 1, 'unknown prices take one line');
      assert.ok((await layoutShiftOf(page)) <= 0.05);
      await reader.checkPage();
    });

    it('a word says how sure the price is, and a key unfolds why, with both figures', async () => {
      await disputePrice(dashboard().store);
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${ONE_DAY}`);
      const word = page.locator('.confidence summary');
      await word.getByText('disputed').waitFor();
      const reason = page.getByText(
        'A source reports a different price, which is not accepted yet.',
      );
      assert.equal(await reason.isVisible(), false);
      await reader.tabTo(word);
      await page.keyboard.press('Enter');
      await reason.waitFor();
      const note = page.locator('.notice', { hasText: 'last accepted price' });
      const figures = /\$1,500\.00 since Jan 28, 2026.*\$\d+\.\d\d is the last accepted price/s;
      assert.match(await note.innerText(), figures);
      await reader.checkPage();
    });

    it('below the prices stands what the card is and says, and its artist leads to more', async () => {
      const facts = {
        attacks: [{ name: 'Fire Spin', cost: ['Fire', 'Fire'], damage: '100', text: 'Discard 2.' }],
        artist: 'Mitsuhiro Arita',
      };
      const item = { ...feedItem(charizard()), facts };
      await importItems(dashboard().store, 'pokemontcg', [item], { clock: Date.now });
      await dashboard().showsNewest();
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${CHARIZARD_ID}`);
      const details = page.locator('section', { hasText: 'Card details' });
      await details.getByText('Pokémon · Fire · Stage 2').waitFor();
      await details.getByText('Fire Spin 100').waitFor();
      await details.getByText('Fire ×2').waitFor();
      assert.match(await details.innerText(), /HP\s+120/);
      assert.deepEqual(
        await scriptsNamed(page, 'card-facts'),
        [],
        'the server has sent the details',
      );
      await page.waitForLoadState('networkidle');
      assert.ok((await layoutShiftOf(page)) <= 0.05);
      await reader.checkPage();
      await reader.tabTo(details.getByRole('link', { name: 'Mitsuhiro Arita' }));
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/search\?q=artist/);
      await page.locator(`.card-list a[href*="${CHARIZARD_ID}"]`).click();
      await page.waitForURL(`**/cards/${CHARIZARD_ID}*`);
      await details.getByText('Fire Spin 100').waitFor();
    });

    it('printings are a switch, and the address has the selected one', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/plans');
      await page.goto(`/cards/${LONG_CARD.id}`);
      const printings = page.getByRole('group', { name: 'Printing' });
      await reader.tabTo(printings.getByRole('radio', { name: 'Normal $40.00' }));
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(/\?printing=Cold\+Foil$/);
      await page.locator('.headline').getByText('$80.00').waitFor();
      await page.getByText(/^market \$80\.00|^Jan 28, 2026 market \$80\.00/).waitFor();
      await page.reload();
      await page.locator('.headline').getByText('$80.00').waitFor();
      assert.ok(await printings.getByRole('radio', { name: /Cold Foil/ }).isChecked());
      await reader.checkPage();
      await page.goBack();
      await page.waitForURL('**/plans');
    });

    it('the price history is a chart with a cursor and a table', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${LONG_CARD.id}`);
      const chart = page.getByRole('slider', { name: 'Day of the price history' });
      await page.locator('.plot svg').waitFor();
      await reader.tabTo(page.getByRole('radio', { name: '30 days' }));
      for (const period of ['90d', '1y', 'all', '7d', '30d']) {
        await page.keyboard.press('ArrowRight');
        await page.waitForURL(new RegExp(`period=${period}`));
        // The last answer must not come after a day is selected: it would drop the selection.
        await page.locator('.history [aria-busy=false]').waitFor();
      }
      await page.getByText('Gaps in a line are days without an observed price.').waitFor();
      await reader.tabTo(chart);
      await page.keyboard.press('Home');
      await page.getByText('Dec 31, 2025').first().waitFor();
      await page.keyboard.press('ArrowRight');
      assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /^Jan 1, 2026: market \$/);
      const box = await chart.boundingBox();
      await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 50);
      await page.getByText(/^Jan 1\d, 2026$/).waitFor();
      await reader.press(page.getByText('Show as a table'));
      await page.getByRole('row', { name: /Jan 28, 2026 \$40.00 \$34.00 \$240.00/ }).waitFor();
      await reader.checkPage();
    });

    it('the table begins with the lowest and the highest price of the period', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${CARD.id}?period=7d`);
      await page.getByText('Show as a table').click();
      await page
        .getByText('Lowest $740.04 on Jan 28, 2026, highest $744.84 on Jan 24, 2026.')
        .waitFor();
      await reader.tabTo(page.getByRole('radio', { name: '7 days' }));
      await page.keyboard.press('ArrowRight');
      await page.getByText('Lowest $721.29 on Jan 11, 2026').waitFor();
      await reader.checkPage();
    });

    it('the labels of the chart are large enough to read', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${LONG_CARD.id}`);
      const label = await page.locator('.plot text').last().boundingBox();
      assert.ok(label && label.height >= 12 && label.height <= 20, `${label?.height} px`);
    });

    it('highest listings, other printings and grades are drawn once they are selected', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${LONG_CARD.id}`);
      const readOut = page.locator('.read-out');
      await readOut.getByText('Jan 28, 2026').waitFor();
      const seen = [await readOut.innerText()];
      for (const [line, shown] of [
        ['Highest listing', /high \$240.00/],
        ['Cold Foil $80.00', /Cold Foil \$80.00/],
        ['PSA 10 $200.00', /PSA 10 \$200.00/],
      ] as const) {
        await reader.tabTo(page.getByRole('checkbox', { name: line }));
        await page.keyboard.press('Space');
        await readOut.filter({ hasText: shown }).waitFor();
        seen.push(await readOut.innerText());
      }
      assert.doesNotMatch(seen[0] ?? '', /high|Cold Foil|PSA/);
      await reader.checkPage();
    });

    it('the cards around a card are a key or a link away', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${LONG_CARD.id}`);
      const nav = page.getByRole('navigation', { name: 'Cards of the set' });
      await nav.getByRole('link', { name: 'Previous: 4/204' }).waitFor();
      const price = page.locator('.headline').getByText('$40.00');
      await reader.tabTo(page.getByRole('radio', { name: /Normal/ }));
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(/Cold\+Foil/);
      assert.equal(await price.count(), 0, 'in a switch, arrows stay in the switch');
      await page.goto(`/cards/${LONG_CARD.id}`);
      await price.waitFor();
      await nav.getByRole('link', { name: 'Next: 6/204' }).waitFor();
      await page.keyboard.press('ArrowRight');
      await page.waitForURL((url) => !url.pathname.includes(LONG_CARD.id));
      await nav.getByRole('link', { name: 'Previous: 5/204' }).waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.getByRole('heading', { name: LONG_CARD.name, level: 1 }).waitFor();
      const others = page.getByRole('list').filter({ hasText: '205/204' });
      const other = others.getByRole('listitem').filter({ hasText: '205/204' });
      await reader.press(other.getByRole('button', { name: /^Actions: / }));
      await other.getByRole('button', { name: 'Copy link' }).waitFor();
      await reader.checkPage();
      await page.keyboard.press('Escape');
      await reader.press(others.getByRole('link', { name: /205\/204/ }));
      await page.locator('.card-line').getByText('Enchanted').waitFor();
      await page.locator('.headline').waitFor();
      await reader.checkPage();
    });

    it('all cards with the name are reached, and the next one takes the focus', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/cards/pokemon-mew-pikachu-173');
      const others = page.getByRole('region', { name: /^Cards with this name/ });
      assert.equal(await others.getByRole('listitem').count(), 6);
      await reader.press(others.getByRole('button', { name: 'Show all 9' }));
      await others.getByRole('listitem').nth(8).waitFor();
      assert.ok(await hasFocus(others.getByRole('listitem').nth(6).getByRole('link')));
      assert.equal(await others.getByRole('button', { name: /^Show/ }).count(), 0);
      await page
        .getByRole('region', { name: 'More of' })
        .getByText('All cards of this set')
        .waitFor();
      await reader.checkPage();
    });

    it('a single day of prices is described instead of drawn', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${ONE_DAY}?period=7d`);
      await page.getByText(/There is one price in the 7 days up to/).waitFor();
      assert.equal(await page.locator('.plot svg').count(), 0);
      await reader.checkPage();
    });

    it('a search for a grade leads to the price of that grade, with the raw price below', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/search?q=hades+king+of+olympus+5/204+psa+10');
      await reader.press(page.getByRole('link', { name: /Hades.*, PSA 10, \$200\.00$/ }));
      await page.waitForURL(`**/cards/${LONG_CARD.id}?printing=Normal&grade=psa_10`);
      const headline = page.locator('.headline');
      await headline.getByText('PSA 10 · Normal').waitFor();
      await headline.getByText('$200.00').waitFor();
      await headline.getByText('From my-shop, observed Jan 28, 2026').waitFor();
      await page.getByText('Raw market price · Normal $40.00 my-shop, Jan 28, 2026').waitFor();
      assert.match(await page.title(), /PSA 10 \$200\.00/);
      assert.ok(await page.getByRole('radio', { name: 'PSA 10' }).isChecked());
      await reader.checkPage();
    });

    it('a price that no source has is not replaced by the raw price', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/search?q=hades+king+of+olympus+5/204+bgs+9.5');
      await reader.press(page.getByRole('link', { name: /Hades.*, BGS 9\.5, no price$/ }));
      await page.waitForURL(/grade=bgs_9_5$/);
      const headline = page.locator('.headline');
      await headline.getByText('BGS 9.5 · Normal').waitFor();
      await headline.getByText('No source has a price for this copy.').waitFor();
      assert.doesNotMatch(await headline.innerText(), /\$/);
      await page.getByText('Raw market price · Normal $40.00').waitFor();
      assert.doesNotMatch(await page.title(), /\$/);
      await reader.checkPage();

      await page.goto('/search?q=hades+king+of+olympus+5/204+1st+edition');
      await reader.press(page.getByRole('link', { name: /Hades.*, 1st edition, no price$/ }));
      await page.waitForURL(/printing=1st\+edition$/);
      await headline.getByText('1st edition', { exact: true }).waitFor();
      await headline.getByText('No source has a price for this copy.').waitFor();
      assert.doesNotMatch(await headline.innerText(), /\$/);
      await page.getByText('Raw market price · Normal $40.00').waitFor();
      await reader.checkPage();
    });

    it('a price chosen in the table becomes the headline and the chart', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${LONG_CARD.id}`);
      await page.getByRole('row', { name: /^Market price \$40\.00/ }).waitFor();
      await reader.tabTo(page.getByRole('radio', { name: 'Market price' }));
      await page.keyboard.press('ArrowDown');
      await page.waitForURL(/\?figure=low$/);
      await page.locator('.headline').getByText('Lowest listing · Normal').waitFor();
      for (const condition of ['near_mint', 'lightly_played']) {
        while (!page.url().endsWith(`?condition=${condition}`)) {
          await page.keyboard.press('ArrowDown');
          await page.waitForTimeout(50);
        }
      }
      await page.locator('.headline').getByText('$32.00').waitFor();
      await page
        .locator('.history')
        .getByText(/Lightly played has one price.*: \$32\.00 on/)
        .waitFor();
      await page.goto(`/cards/${CARD.id}`);
      await reader.tabTo(page.getByRole('radio', { name: 'Market price' }));
      await page.keyboard.press('ArrowDown');
      await page.waitForURL(/\?condition=near_mint$/);
      await page.locator('.headline').getByText('$656.51').waitFor();
      await page.locator('.key.market').getByText('Near mint').waitFor();
      const chart = page.getByRole('slider', { name: 'Day of the price history' });
      assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /: Near mint \$656\.51$/);
      await reader.tabTo(page.getByRole('radio', { name: '30 days' }));
      await page.keyboard.press('ArrowRight');
      await page.waitForURL(/condition=near_mint&period=90d$/);
      await reader.tabTo(page.getByRole('checkbox', { name: 'Market price $740.04' }));
      await page.keyboard.press('Space');
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Home');
      await page
        .locator('.read-out')
        .getByText(/Near mint \$\d.*, Market price \$7\d\d/)
        .waitFor();
      await reader.press(page.getByText('Show as a table'));
      await page.getByRole('columnheader', { name: 'Near mint' }).waitFor();
      await reader.checkPage();
    });

    it('the marketplace and the day of each price are in the table, and missing prices below', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${LONG_CARD.id}`);
      const table = (name: string) => page.getByRole('table', { name });
      for (const [kind, row] of [
        ['Raw my-shop, Jan 28, 2026', 'Market price $40.00'],
        ['By condition my-shop, Jan 28, 2026', 'Near mint $40.00'],
        ['Graded my-shop, Jan 28, 2026', 'PSA 10 $200.00'],
      ] as const) {
        await table(kind).getByRole('row', { name: row }).waitFor();
      }
      await page
        .getByText('No price: Moderately played, Heavily played, Damaged, BGS 9.5, CGC 9.5.')
        .waitFor();
      await reader.press(page.getByText('Where these prices come from'));
      await reader.press(page.getByText(/^Market price \$40\.00 my-shop/));
      await page
        .getByText(/comes first among the sources/)
        .first()
        .waitFor();
      await reader.press(page.getByText('Ids of this card'));
      await page.getByText(LONG_CARD.id, { exact: true }).waitFor();
      await reader.press(page.getByText('Get this from the API'));
      await page.getByText(`/v1/cards/${LONG_CARD.id}'`).waitFor();
      await reader.checkPage();
    });

    it('what happened to a price is numbered in the chart and listed below it', async () => {
      await changeMarketplace();
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${MOVED}`);
      const events = page.locator('ol.events li');
      await events
        .filter({
          hasText:
            'Source changed, Jan 27, 2026: The marketplace changed from tcgplayer to my-shop.',
        })
        .waitFor();
      const marks = page.locator('.plot .event text');
      assert.deepEqual(await marks.allTextContents(), ['1']);
      const chart = page.getByRole('slider', { name: 'Day of the price history' });
      await reader.tabTo(chart);
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowLeft');
      assert.match(
        (await chart.getAttribute('aria-valuetext')) ?? '',
        /^Jan 27, 2026: .*source changed$/,
      );
      await reader.checkPage();
    });

    it('a card can be shared and added to the list', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto(`/cards/${LONG_CARD.id}?printing=Cold+Foil`);
      await reader.press('Copy link');
      await page.getByText('Copied.').waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(copied, `${dashboard().url}/cards/${LONG_CARD.id}?printing=Cold+Foil`);
      await reader.press('Add to list');
      await reader.press(page.getByRole('link', { name: 'Open the list' }));
      const list = page.getByRole('textbox', { name: 'Cards, one per line' });
      assert.equal(await list.inputValue(), `1 ${LONG_CARD.name} (TFC) 5/204`);
      await page.goBack();
      await page.getByRole('heading', { name: LONG_CARD.name }).waitFor();
    });

    it('a plan with a part of the history says so, and names a plan with more', async () => {
      const reader = await dashboard().reader(look, 'free');
      const { page } = reader;
      await page.goto(`/cards/${CARD.id}?period=all`);
      await page.getByText('The Trader plan shows all days.').waitFor();
      await page.locator('.plot svg').waitFor();
      assert.ok(await page.getByRole('radio', { name: '30 days' }).isChecked());
      assert.equal(await page.getByRole('radio', { name: '90 days' }).count(), 0);
      await reader.press(page.getByText('Where these prices come from'));
      await page
        .getByText('All prices are from starter, tcgplayer. The Trader plan shows')
        .waitFor();
      await reader.checkPage();
    });
  });
}

describe('The chart of a card', () => {
  it('keeps the focus and shows the last day when another period is loaded', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    const ready = Promise.withResolvers<void>();
    await page.route('**/history?*period=90d*', async (route) => {
      await ready.promise;
      await route.continue();
    });
    await page.goto(`/cards/${LONG_CARD.id}`);
    const chart = page.getByRole('slider', { name: 'Day of the price history' });
    await page.locator('.plot svg').waitFor();
    await reader.tabTo(page.getByRole('radio', { name: '30 days' }));
    await page.keyboard.press('ArrowRight');
    await reader.tabTo(chart);
    await page.keyboard.press('Home');
    await page.locator('.read-out').getByText('Dec 31, 2025').waitFor();
    ready.resolve();
    await page.locator('.history [aria-busy=false]').waitFor();
    assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /^Jan 28, 2026: market \$/);
    assert.ok(await hasFocus(chart));
    await page.keyboard.press('Home');
    await page.locator('.read-out').getByText('Nov 1, 2025').waitFor();
  });

  it('keeps the cursor at the selected day when lines come and go', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto(`/cards/${LONG_CARD.id}`);
    const readOut = page.locator('.read-out');
    await readOut.getByText('Jan 28, 2026').waitFor();
    const unmarked = await pictureOf(page);
    await reader.tabTo(page.getByRole('slider', { name: 'Day of the price history' }));
    await page.keyboard.press('Home');
    await readOut.getByText('Dec 31, 2025').waitFor();
    const marked = await pictureOf(page);
    assert.notEqual(marked, unmarked);
    const high = page.getByRole('checkbox', { name: 'Highest listing' });
    await reader.tabTo(high);
    for (const isShown of [true, false]) {
      await page.keyboard.press('Space');
      await readOut.filter({ [isShown ? 'hasText' : 'hasNotText']: 'high' }).waitFor();
    }
    await readOut.getByText('Dec 31, 2025').waitFor();
    assert.equal(await pictureOf(page), marked);
  });
});

describe('Hostile names', () => {
  for (const [kind, name] of Object.entries(NAMES)) {
    it(`are shown as they are: ${kind}`, async () => {
      const reader = await dashboard().reader(ANY_LOOK);
      const { page } = reader;
      const { data } = await (
        await reader.context.request.get('/dashboard/v1/search?q=odd+names&limit=50')
      ).json();
      const found = (data as { id: string; name: string }[]).find((card) => card.name === name);
      assert.ok(found);
      await page.goto(`/cards/${found.id}`);
      await page.locator('.headline').waitFor();
      assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), name);
      await reader.checkPage();
    });
  }
});

/** Returns everything that the chart shows once the next frame is drawn. */
async function pictureOf(page: Page): Promise<string> {
  await page.locator('.plot svg').waitFor();
  return page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const drawn = document.querySelectorAll('.plot :is(path, circle, text)');
    const attributes = Array.from(drawn, (element) =>
      Array.from(element.attributes, ({ name, value }) => `${name}=${value}`).sort(),
    );
    return JSON.stringify(attributes);
  });
}

function isLargerThan(page: Page, larger: string, smaller: string): Promise<boolean> {
  return page.evaluate(
    ([a = '', b = '']) => {
      const sizeOf = (selector: string) => {
        const element = document.querySelector(selector);
        return element ? Number.parseFloat(getComputedStyle(element).fontSize) : 0;
      };
      return sizeOf(a) > sizeOf(b);
    },
    [larger, smaller],
  );
}

/** The sum of all layout shifts since the page began to load. */
function layoutShiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries() as unknown as { value: number }[];
          resolve(shifts.reduce((sum, { value }) => sum + value, 0));
        }).observe({ type: 'layout-shift', buffered: true });
        // An observer without entries never calls.
        setTimeout(() => resolve(0), 500);
      }),
  );
}

describe('The currency of prices', () => {
  it('is the one that the reader chooses, on every page and after a reload', async () => {
    await publishEuro(dashboard(), 1.25);
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto(`/cards/${CARD.id}`);
    await page.locator('.headline').getByText('$740.04').waitFor();
    await reader.press(page.getByRole('button', { name: 'EUR' }));
    await page.locator('.headline').getByText('€592.03').waitFor();
    await page.getByText(/Prices converted from USD at 0\.8 of/).waitFor();
    await reader.checkPage();
    await page.reload();
    await page.locator('.headline').getByText('€592.03').waitFor();
    await page.goto('/search?q=spirit+of+winter');
    await page.getByText('€592.03').first().waitFor();
    await page.getByPlaceholder('€ from').waitFor({ state: 'attached' });
    await page.goto(`/cards/${CARD.id}`);
    await page.getByRole('combobox').pressSequentially('spirit of winter');
    await page.getByRole('option').getByText('€592.03').first().waitFor();
    await page.goto(`/search?${new URLSearchParams({ q: 'spirit of winter over $740' })}`);
    await page.getByText(/^Amounts converted from USD at 0\.8 of/).waitFor();
    await reader.press(page.getByRole('button', { name: 'USD' }));
    await page.getByText('$740.04').first().waitFor();
  });
});

function scriptsNamed(page: Page, name: string): Promise<string[]> {
  return page.evaluate((part) => {
    const loaded = performance.getEntriesByType('resource').map((entry) => entry.name);
    return loaded.filter((url) => url.includes(part));
  }, name);
}
