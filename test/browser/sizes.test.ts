/** The bytes that a browser downloads before a page can be used. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAGES } from '../../src/dashboard/pages.ts';
import { CARD, type Dashboard, shareDashboard } from './support/dashboard.ts';
import { MANY_SETS } from './support/many-sets.ts';
import { ANY_LOOK, Reader } from './support/reader.ts';

const dashboard = shareDashboard({ settings: { CARDPRICE_PUBLIC: 'on' }, hasManySets: true });

/** The most bytes of a first load, with the headers of all answers. */
const MOST_BYTES = 50_000;

/** The same of a set with two hundred cards, of which the first hundred are in the page. */
const MOST_BYTES_OF_SET = 51_500;

/** After this time without `Loading…`, a page has loaded everything. */
const SETTLED_MS = 500;

describe('The first load of a page', () => {
  it('is small for visitors', async () => {
    const cards = [PAGES.home, PAGES.search, PAGES.sets, PAGES.movers, PAGES.list];
    const rendered = [...cards, `/cards/${CARD.id}`];
    for (const path of [PAGES.signIn, PAGES.signUp, PAGES.plans, '/docs', ...rendered]) {
      assertSmall(path, await firstLoad(dashboard(), path));
    }
  });

  it('is small where a game has more than a thousand sets, and for a large set', async () => {
    const sets = `/sets/${MANY_SETS.game}`;
    const search = `/search?q=dragon&game=${MANY_SETS.game}`;
    const found = await (await fetch(`${dashboard().url}/dashboard/v1${search}`)).json();
    const { setId } = (found as { data: { setId: string }[] }).data[0] ?? assert.fail();
    const paths = [sets, `${sets}?sort=value`, `${sets}?q=shadow`, search];
    for (const path of [...paths, `${search}&set=${setId}`, CARD.set]) {
      assertSmall(path, await firstLoad(dashboard(), path));
    }
  });

  it('has only the newest sets of a game; others are loaded as the reader scrolls', async () => {
    const reader = await dashboard().visitor(ANY_LOOK);
    const { page } = reader;
    await page.goto(`/sets/${MANY_SETS.game}`);
    const rows = page.locator('.set-list a');
    const shown = await rows.count();
    assert.ok(shown < 100, `${shown} sets`);
    const [year] = await page.getByRole('heading', { level: 2 }).allInnerTexts();
    // Their prices are of one day, and so too thin for a value.
    assert.match(year ?? '', /^2026\s+\d sets$/);
    await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded();
    await rows.nth(shown).waitFor();
  });

  it('is small for operators', async () => {
    const { email } = await dashboard().operator(ANY_LOOK);
    const { signIn, signUp, forgot, reset, ...pages } = PAGES;
    for (const path of [...Object.values(pages), `/cards/${CARD.id}`]) {
      if (!path.includes(':')) assertSmall(path, await firstLoad(dashboard(), path, email));
    }
  });

  it('leaves out the code for passkeys until somebody creates one', async () => {
    const { browser, url } = dashboard();
    const { email } = await dashboard().member();
    const origin = url.replace('127.0.0.1', 'localhost');
    const reader = await Reader.at(browser, origin, ANY_LOOK);
    const { page } = reader;
    await reader.context.addCookies([{ ...(await dashboard().cookieOf(email)), url: origin }]);
    await page.goto(PAGES.account);
    await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
    await page.waitForLoadState('networkidle');
    await reader.type('Name of the passkey', 'phone');
    const loaded = page.waitForRequest(/\/assets\/.*\.js$/);
    await page.keyboard.press('Enter');
    await loaded;
    await reader.leave();
  });
});

function assertSmall(path: string, bytes: number): void {
  const most = path === CARD.set ? MOST_BYTES_OF_SET : MOST_BYTES;
  assert.ok(bytes > 10_000 && bytes < most, `${path} takes ${bytes} bytes`);
}

/** Opens a page in a new browser and counts the bytes of everything it loads. */
async function firstLoad(service: Dashboard, path: string, email?: string): Promise<number> {
  const reader = await service.visitor(ANY_LOOK);
  const { context, page } = reader;
  if (email !== undefined) await context.addCookies([await service.cookieOf(email)]);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  // A busy machine may be idle on the network before a script has made its calls.
  await page.locator('.loading').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(SETTLED_MS);
  await reader.leave();
  return bytes;
}
