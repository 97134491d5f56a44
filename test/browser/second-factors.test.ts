/** Authenticator apps, passkeys and proofs of identity, with the keyboard alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { totpCode } from '../../src/accounts/sign-in/codes.ts';
import { Dashboard, shareDashboard } from './support/dashboard.ts';
import { ANY_LOOK, FLOW_LOOKS, type Look, Reader } from './support/reader.ts';

const dashboard = shareDashboard();

const STEP_MS = 30_000;

for (const look of FLOW_LOOKS) {
  describe(look.name, () => {
    it('an authenticator app is added, used to sign in, and removed', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/account');
      await reader.press('Add an authenticator app…');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
      await reader.checkPage();
      const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
      await reader.type('Code', '000000');
      await page.keyboard.press('Enter');
      await page.getByText('This code is wrong').waitFor();
      await reader.type('Code', totpCode(secret, Date.now()));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
      await reader.checkPage();
      const codes = ((await page.locator('.fresh code').textContent()) ?? '').split('\n');
      assert.equal(codes.length, 10);
      await reader.press('I saved them, hide them');
      await page.getByText('10 left. Each works once.').waitFor();

      await reader.press(page.getByRole('button', { name: 'Sign out', exact: true }));
      await page.getByText('You have signed out.').waitFor();
      await reader.signIn(reader);
      await page.getByText('This account has a second factor').waitFor();
      await reader.checkPage();
      await reader.type('Code', '000000');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('This code is wrong').waitFor();
      // The app's clock is ahead: the code of this step was used to add it.
      await reader.type('Code', totpCode(secret, Date.now() + STEP_MS));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();

      await reader.press('Remove the authenticator app…');
      await reader.press(page.getByRole('dialog').getByRole('button', { name: 'Remove' }));
      await page.getByText('The authenticator app is removed.').waitFor();
      await page.getByText('Each works once.').waitFor({ state: 'detached' });
      reader.expects(/400/);
    });

    it('a passkey is added, signs in without a password, confirms the identity, and is removed', async () => {
      const member = await dashboard().member();
      const reader = await atLocalhost(dashboard(), look);
      const authenticator = await addAuthenticator(reader);
      const { page } = reader;
      await page.goto('/account');
      await authenticator.untilOffered();
      await reader.signIn(member);
      await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
      await reader.type('Name of the passkey', 'the phone of the shop');
      await page.keyboard.press('Enter');
      await page.getByText('The passkey is added.').waitFor();
      await reader.press('I saved them, hide them');
      const row = page.getByRole('row').filter({ hasText: 'the phone of the shop' });
      await row.getByText('never').waitFor();
      await reader.checkPage();

      await authenticator.touch(false);
      await reader.press(page.getByRole('button', { name: 'Sign out', exact: true }));
      await page.getByText('You have signed out.').waitFor();
      await reader.checkPage();
      await authenticator.untilOffered();
      await authenticator.touch(true);
      await reader.press('Sign in with a passkey');
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();

      await authenticator.touch(false);
      await reader.press(page.getByRole('button', { name: 'Sign out', exact: true }));
      await authenticator.untilOffered();
      await reader.signIn(member);
      await authenticator.touch(true);
      await reader.press('Use a passkey');
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();

      // The browser offers the passkey on its own, where it would fill in the password.
      const offered = page.waitForResponse('**/dashboard/sign-in/passkey');
      await reader.press(page.getByRole('button', { name: 'Sign out', exact: true }));
      assert.equal((await offered).status(), 200);
      await page.getByRole('heading', { name: 'Passkeys' }).waitFor();

      await expireProofs(dashboard());
      await reader.press(row.getByRole('button', { name: 'Remove the phone of the shop' }));
      await reader.press(page.getByRole('dialog').getByRole('button', { name: 'Remove' }));
      const proof = page.getByRole('dialog', { name: "Confirm it's you" });
      await proof.waitFor();
      await reader.checkPage();
      await reader.press(proof.getByRole('button', { name: 'Use a passkey instead' }));
      await page.getByText('is removed.').waitFor();
      reader.expects(/403/);
      await reader.leave();
    });

    it('after a while, dangerous calls ask for the password and then continue', async () => {
      const reader = await dashboard().reader(look);
      const { page } = reader;
      await page.goto('/keys');
      await expireProofs(dashboard());
      await reader.type('Name', 'shop server');
      await page.keyboard.press('Enter');
      const proof = page.getByRole('dialog', { name: "Confirm it's you" });
      await proof.waitFor();
      await reader.checkPage();
      await page.keyboard.press('Escape');
      await page.getByRole('alert').getByText('Confirm your identity first.').waitFor();

      await reader.press('Create the key');
      await proof.waitFor();
      await reader.type(passwordIn(proof), 'not the password');
      await page.keyboard.press('Enter');
      await proof.getByText('This is not your password.').waitFor();
      await reader.type(passwordIn(proof), reader.password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'The new key “shop server”' }).waitFor();
      reader.expects(/403|400/);
    });
  });
}

describe('The page of the account', () => {
  it('accepts the password of its own form as the proof', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    const { page } = reader;
    await page.goto('/account');
    await expireProofs(dashboard());
    await reader.type('Current password', reader.password);
    await reader.type('New password', 'another four words');
    await page.keyboard.press('Enter');
    await page.getByText('The password was changed.').waitFor();
    reader.expects(/403/);
  });

  it('says where passkeys work', async () => {
    const reader = await dashboard().reader(ANY_LOOK);
    await reader.page.goto('/account');
    await reader.page.getByText('Passkeys need an https address or localhost.').waitFor();
  });

  it('is the only page for an operator who needs a second factor', async () => {
    const own = await Dashboard.open({ CARDPRICE_OPERATOR_SECOND_FACTOR: 'on' });
    try {
      const reader = await own.operator(ANY_LOOK);
      const { page } = reader;
      for (const path of ['/operator', '/', '/keys']) {
        await page.goto(path);
        await page.getByText('Operators of this service need a second factor.').waitFor();
      }
      await reader.checkPage();
      await reader.press('Add an authenticator app…');
      const dialog = page.getByRole('dialog');
      const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
      await reader.type('Code', totpCode(secret, Date.now()));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
      await page.goto('/operator/accounts');
      await page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor();
      await reader.leave();
    } finally {
      await own.close();
    }
  });
});

function passwordIn(dialog: Locator): Locator {
  return dialog.getByLabel('Password', { exact: true });
}

/** Opens a browser at the only host without TLS for which browsers have passkeys. */
function atLocalhost({ browser, url }: Dashboard, look: Look): Promise<Reader> {
  return Reader.at(browser, url.replace('127.0.0.1', 'localhost'), look);
}

/**
 * Gives a browser an authenticator that verifies its user. It is touched by itself, or never after
 * `touch(false)`. `untilOffered` resolves once the page has offered passkeys along with saved
 * passwords again.
 */
async function addAuthenticator({ context, page }: Reader) {
  const devtools = await context.newCDPSession(page);
  await page.addInitScript(countOffers);
  let offers = 0;
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    touch: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    untilOffered: async () => {
      offers += 1;
      await page.waitForFunction(
        (count) => document.documentElement.dataset.offers === `${count}`,
        offers,
      );
    },
  };
}

/** Counts how often the page has offered passkeys along with saved passwords. */
function countOffers(): void {
  let offers = 0;
  const get = navigator.credentials.get.bind(navigator.credentials);
  navigator.credentials.get = (options) => {
    if (options?.mediation === 'conditional') offers += 1;
    document.documentElement.dataset.offers = `${offers}`;
    return get(options);
  };
}

/** Makes the proofs of identity of all sessions expire. */
async function expireProofs({ store }: Dashboard): Promise<void> {
  await store.accounts.db.updateTable('sessions').set({ authenticated_at: 0 }).execute();
}
