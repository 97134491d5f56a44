/** Everything that people do with their account, with the keyboard alone. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { type MailServer, openMailServer } from '../support/smtp.ts';
import { Dashboard, shareDashboard } from './support/dashboard.ts';
import { ANY_LOOK, FLOW_LOOKS, type Reader } from './support/reader.ts';

const dashboard = shareDashboard();

for (const look of FLOW_LOOKS) {
  describe(look.name, () => {
    it('an account is created, signed out of, signed in to and deleted', async () => {
      const reader = await dashboard().visitor(look);
      const { page } = reader;
      const email = `${randomUUID()}@shop.example`;
      await page.goto('/');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await reader.checkPage();

      await reader.press(page.getByRole('link', { name: 'Create an account' }));
      await page.waitForURL('**/sign-up');
      // The page before has fields of the same names, and stays until this one is loaded.
      await page.getByRole('heading', { name: 'Create an account' }).waitFor();
      await reader.checkPage();
      await reader.type('E-mail address', email);
      await reader.type('Password', 'four words make one');
      await page.keyboard.press('Enter');
      await page.getByText('confirms new accounts').waitFor();
      await reader.checkPage();
      await reader.press(page.getByRole('main').getByRole('link', { name: 'Sign in' }));
      await reader.signIn({ email, password: 'four words make one' });
      await page.getByRole('alert').getByText('not confirmed yet').waitFor();
      await dashboard().accounts.confirm(email);
      await reader.signIn({ email, password: 'four words make one' });
      await page.getByRole('combobox', { name: /^Search cards/ }).waitFor();

      await reader.follow('Account');
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
      await page.getByText('in this browser').waitFor();
      await page.getByRole('cell', { name: 'this browser' }).waitFor();
      await reader.checkPage();
      await reader.press(page.getByRole('button', { name: 'Sign out', exact: true }));
      await page.getByText('You have signed out.').waitFor();

      await reader.signIn({ email, password: 'not the password' });
      await page.getByRole('alert').getByText('is wrong').waitFor();
      await reader.checkPage();
      await reader.signIn({ email, password: 'four words make one' });
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();

      await reader.press('Delete the account…');
      await reader.type('E-mail address of the account', email);
      const dialog = page.getByRole('dialog');
      await reader.type(dialog.getByLabel('Password', { exact: true }), 'four words make one');
      await reader.checkPage();
      await page.keyboard.press('Enter');
      await page.getByText('The account is deleted.').waitFor();
      await assert.rejects(dashboard().accounts.find(email));
      reader.expects(/401|400/);
    });

    it('a password is changed, and every other browser is signed out', async () => {
      const reader = await dashboard().reader(look);
      const elsewhere = await dashboard().visitor(look);
      await elsewhere.context.request.post('/dashboard/sign-in', { data: reader });
      const { page } = reader;
      await page.goto('/account');
      await page.getByText('in 2 browsers, including this one').waitFor();

      await reader.type('Current password', reader.password);
      await reader.type('New password', 'another four words');
      await page.keyboard.press('Enter');
      await page.getByText('The password was changed.').waitFor();
      const session = await elsewhere.context.request.get('/dashboard/session');
      const { data } = (await session.json()) as { data: { account: unknown } };
      assert.equal(data.account, null, 'the other browser is signed out');

      await reader.press('Sign out everywhere…');
      await reader.checkPage();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await reader.press('Sign out everywhere…');
      await reader.press(
        page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }),
      );
      await page.getByText('You have signed out of every browser.').waitFor();
      await reader.signIn({ email: reader.email, password: 'another four words' });
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    });

    it('other browsers are listed, and signed out one by one or together', async () => {
      const reader = await dashboard().reader(look);
      const { page, context } = reader;
      const signedIn = async () => {
        const other = await dashboard().visitor(look);
        await other.context.request.post('/dashboard/sign-in', { data: reader });
        return other;
      };
      const others = [await signedIn(), await signedIn(), await signedIn()];
      await page.goto('/account');
      const buttons = page.getByRole('button', { name: /^Sign out \S+( \S+)* on .*127\.0\.0\.1/ });
      await buttons.nth(2).waitFor();
      await reader.checkPage();
      await reader.press(buttons.first());
      await page.getByText('in 3 browsers, including this one').waitFor();
      await reader.press('Sign out all other browsers');
      await page.getByText('in this browser').waitFor();
      assert.equal(await buttons.count(), 0);
      assert.equal((await context.request.get('/dashboard/keys')).status(), 200);
      for (const other of others) {
        assert.equal((await other.context.request.get('/dashboard/keys')).status(), 401);
      }
    });

    it('a reader whose session has ended leaves the page by not signing in again', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/account');
      await page.getByText('in this browser').waitFor();
      // The end of the session must not be noticed by a call that the page is still making.
      await page.waitForLoadState('networkidle');
      await dashboard().endSessions(reader.email);
      await reader.follow('Keys');
      await page.getByRole('dialog').getByText('Your session has ended').waitFor();
      await reader.press('Not now');
      await page.getByRole('status').getByText('Your session has ended.').waitFor();
      assert.equal(await page.getByRole('heading', { name: 'Keys' }).count(), 0);
      assert.equal(await page.getByText(reader.email).count(), 0);
      reader.expects(/401/);
    });

    it('a link sets a new password, and warns that keys stop working', async () => {
      const { email } = await dashboard().member();
      await dashboard().keys.create(email);
      const { token } = await dashboard().resetToken(email);
      const reader = await dashboard().visitor(look);
      const { page } = reader;
      await page.goto(`/reset#${token}`);
      await page.getByText('Its API key stops working').waitFor();
      await reader.checkPage();
      await reader.type('New password', 'password1234');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('easy to guess').waitFor();
      await reader.type('New password', 'a lamp in the rain');
      await page.keyboard.press('Enter');
      await page.getByRole('combobox', { name: /^Search cards/ }).waitFor();
      const [key] = await dashboard().keys.list(email);
      assert.equal(key?.status, 'revoked');
      reader.expects(/400/);
    });

    it('a link from the operator sets a password once', async () => {
      const { email } = await dashboard().member();
      const { token } = await dashboard().resetToken(email);
      const reader = await dashboard().visitor(look);
      const { page } = reader;
      await page.goto(`/reset#${token}`);
      await reader.type('New password', 'a lamp of today');
      assert.ok(!page.url().includes(token), 'the token has left the address');
      await reader.checkPage();
      await page.keyboard.press('Enter');
      await page.getByRole('combobox', { name: /^Search cards/ }).waitFor();

      await page.goto('/plans');
      await page.goto(`/reset#${token}`);
      await page.getByText('This link does not work, or no longer works.').waitFor();
      reader.expects(/400/);
    });

    it('everybody sees the plans', async () => {
      const reader = await dashboard().visitor(look);
      const { page } = reader;
      await page.goto('/plans');
      await page.getByText('$14.99').waitFor();
      await page.getByText('$89.99').waitFor();
      const quotas = page.getByRole('row', { name: /^Requests per day/ });
      assert.deepEqual(await quotas.getByRole('cell').allInnerTexts(), [
        '200',
        '10,000',
        '100,000',
      ]);
      const batches = page.getByRole('row', { name: /^Many cards in one call/ });
      assert.equal(await batches.getByText('not included', { exact: true }).count(), 1);
      await page.getByRole('main').getByRole('link', { name: 'Sign up' }).waitFor();
      await page.getByText('Trader: ask the operator of this service.').waitFor();
      await reader.checkPage();

      const member = await dashboard().reader(look, 'business');
      await member.page.goto('/plans');
      await member.page.getByRole('columnheader', { name: 'Business your plan' }).waitFor();
      await member.checkPage();
    });

    it('an unknown address shows that there is no page', async () => {
      const reader = await dashboard().reader(look);
      reader.expects(/404/);
      await reader.page.goto('/nowhere');
      await reader.page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await reader.checkPage();
    });
  });
}

describe('the settings of the service', () => {
  it('can turn sign-up off', async () => {
    await withSettings({ CARDPRICE_SIGN_UP: 'off' }, async ({ page }) => {
      await page.goto('/sign-in');
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      assert.equal(await page.getByRole('link', { name: 'Create an account' }).count(), 0);
      await page.goto('/sign-up');
      await page.getByText('Only the operator of this service creates accounts').waitFor();
    });
  });

  it('can require an invitation code and send links by mail', async () => {
    const mail = await openMailServer();
    const settings = {
      CARDPRICE_INVITATION_CODE: 'friends only',
      CARDPRICE_SMTP: mail.url,
      CARDPRICE_MAIL_FROM: 'cards@shop.example',
      CARDPRICE_URL: 'https://cards.example',
    };
    await withSettings(settings, async (reader) => {
      const { page } = reader;
      await page.goto('/sign-up');
      await reader.type('E-mail address', 'new@shop.example');
      await reader.type('Invitation code', 'a guess');
      await page.keyboard.press('Enter');
      await page.getByText('The invitation code is wrong.').waitFor();
      await reader.type('Invitation code', 'friends only');
      await page.keyboard.press('Enter');
      await page.getByText('A message is on its way to new@shop.example').waitFor();
      await page.goto(`/reset#${await mailedToken(mail, 1)}`);
      await page.getByText('Choose a new password for the account new@shop.example').waitFor();
      await reader.type('New password', 'four words make one');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/keys');

      await page.goto('/forgot');
      await reader.type('E-mail address', 'new@shop.example');
      await page.keyboard.press('Enter');
      await page.getByText('a message with a link is on its way').waitFor();
      await mailedToken(mail, 2);
      reader.expects(/400/);
    });
  });
});

/** Waits for a mail to the new account, and returns the token of its link. */
async function mailedToken({ mails }: MailServer, count: number): Promise<string> {
  while (mails.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  const sent = mails[count - 1];
  assert.deepEqual(sent?.to, ['new@shop.example']);
  // Quoted-printable breaks long lines.
  const text = sent?.text.replaceAll('=\r\n', '') ?? '';
  const [, token = ''] = /https:\/\/cards\.example\/reset#([\w-]{43})/.exec(text) ?? [];
  assert.notEqual(token, '');
  return token;
}

/** Calls `visit` with a visitor of a service that runs with `settings`. */
async function withSettings(
  settings: Readonly<Record<string, string>>,
  visit: (reader: Reader) => Promise<void>,
): Promise<void> {
  const own = await Dashboard.open(settings);
  try {
    const reader = await own.visitor(ANY_LOOK);
    await visit(reader);
    await reader.leave();
  } finally {
    await own.close();
  }
}
