/** Pages in windows of every width, enlarged, in the reader's own colors and on paper. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { DESK_LOOK } from './support/reader.ts';

const dashboard = shareDashboard({ settings: { CARDPRICE_PUBLIC: 'on' } });

const PATHS = ['/', '/search?q=elsa', `/cards/${CARD.id}`, '/list', CARD.set];

/** The least width, in px, at which a name of a card can be recognized. */
const LEAST_NAME = 100;

/** A window of 1280 × 900 px at 200 %. */
const ENLARGED = { width: 640, height: 450 };

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForLoadState('networkidle');
}

/** Returns the first element of each selector that is visible. */
async function visibleOf(page: Page, selectors: readonly string[]): Promise<readonly string[]> {
  const visible: string[] = [];
  for (const selector of selectors) {
    const all = page.locator(selector).filter({ visible: true });
    if ((await all.count()) > 0) visible.push(selector);
  }
  return visible;
}

describe('Rows of cards', () => {
  it('have room for names in every window', async () => {
    const { page } = await dashboard().visitor(DESK_LOOK);
    for (const path of ['/', '/search?q=elsa', '/movers', CARD.set]) {
      await open(page, path);
      for (const width of [360, 390, 640, 736, 768, 900, 1000, 1024, 1100, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const widths = await page
          .locator('.as-rows li .name')
          .evaluateAll((names) => names.map((name) => name.clientWidth));
        const narrowest = Math.min(...widths);
        assert.ok(narrowest >= LEAST_NAME, `${path} at ${width} px: ${narrowest} px`);
      }
    }
  });
});

describe('Pages', () => {
  it('work at 200 % of their size', async () => {
    const reader = await dashboard().visitor({ ...DESK_LOOK, ...ENLARGED });
    for (const path of PATHS) {
      await open(reader.page, path);
      await reader.checkPage();
    }
  });

  it("have edges and a focus in the reader's own colors", async () => {
    const { page } = await dashboard().visitor(DESK_LOOK);
    await page.emulateMedia({ forcedColors: 'active' });
    for (const path of PATHS) {
      await open(page, path);
      const unbordered = await page
        .locator('.notice, .spine, .set-symbol, .drawn-card, main :is(input, select, textarea)')
        .filter({ visible: true })
        .evaluateAll((all) =>
          all
            .filter((element) => {
              const { borderTopStyle, opacity, appearance } = getComputedStyle(element);
              return borderTopStyle === 'none' && opacity !== '0' && appearance === 'none';
            })
            .map(({ outerHTML }) => outerHTML.slice(0, 100)),
        );
      assert.deepEqual(unbordered, [], path);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      const outline = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(
          document.activeElement ?? document.body,
        );
        return `${outlineStyle} ${outlineWidth}`;
      });
      assert.equal(outline, 'solid 3px', path);
    }
  });

  it('move nothing for readers who prefer no motion', async () => {
    const { page } = await dashboard().visitor(DESK_LOOK);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const path of PATHS) {
      await open(page, path);
      const running = await page.evaluate(() => document.getAnimations().length);
      assert.equal(running, 0, path);
    }
  });

  it('are printed without what only works on a screen, and with legible labels', async () => {
    const { page } = await dashboard().visitor({ ...DESK_LOOK, width: 760 });
    await page.emulateMedia({ media: 'print' });
    const onScreen = [
      '.bar',
      'footer',
      'nav',
      'form',
      'search',
      '.toolbar',
      '.segmented',
      'button',
    ];
    for (const path of PATHS) {
      await open(page, path);
      assert.deepEqual(await visibleOf(page, onScreen), [], path);
      const faded = page.locator('.spine, .set-symbol, .drawn-card').and(page.locator(':visible'));
      const adjust = await faded.evaluateAll((labels) =>
        labels.map((label) => getComputedStyle(label).printColorAdjust),
      );
      assert.deepEqual(
        [...new Set(adjust)].filter((value) => value !== 'exact'),
        [],
        path,
      );
    }
    await open(page, `/cards/${CARD.id}`);
    await page.getByRole('heading', { level: 1, name: CARD.name }).waitFor();
    await page.locator('.headline').waitFor();
  });
});
