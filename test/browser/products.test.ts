/** Sealed products: on the page of a set, in a search, and on their own pages. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importContents, treeWithProducts } from '../support/magic-products.ts';
import { importTree } from '../support/tcgcsv.ts';
import { shareDashboard } from './support/dashboard.ts';
import { publishEuro } from './support/rates.ts';
import { ANY_LOOK, type Look, SHARP_LOOKS } from './support/reader.ts';

const dashboard = shareDashboard();
const PACK = 'Base Set Booster Pack [Revised Unlimited Edition]';

let imported: Promise<void> | undefined;

/** A reader of a catalogue that has products. */
async function readerOf(look: Look) {
  imported ??= importProducts();
  await imported;
  return dashboard().reader(look);
}

async function importProducts(): Promise<void> {
  const { store } = dashboard();
  await importTree(store, treeWithProducts().folder);
  await importContents(store);
  await dashboard().showsNewest();
}

for (const look of SHARP_LOOKS) {
  describe(look.name, () => {
    it('a set lists its sealed products apart from its cards, and leads to their pages', async () => {
      const reader = await readerOf(look);
      const { page } = reader;
      await page.goto('/sets/pokemon/pokemon-base-set');
      const products = page.getByRole('list', { name: 'Sealed products of this set' });
      await products.getByRole('link', { name: PACK }).waitFor();
      await reader.checkPage();
      await reader.tabTo(products.getByRole('link', { name: PACK }));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: PACK }).waitFor();
      await page.locator('.price strong').getByText(/^\$\d/).waitFor();
      await page.getByText('Booster', { exact: true }).waitFor();
      await reader.checkPage();
    });

    it('a search whose words say a product shows it above the cards', async () => {
      const reader = await readerOf(look);
      const { page } = reader;
      await page.goto('/search?q=base+set+booster+pack');
      const found = page.getByRole('list', { name: 'Sealed products' });
      const [first = ''] = await found.getByRole('link').allInnerTexts();
      assert.equal(first, PACK);
      await reader.checkPage();
    });

    it('says what is in it, and leads to each', async () => {
      const reader = await readerOf(look);
      const { page } = reader;
      await page.goto('/products/mtg-9ed-seventh-edition-gift-box');
      const contents = page.getByRole('region', { name: 'Contents' });
      await contents.getByText('2 × Spindown').waitFor();
      await contents.getByText('#229, foil').waitFor();
      await contents.getByText('One of 2').click();
      await contents.getByText('Bomber').waitFor();
      await reader.checkPage();
      await contents.getByRole('link', { name: 'Seventh Edition Booster Pack' }).click();
      await page.getByText('Booster, draft 7ED').waitFor();
    });

    it('says where there is none', async () => {
      const reader = await readerOf(look);
      const { page } = reader;
      reader.expects(/404/);
      await page.goto('/products/nothing');
      await page.getByText('There is no product at this address.').waitFor();
    });
  });
}

describe('The prices of products', () => {
  it('are in the currency that the reader chooses', async () => {
    const reader = await readerOf(ANY_LOOK);
    await publishEuro(dashboard(), 1.25);
    const { page } = reader;
    await page.goto('/sets/pokemon/pokemon-base-set');
    await page.getByRole('button', { name: 'EUR' }).click();
    const products = page.getByRole('list', { name: 'Sealed products of this set' });
    await products.getByText(/^€\d/).first().waitFor();
    await products.getByRole('link', { name: PACK }).click();
    await page.locator('.price strong').getByText(/^€\d/).waitFor();
    await page.getByText(/^Prices converted from USD at 0\.8 of/).waitFor();
    await page.goto('/search?q=base+set+booster+pack');
    const found = page.getByRole('list', { name: 'Sealed products' });
    await found.getByText(/^€\d/).first().waitFor();
  });
});
