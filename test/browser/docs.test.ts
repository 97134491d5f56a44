/** Reading the reference of the API. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { EXAMPLE_CARD_ID } from '../../src/http/parameters.ts';
import { CARD, shareDashboard } from './support/dashboard.ts';
import { ANY_LOOK, FLOW_LOOKS, hasFocus } from './support/reader.ts';
import { MOST_SHIFT, RECORD_SHIFTS } from './support/shifts.ts';

const dashboard = shareDashboard();

const SEARCH = 'Search calls, fields and errors';
const GET_CARD = 'Get one card with all of its prices';

/** The summary that opens a call. */
function summaryOf(page: Page, title: string) {
  return page.locator('.operation > summary', { hasText: title });
}

for (const look of FLOW_LOOKS) {
  describe(look.name, () => {
    it('the reference shows each call, its requests, fields and errors', async () => {
      const reader = await dashboard().visitor(look);
      const { page } = reader;
      await page.goto('/docs');
      assert.equal(await page.title(), 'Cardprice API');
      await reader.checkPage();
      await reader.type(SEARCH, 'get one card');
      await reader.press(summaryOf(page, GET_CARD));
      const section = page.getByRole('region', { name: GET_CARD, exact: true });
      await section.getByText('data.prices.market', { exact: true }).waitFor();
      const request = section.getByRole('region', { name: `curl: ${GET_CARD}` });
      await request.getByText(`'${dashboard().url}/v1/cards/${EXAMPLE_CARD_ID}'`).waitFor();
      await section.getByText('Example of an answer').click();
      await section.getByRole('region', { name: /^Answer/ }).waitFor();
      await section.getByText('CARD_NOT_FOUND', { exact: true }).waitFor();
      await reader.checkPage();
      await reader.press(page.getByRole('link', { name: 'Cardprice', exact: true }));
      await page.waitForURL((url) => url.pathname === '/' || url.pathname === '/sign-in');
    });

    it('finds calls by their fields and errors, and leads to these', async () => {
      const reader = await dashboard().visitor(look);
      const { page } = reader;
      await page.goto('/docs');
      await page.keyboard.press('/');
      await page.keyboard.type('heavily_played');
      await page
        .getByRole('status')
        .getByText(/^\d+ calls?$/)
        .waitFor();
      assert.equal(await summaryOf(page, 'List the rarities of games').isVisible(), false);
      await reader.checkPage();
      await reader.press(
        page.getByRole('link', { name: 'data.prices.conditions.heavily_played' }).first(),
      );
      const field = page.locator('dt:focus');
      await field.getByText('data.prices.conditions.heavily_played').waitFor();
      await reader.type(SEARCH, 'PRODUCT_NOT_FOUND');
      await page.getByRole('status').getByText('2 calls').waitFor();
      await reader.type(SEARCH, 'rate_limit_exceeded');
      await page.getByText('1 call', { exact: true }).waitFor();
      await reader.press(page.getByRole('link', { name: 'RATE_LIMIT_EXCEEDED' }));
      await page.locator('#all-calls dt:focus').waitFor();
      await reader.type(SEARCH, 'xyzzy of no call');
      await page.getByText('No call matches these words.').waitFor();
      await reader.checkPage();
    });

    it('sends requests with the key that the reader enters, in a header', async () => {
      const reader = await dashboard().reader(look);
      const { page, email } = reader;
      const { key } = await dashboard().keys.create(email);
      const addresses: string[] = [];
      page.on('request', (request) => addresses.push(request.url()));
      await page.goto('/docs#getCard');
      const section = page.getByRole('region', { name: GET_CARD, exact: true });
      await reader.press(section.locator('summary', { hasText: 'Try it' }));
      await section.getByText(`You are signed in as ${email}.`).waitFor();
      await reader.type(section.getByLabel('API key'), key);
      await reader.press(section.getByRole('button', { name: 'Send' }));
      await section.getByText('200 OK').waitFor();
      await section.locator('dd', { hasText: /^9999$/ }).waitFor();
      await section
        .getByRole('region', { name: 'Answer to the request' })
        .getByText(CARD.name)
        .waitFor();
      await reader.checkPage();
      reader.expects(/404/);
      await reader.type(section.locator('[name=id]'), 'x/../y');
      await page.keyboard.press('Enter');
      await section.getByText('404 Not Found').waitFor();
      assert.ok(addresses.some((url) => url.endsWith('/v1/cards/x%2F..%2Fy')));
      assert.ok(addresses.every((url) => !url.includes(key)));
      assert.ok(!page.url().includes(key));
    });
  });
}

it('has the key in all forms, and forgets it when the reader leaves the page', async () => {
  const reader = await dashboard().visitor(ANY_LOOK);
  const { page } = reader;
  await page.goto('/docs#listGames');
  const section = page.locator('#listGames');
  await reader.press(section.locator('.trial > summary'));
  await section.getByText('No key yet?').waitFor();
  await reader.type(section.getByLabel('API key'), 'cp_live_wrong');
  reader.expects(/401/);
  await reader.press(section.getByRole('button', { name: 'Send' }));
  await section.getByText('"INVALID_API_KEY"').waitFor();
  const keyOf = (id: string) => page.locator(`#${id} [data-key]`).inputValue();
  assert.equal(await keyOf('getCard'), 'cp_live_wrong');
  const stored = await page.evaluate(() => [
    ...Object.values(localStorage),
    ...Object.values(sessionStorage),
  ]);
  assert.deepEqual(stored, []);
  await page.reload();
  assert.equal(await keyOf('listGames'), '');
});

it('sends the body of a request as the reader has changed it', async () => {
  const reader = await dashboard().reader(ANY_LOOK);
  const { page } = reader;
  const { key } = await dashboard().keys.create(reader.email);
  await page.goto('/docs#getCards');
  const section = page.locator('#getCards');
  await reader.press(section.locator('.trial > summary'));
  await reader.type(section.getByLabel('API key'), key);
  await reader.type(section.getByLabel('Body'), `{"ids":["${CARD.id}"]}`);
  await reader.press(section.getByRole('button', { name: 'Send' }));
  await section.getByText('200 OK').waitFor();
  await section.locator('.answer').getByText(CARD.name).waitFor();
});

/** Makes the first webhook, whose id is in the examples, with an event. Returns the id of that. */
async function makeEvent(page: Page, key: string): Promise<string> {
  return page.evaluate(async (own) => {
    const headers = { 'x-api-key': own, 'content-type': 'application/json' };
    const post = (path: string, body: object) => {
      return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
    };
    await post('/v1/webhooks', { url: 'https://shop.example/prices' });
    await post('/v1/webhooks/1/test', {});
    const deliveries = await fetch('/v1/webhooks/1/deliveries', { headers });
    return (await deliveries.json()).data[0].id;
  }, key);
}

it('sends every call with its examples', async () => {
  const reader = await dashboard().reader(ANY_LOOK);
  const { page } = reader;
  const { key } = await dashboard().keys.create(reader.email);
  await page.goto('/docs');
  const event = await makeEvent(page, key);
  await reader.press('Open all');
  await page.locator('#getCard .trial > summary').click();
  await page.locator('#getCard').getByLabel('API key').fill(key);
  await page.locator('#resendDelivery input[name=event]').evaluate((input, id) => {
    (input as HTMLInputElement).value = id;
  }, event);
  const count = await page.locator('.trial form').evaluateAll((forms) => {
    for (const form of forms) (form as HTMLFormElement).requestSubmit();
    return forms.length;
  });
  const good = page.locator('.trial [role=status]', { hasText: '200 OK' });
  await good.nth(count - 1).waitFor({ state: 'attached' });
});

it('shows operators’ calls in the same way', async () => {
  const reader = await dashboard().visitor(ANY_LOOK);
  const { page } = reader;
  await page.goto('/docs/operator#createKey');
  await reader.checkPage();
  await reader.type(SEARCH, 'revoke');
  await reader.press(summaryOf(page, 'Revoke').first());
  await page.locator('#revokeKey').getByText('curl -H').waitFor();
  await reader.checkPage();
});

it('opens the call that an address leads to, and all calls', async () => {
  const reader = await dashboard().visitor(FLOW_LOOKS[1] ?? ANY_LOOK);
  const { page } = reader;
  await page.goto('/docs#getSet');
  const opened = page.locator('.operation[open]');
  assert.equal(await opened.count(), 1);
  await reader.press(page.getByRole('link', { name: 'GET /v1/cards/{id}', exact: true }));
  await page.waitForURL(/#getCard$/);
  await page.locator('#getCard').getByText('data.prices.market', { exact: true }).waitFor();
  await reader.press('Open all');
  assert.equal(await opened.count(), await page.locator('.operation').count());
  await reader.checkPage();
  await reader.press('Close all');
  assert.equal(await opened.count(), 0);
});

it('shows every sample in the language that the reader has chosen, and copies it', async () => {
  const reader = await dashboard().visitor(ANY_LOOK);
  const { page } = reader;
  await page.goto('/docs#listGames');
  const section = page.locator('#listGames');
  await reader.tabTo(section.getByLabel('curl', { exact: true }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await section.getByText('import json, os, urllib.request').waitFor();
  assert.ok(await hasFocus(section.getByLabel('Python', { exact: true })));
  await page.addInitScript(RECORD_SHIFTS);
  await page.goto('/docs#listSets');
  await page.reload();
  await page.locator('#listSets').getByText('import json, os, urllib.request').waitFor();
  assert.ok((await page.evaluate(() => window.layoutShift)) < MOST_SHIFT);
  await reader.press(page.locator('#listSets .copy'));
  await page.locator('#listSets').getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^import json, os.*\/v1\/sets",\n.*json\.load\(response\)\)$/s);
});

it('is complete without scripts', async () => {
  const { browser, url } = dashboard();
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: url });
  const page = await context.newPage();
  await page.goto('/docs#getCard');
  const section = page.locator('#getCard');
  await section.getByText('data.prices.market', { exact: true }).waitFor();
  await section.getByText('Python', { exact: true }).click();
  await section.getByText('import json, os, urllib.request').waitFor();
  assert.equal(await page.locator('.scripted:visible').count(), 0);
  await summaryOf(page, 'List all supported games').click();
  await page.locator('#listGames').getByText('data[].cardCount').waitFor();
  await context.close();
});
