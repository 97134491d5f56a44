/** What newcomers come for, from the home page of a service that has just been started. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type Dashboard, shareDashboard } from './support/dashboard.ts';
import { type Credentials, FLOW_LOOKS, type Look, type Reader } from './support/reader.ts';

const dashboard = shareDashboard({ settings: { CARDPRICE_PUBLIC: 'on' } });

const MOST_CLICKS = 5;
const MOST_MS = 30_000;

/** A reader who uses a mouse or a finger. Counts the clicks, the confirming Enter included. */
class Newcomer {
  readonly page: Page;
  clicks = 0;
  readonly #start = performance.now();

  private constructor({ page }: Reader) {
    this.page = page;
  }

  static async atHome(service: Dashboard, look: Look): Promise<Newcomer> {
    const reader = await service.visitor(look);
    const newcomer = new Newcomer(reader);
    await reader.page.goto('/');
    return newcomer;
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  async enter(): Promise<void> {
    this.clicks += 1;
    await this.page.keyboard.press('Enter');
  }

  /** Types into the search of the home page and chooses the first suggestion. */
  async find(query: string): Promise<void> {
    const box = this.page.getByRole('combobox', { name: /^Search/ });
    await this.click(box);
    await this.page.keyboard.type(query);
    await this.click(this.page.getByRole('option').first());
    await this.page.waitForURL('**/cards/**');
  }

  /** Follows a link of the navigation, which is in a menu on a phone. */
  async follow(name: string): Promise<void> {
    const navigation = this.page.getByRole('navigation', { name: 'Main' });
    const menu = navigation.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) await this.click(menu);
    await this.click(navigation.getByRole('link', { name, exact: true }));
  }

  assertQuick(): void {
    const ms = performance.now() - this.#start;
    assert.ok(this.clicks <= MOST_CLICKS, `${this.clicks} clicks`);
    assert.ok(ms < MOST_MS, `${ms} ms`);
  }
}

for (const look of FLOW_LOOKS) {
  describe(`A newcomer ${look.name}`, () => {
    it('finds what a card is worth', async () => {
      const newcomer = await Newcomer.atHome(dashboard(), look);
      await newcomer.find('charizard 4/102');
      const headline = newcomer.page.locator('.headline');
      await headline.getByText('$453.86').waitFor();
      await headline.getByText('Market price').waitFor();
      newcomer.assertQuick();
    });

    it('compares a graded copy with a raw one', async () => {
      const newcomer = await Newcomer.atHome(dashboard(), look);
      await newcomer.find('charizard ex 199 psa 9');
      const { page } = newcomer;
      await page.locator('.headline').getByText('9 (any company): $391.15').waitFor();
      await page.locator('.raw-price').getByText('$184.71').waitFor();
      await newcomer.click(page.getByRole('radio', { name: /^PSA 10/ }));
      await page.locator('.headline').getByText('$1,335.84').waitFor();
      await page.locator('.raw-price').getByText('$184.71').waitFor();
      newcomer.assertQuick();
    });

    it('finds what a pasted list is worth', async () => {
      const newcomer = await Newcomer.atHome(dashboard(), look);
      await newcomer.follow('List');
      const { page } = newcomer;
      await newcomer.click(page.getByRole('textbox', { name: 'Cards, one per line' }));
      await page.keyboard.insertText('2 Charizard 4/102\nElsa - Spirit of Winter 207/204');
      await newcomer.click(page.getByRole('button', { name: 'Price the list' }));
      await page.getByText('2 of 2 lines name a card: 3 copies worth $1,647.76.').waitFor();
      newcomer.assertQuick();
    });

    it('sees which sets moved', async () => {
      const newcomer = await Newcomer.atHome(dashboard(), look);
      await newcomer.follow('Movers');
      const { page } = newcomer;
      const moved = page.getByRole('region', { name: 'Sets that moved' }).getByRole('link');
      assert.match(
        await moved.first().innerText(),
        /Rise of the Floodborn\s+▼ -\$23\.06 \(-3\.6%\)/,
      );
      await newcomer.click(moved.first());
      await page.getByRole('heading', { name: 'Rise of the Floodborn', level: 1 }).waitFor();
      newcomer.assertQuick();
    });

    it('makes the first call of the API with a key', async () => {
      const account = await dashboard().member();
      const newcomer = await Newcomer.atHome(dashboard(), look);
      await newcomer.click(newcomer.page.getByRole('link', { name: 'get a key' }));
      await signIn(newcomer, account);
      const { page } = newcomer;
      await page.getByRole('textbox', { name: 'Name' }).focus();
      await newcomer.enter();
      await newcomer.click(page.getByRole('button', { name: 'Send the call' }));
      await page.getByText('200 OK').waitFor();
      await page.locator('.json').getByText('"name": "Charizard"').waitFor();
      newcomer.assertQuick();
    });
  });
}

async function signIn(newcomer: Newcomer, { email, password }: Credentials): Promise<void> {
  const { page } = newcomer;
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await newcomer.enter();
}
