/** Alerts: made in two clicks, listed, mailed, and their mails ended. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { listAlerts } from '../../src/accounts/alerts/alert-sql.ts';
import { recordEvents } from '../../src/accounts/alerts/event-sql.ts';
import type { Cents } from '../../src/domain/money.ts';
import { eventually } from '../support/cli.ts';
import { openMailServer } from '../support/smtp.ts';
import { CARD, Dashboard } from './support/dashboard.ts';
import { FLOW_LOOKS, type Reader } from './support/reader.ts';

// Opened here, because one that a hook opens is closed with the hook.
const mail = await openMailServer();
let service: Dashboard;

before(async () => {
  service = await Dashboard.open({
    CARDPRICE_PUBLIC: 'on',
    CARDPRICE_SMTP: mail.url,
    CARDPRICE_MAIL_FROM: 'cards@shop.example',
    CARDPRICE_URL: 'https://cards.example',
  });
});
after(() => service.close());

const alertButton = (page: Page) => page.getByRole('button', { name: 'Alert me' }).first();

/** Opens the form of the page with one click, and saves it with another. */
async function makeAlert(reader: Reader): Promise<void> {
  const { page } = reader;
  const dialog = page.getByRole('dialog', { name: 'Alert me' });
  await alertButton(page).click();
  await dialog.getByText(/fired/).first().waitFor();
  await reader.checkPage();
  await assertLarge(dialog);
  await dialog.getByRole('button', { name: 'Save the alert' }).click();
  await dialog.getByText('The alert is saved.').waitFor();
}

/** Fails if a control is too small for a finger. */
async function assertLarge(area: Locator): Promise<void> {
  for (const control of await area.locator('button, select, input, a.button').all()) {
    const box = await control.boundingBox();
    assert.ok(box && box.height >= 44 && box.width >= 44, await control.innerText());
  }
}

/** Fires the alert of an account, as the judgement of a publication does. */
async function fire(email: string): Promise<void> {
  const { db } = service.store.accounts;
  const { id: accountId } = await service.accounts.find(email);
  const [alert = assert.fail()] = await listAlerts(db, accountId);
  const { id: alertId, name } = alert;
  const line = { card: CARD.id, printing: 'Holofoil', copy: '', cardName: CARD.name } as const;
  const prices = { before: 700_00 as Cents, after: 850_00 as Cents };
  const publication = { revision: 1, id: 'publication-1' };
  const event = { id: `alert_${alertId}`, alertId, accountId, rule: alert, name, mail: alert.mail };
  const at = Date.now();
  const fired = { ...event, ...line, ...prices, publication, at, publishedAt: at, cursor: '1.x' };
  await recordEvents(db, [fired]);
}

/** Waits for the mail to an account, and returns its text. */
async function mailTo(email: string): Promise<string> {
  const find = () => mail.mails.find(({ to }) => to.includes(email));
  await eventually(async () => find() !== undefined);
  return (find()?.text ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
}

for (const look of FLOW_LOOKS) {
  describe(look.name, () => {
    it('an alert on a card is made in two clicks, fires, is mailed, and its mails end by a link', async () => {
      const reader = await service.reader(look);
      const { page, email } = reader;
      await page.goto(`/cards/${CARD.id}`);
      await makeAlert(reader);
      await page.getByRole('link', { name: 'See your alerts' }).click();
      await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor();
      const row = page.getByRole('row').filter({ hasText: CARD.name });
      await row.getByText(/is at least/).waitFor();
      await page.getByText('Nothing fired yet.').waitFor();
      await reader.checkPage();
      await assertLarge(page.locator('main table'));

      await fire(email);
      const text = await mailTo(email);
      assert.match(text, /Elsa - Spirit of Winter, The First Chapter 207\/204, Holofoil/);
      assert.match(text, /\$850\.00 on \d{4}-\d\d-\d\d \(UTC\), \$700\.00 before/);
      await page.reload();
      await page.getByRole('table', { name: 'What fired' }).getByText('$850.00').waitFor();
      await reader.checkPage();

      const [, path = ''] =
        /https:\/\/cards\.example(\/unsubscribe\?token=[\w-]+)/.exec(text) ?? [];
      const visitor = await service.visitor(look);
      await visitor.page.goto(path);
      const stop = visitor.page.getByRole('button', { name: 'Stop these mails' });
      await stop.waitFor();
      await visitor.checkPage();
      await page.reload();
      const choice = page.getByRole('combobox', { name: `Mail of ${CARD.name}` });
      assert.equal(await choice.inputValue(), 'now', 'opening the link changes nothing');
      await visitor.press(stop);
      await visitor.page.getByText('The mails are stopped.').waitFor();
      await visitor.leave();
      await page.reload();
      assert.equal(await choice.inputValue(), 'off');
      await choice.selectOption('daily');
      await page.getByText('The mail of the alert is changed.').waitFor();

      await page.getByRole('button', { name: `Pause ${CARD.name}` }).click();
      await page.getByText('The alert is paused.').waitFor();
      await reader.press(page.getByRole('button', { name: `Resume ${CARD.name}` }));
      await page.getByText('The alert is resumed.').waitFor();
      await reader.press('Delete…');
      await reader.checkPage();
      await reader.press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
      await page.getByText('The account has no alerts.').waitFor();
      await reader.checkPage();
      await reader.leave();
    });

    it('the form says what the alert would have done, and refuses a missing number', async () => {
      const reader = await service.reader(look);
      const { page } = reader;
      await page.goto(`/cards/${CARD.id}`);
      await reader.press(alertButton(page));
      const dialog = page.getByRole('dialog', { name: 'Alert me' });
      await reader.type('US dollars', '1');
      await dialog.getByText(/would have fired once/).waitFor();
      await reader.type('US dollars', '100000');
      await dialog.getByText(/would not have fired/).waitFor();
      await reader.choose('When the price', 'rises by');
      await reader.type('Percent', '1');
      await reader.type('Within days', '30');
      await dialog.getByText(/would have fired (once|\d+ times)/).waitFor();
      await reader.type('Percent', '');
      await page.keyboard.press('Enter');
      assert.equal(await dialog.getByText('The alert is saved.').count(), 0);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await reader.leave();
    });

    it('an alert on a set and one on a list are made in two clicks', async () => {
      const reader = await service.reader(look);
      const { page } = reader;
      await page.goto(CARD.set);
      await makeAlert(reader);
      await page.goto('/list');
      await page
        .getByRole('textbox', { name: 'Cards, one per line' })
        .fill('Elsa 207/204\n2 Charizard 4/102');
      await page.getByRole('button', { name: 'Price the list' }).click();
      await makeAlert(reader);
      await page.getByRole('link', { name: 'See your alerts' }).click();
      await page.getByRole('row').filter({ hasText: 'List of 2 cards' }).waitFor();
      await page.getByRole('link', { name: 'The First Chapter' }).waitFor();
      await page.getByText(/^2 of [\d,]+ alerts/).waitFor();
      await reader.checkPage();
      await reader.leave();
    });

    it('a visitor signs in, or signs up, and comes back to the card', async () => {
      const member = await service.member();
      const reader = await service.visitor(look);
      const { page } = reader;
      const path = `/cards/${CARD.id}?period=30d`;
      await page.goto(path);
      await alertButton(page).click();
      await page.getByRole('dialog').getByText('Alerts belong to an account.').waitFor();
      await reader.checkPage();
      await page.getByRole('dialog').getByRole('link', { name: 'Create an account' }).click();
      await page.getByRole('heading', { name: 'Create an account' }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
      await reader.signIn(member);
      await page.waitForURL(`**${path}`);
      await makeAlert(reader);
      await reader.leave();
    });
  });
}
