/** The pages for operators, by keyboard alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAGES } from '../../src/dashboard/pages.ts';
import { takeLock } from '../../src/ingest/lock.ts';
import { insertQuarantined } from '../../src/store/quarantine/quarantine.ts';
import { quarantineEntry } from '../support/entries.ts';
import { shareDashboard } from './support/dashboard.ts';
import { JUMPER } from './support/hostile.ts';
import { ANY_LOOK, DESK_LOOK, FLOW_LOOKS, LARGER_PHONE } from './support/reader.ts';
import { brokenWords } from './support/words.ts';

/**
 * The hostile set has one price that jumped. The starter catalogue has more groups of quarantined
 * prices than fit on a page, so this smallest one is on the first page only with a filter.
 */
const GROUP_BUTTON = 'Approve all of price-jump in <b>Odd</b> Names';

const OPERATOR_PAGES = {
  overview: PAGES.overview,
  accounts: PAGES.accounts,
  operatorAccount: PAGES.operatorAccount,
  operatorPlans: PAGES.operatorPlans,
  health: PAGES.health,
  sources: PAGES.sources,
  quarantine: PAGES.quarantine,
  audit: PAGES.audit,
};

const dashboard = shareDashboard({
  isHostile: true,
  settings: {
    CARDPRICE_SYNC: 'tcgcsv,justtcg',
    CARDPRICE_SYNC_FROM: 'tcgcsv=/nowhere/tcgcsv',
  },
});

for (const look of FLOW_LOOKS) {
  describe(look.name, () => {
    it('an operator finds an account, changes its plan, disables it and enables it', async () => {
      const { email, password } = await dashboard().member('free');
      const reader = await dashboard().operator(look);
      const { page } = reader;
      await page.goto('/');
      await reader.follow('Operator');
      await page.waitForURL('**/operator');
      await reader.follow('Accounts', 'Operator');
      await page.waitForURL('**/operator/accounts');
      await page.getByRole('link', { name: `Manage ${email}` }).waitFor();
      await reader.checkPage();
      await reader.tabTo(page.getByRole('searchbox'));
      await page.keyboard.type(email.slice(0, 8));
      await reader.press(page.getByRole('link', { name: `Manage ${email}` }));
      await reader.choose('Plan', 'Business');
      await reader.press('Change the plan');
      await page.getByText('The plan is now Business.').waitFor();
      assert.equal((await dashboard().accounts.find(email)).plan.name, 'business');

      await reader.press('Disable');
      await page.getByText('The account is disabled.').waitFor();
      const refused = await reader.context.request.post('/dashboard/sign-in', {
        data: { email, password },
      });
      assert.equal(refused.status(), 401);
      await reader.press('Enable');
      await page.getByText('The account works again.').waitFor();
      await reader.press('Create a link');
      await page.getByText(`${dashboard().url}/reset#`).waitFor();
      await reader.press('Remove second factors');
      await page.getByText('The account had no second factor.').waitFor();
      await reader.checkPage();

      await reader.press('Make it an operator');
      await page.getByText('The account is now an operator.').waitFor();
      await reader.press('Remove the role');
      await page.getByText('The account is no longer an operator.').waitFor();
      await reader.type('Type its e-mail address to confirm', 'somebody@shop.example');
      await reader.press('Delete the account');
      await page.getByText('This is not the address of the account.').waitFor();
      await reader.type('Type its e-mail address to confirm', email);
      await reader.press('Delete the account');
      await page.getByText(`The account ${email} is deleted.`).waitFor();
    });

    it('an operator makes a plan, changes it, limits an account and deletes the plan', async () => {
      const { email } = await dashboard().member('free');
      const reader = await dashboard().operator(look);
      const { page } = reader;
      const name = `hobby-${look.name
        .toLowerCase()
        .replace(/[^a-z]+/g, '')
        .slice(0, 12)}`;
      await page.goto('/operator/plans');
      await page.getByRole('textbox', { name: 'Name' }).waitFor();
      await reader.checkPage();
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.getByRole('textbox', { name: /Dollars per month/ }).fill('4.99');
      await page.getByRole('textbox', { name: /Requests per day/ }).fill('2,000');
      await page.getByRole('textbox', { name: /Burst limit/ }).fill('3/1s');
      await page.getByRole('textbox', { name: /How to get it/ }).fill('Mail ann@shop.example.');
      await page.getByRole('checkbox', { name: 'Many cards in one call' }).check();
      await reader.press('Create the plan');
      await page.getByText(`The plan ${name} was created.`).waitFor();
      const row = page.getByRole('row', { name });
      await row.getByText('Many cards in one call', { exact: true }).waitFor();
      await reader.press(`Change ${name}`);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: /Requests per day/ }).fill('unlimited');
      await dialog
        .getByRole('checkbox', { name: 'Many cards in one call', checked: true })
        .uncheck();
      await dialog.getByRole('checkbox', { name: 'Changes of marketplace' }).check();
      await reader.press(dialog.getByRole('button', { name: 'Change the plan' }));
      await dialog.getByText('The plan was changed.').waitFor();
      await reader.checkPage();
      await row.getByText('Changes of marketplace', { exact: true }).waitFor();
      const visitor = await reader.secondTab();
      await visitor.goto('/plans');
      const link = visitor.getByRole('link', { name: 'ann@shop.example' }).first();
      assert.equal(await link.getAttribute('href'), 'mailto:ann@shop.example');
      await visitor.close();
      await reader.press(dialog.getByRole('button', { name: 'Delete the plan' }));
      await dialog.waitFor({ state: 'detached' });

      await page.goto(`/operator/accounts?q=${email.slice(0, 8)}`);
      await reader.press(page.getByRole('link', { name: `Manage ${email}` }));
      await page.getByRole('textbox', { name: /Requests per day/ }).fill('25000');
      await reader.press('Change the limits');
      await page.getByText('The limits were changed.').waitFor();
      const limited = async () => (await dashboard().accounts.find(email)).plan;
      const { dailyRequests, features } = await limited();
      assert.deepEqual([dailyRequests, features], [25_000, []]);
      await page.getByRole('checkbox', { name: 'Many cards in one call' }).check();
      await page.getByRole('checkbox', { name: /^Set the features below/ }).check();
      await reader.press('Change the limits');
      await page.getByText('The limits were changed.').waitFor();
      await page.waitForLoadState('networkidle');
      assert.deepEqual((await limited()).features, ['batch']);
      await reader.checkPage();
    });

    it('an operator creates an account, revokes its key, and is not locked out', async () => {
      const reader = await dashboard().operator(look);
      const { page } = reader;
      const email = `new-${reader.email}`;
      await page.goto('/operator/accounts');
      await reader.press(page.getByText('Create an account'));
      await reader.type(page.getByRole('textbox', { name: 'E-mail address', exact: true }), email);
      await reader.press('Create the account');
      await page.waitForURL('**/operator/account?*');
      await page.getByText('The account has no active keys.').waitFor();
      await dashboard().keys.create(email, { name: 'shop' });
      await page.reload();
      await reader.press('Revoke shop');
      await reader.checkPage();
      await reader.press(page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
      await page.getByText('The key “shop” is revoked.').waitFor();
      await reader.checkPage();

      await page.goto(`/operator/account?email=${encodeURIComponent(reader.email)}`);
      await page.getByText('This is your own account.').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Disable' }).count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Delete the account' }).count(), 0);
      await reader.press(page.getByRole('link', { name: 'All accounts' }));
      await reader.choose('Sort', 'used');
      await page.waitForURL('**/operator/accounts?sort=used');
      await page.getByText('None of these accounts was used today.').waitFor();
      await reader.checkPage();
    });

    it('the health of each source is listed', async () => {
      const reader = await dashboard().operator(look);
      await reader.page.goto('/operator/sources');
      await reader.page.locator('tr', { hasText: /tcgcsv.*Disney Lorcana/ }).waitFor();
      await reader.checkPage();
    });

    it('the overview lists what needs attention, with a link to each', async () => {
      const reader = await dashboard().operator(look);
      const { page } = reader;
      await page.goto('/operator');
      await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
      const items = page.locator('.alarms > li');
      const waiting = items.filter({ hasText: /\d+ prices wait for \d+ decisions\./ });
      assert.match(
        await items.first().innerText(),
        /^wrong tcgcsv Its prices of \d games are older/,
      );
      assert.match(await items.filter({ hasText: 'backups' }).innerText(), /Newest backup: never/);
      await reader.checkPage();
      await reader.press(waiting.getByRole('link', { name: 'Quarantine' }));
      await page.waitForURL('**/operator/quarantine?show=digest');
    });

    it('a menu of all operator pages marks the current one and names the operator', async () => {
      const reader = await dashboard().operator(look);
      const { page } = reader;
      await page.goto('/operator');
      const menu = page.getByRole('navigation', { name: 'Operator' });
      await reader.follow('Health', 'Operator');
      await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor();
      const opener = menu.getByRole('button');
      if (await opener.isVisible()) await reader.press(opener);
      await menu.getByText(/^Quarantine\d+ waiting$/).waitFor();
      const current = menu.locator('[aria-current]');
      assert.deepEqual(await current.allInnerTexts(), ['Health']);
      await menu.getByRole('link', { name: reader.email }).waitFor();
      await reader.checkPage();
      await page.keyboard.press('Escape');
      assert.equal(await menu.getByRole('link').first().isVisible(), !(await opener.isVisible()));
    });

    it('the health of the service has its alarms first, then its figures', async () => {
      const reader = await dashboard().operator(look);
      const { page } = reader;
      await page.goto('/operator/health');
      await page.getByText('not scheduled').waitFor();
      const headings = await page.getByRole('heading').allInnerTexts();
      assert.match(headings.join(', '), /^Health, \d alarms, Figures, /);
      await reader.press(page.getByText(/^\d checks passed$/));
      await page.getByText('All settings are known.').waitFor();
      const coverage = page.getByRole('table', { name: 'Cards with a price by game' });
      assert.match(await coverage.innerText(), /Disney Lorcana\s+[\d,]+ of [\d,]+ \(/);
      const files = page.getByRole('table', { name: 'Files by size' });
      await files.getByText('cards.db-accounts', { exact: true }).waitFor();
      await reader.checkPage();
    });

    it('an operator syncs a source and sees the outcome', async () => {
      const reader = await dashboard().operator(look);
      const { page } = reader;
      await page.goto('/operator/sources');
      await page.getByRole('table', { name: 'Health of the sources' }).waitFor();
      await page.getByText('justtcg wants a key').waitFor();
      await reader.choose('What to sync', 'tcgcsv');
      await reader.press('Sync now');
      await page.getByText(/The sync of tcgcsv, started .+, failed\./).waitFor();
      await page
        .getByRole('figure', { name: 'Last lines of its log' })
        .getByText(/tcgcsv +failed .*nowhere/)
        .waitFor();
      await reader.checkPage();
      await page.reload();
      await page.getByText(/The sync of tcgcsv, started .+, failed\./).waitFor();
    });

    it('a quarantined price is listed', async () => {
      const reader = await dashboard().operator(look);
      const { page } = reader;
      await page.goto('/operator/quarantine?rule=price-jump&show=each');
      await page.getByText(JUMPER).first().waitFor();
      await page.getByText('1 day at $2.00').waitFor();
      assert.equal(await page.locator('.sparkline .held').count(), 1);
      await reader.checkPage();
    });

    it('the audit log is filtered by account and action', async () => {
      const reader = await dashboard().operator(look);
      const { page } = reader;
      const { email } = await dashboard().member('free');
      for (const plan of ['trader', 'business']) {
        const data = { email, plan };
        await reader.context.request.post('/dashboard/operator/accounts/plan', { data });
      }
      await page.goto('/operator');
      await reader.follow('Audit log', 'Operator');
      await page.waitForURL('**/operator/audit');
      await page.getByRole('listitem').getByText(email).first().waitFor();
      await reader.checkPage();
      await reader.openFilters();
      await reader.type('E-mail address', email);
      await reader.press('Find');
      await page.getByText('1 to 2 of 2 entries').waitFor();
      const entry = page.getByRole('listitem').filter({ hasText: 'to business' });
      const sentence = `${reader.email} changed the plan or the limits of ${email} from 127.0.0.1: to business.`;
      assert.equal(await entry.getByRole('paragraph').innerText(), sentence);
      await reader.press(entry.getByText(/^Record \d+$/));
      assert.match(
        await entry.locator('dl').innerText(),
        /action\s+plan-changed\s+actor\s+operator/,
      );
      await reader.checkPage();
      await reader.choose('Action', 'key created');
      await page.getByText('No matching entries.').waitFor();
      await reader.checkPage();
    });

    it('quarantined prices are listed by set and rule, and filtered', async () => {
      const reader = await dashboard().operator(look);
      const { page } = reader;
      await page.goto('/operator/quarantine');
      await page.getByText(/^1 to 8 of \d+ groups$/).waitFor();
      await reader.checkPage();
      await reader.openFilters();
      await reader.choose('Rule', 'price-jump');
      await page.waitForURL('**/operator/quarantine?rule=price-jump');
      await page.getByRole('button', { name: GROUP_BUTTON }).waitFor();
      await page.getByText(/reports a price of .* at 100× of what was accepted: too far/).waitFor();
      await page.getByText(JUMPER).first().waitFor();
      await reader.checkPage();
      await reader.choose('Set', '<b>Odd</b> Names (1)');
      await page.waitForURL('**/operator/quarantine?rule=price-jump&set=*');
      await page.getByText('1 to 1 of 1 groups').waitFor();
      await reader.choose('Rule', 'grade-order');
      await page.getByText('no groups').waitFor();
      await reader.checkPage();
    });

    it('only operators see these pages', async () => {
      const reader = await dashboard().reader(look);
      await reader.page.goto('/operator');
      await reader.page.getByRole('heading', { name: 'Page not found' }).waitFor();
      const response = await reader.context.request.get('/dashboard/operator/accounts');
      assert.equal(response.status(), 403);
    });
  });
}

for (const look of [LARGER_PHONE, DESK_LOOK]) {
  it(`the operator pages break no words ${look.name}`, async () => {
    const email = `ann.of-the-corner-${look.width}@cards-and-comics.example`;
    const reader = await dashboard().operator(look);
    const { page } = reader;
    const post = (path: string, data: object) =>
      reader.context.request.post(`/dashboard/operator${path}`, { data });
    await post('/accounts', { email, plan: 'trader' });
    await post('/accounts/limits', { email, limits: { dailyRequests: 25_000 } });
    await dashboard().keys.create(email, { name: 'the till in the corner' });
    const { accounts, operatorAccount, ...others } = OPERATOR_PAGES;
    const paths = [
      ...Object.values(others),
      `${accounts}?q=ann`,
      `${operatorAccount}?email=${email}`,
      ...['each', 'source', 'digest'].map((show) => `${others.quarantine}?show=${show}`),
    ];
    for (const path of paths) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      for (const summary of await page.locator('main summary').all()) await summary.click();
      assert.deepEqual(await brokenWords(page), [], path);
      await reader.checkPage();
    }
  });
}

describe('the quarantine', () => {
  it('undoes a decision on a group, at once or later', async () => {
    const reader = await dashboard().operator(ANY_LOOK);
    const { page } = reader;
    const approve = async () => {
      await reader.press(page.getByRole('button', { name: GROUP_BUTTON }));
      await reader.checkPage();
      await reader.press(page.getByRole('dialog').getByRole('button', { name: 'Approve' }));
      await page.getByText('Approved 1. 1 of them are now served.').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await page.goto('/operator/quarantine?rule=price-jump');
    await approve();
    const group = page.getByRole('button', { name: GROUP_BUTTON });
    await group.waitFor({ state: 'detached' });
    await reader.checkPage();
    await reader.press('Undo it');
    await page.getByText('Undid 1. They wait for a decision again.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo it' }).count(), 0);
    await approve();
    await reader.choose('Show', 'decisions');
    await page.waitForURL('**show=decisions');
    await page.getByText('<b>Odd</b> Names').waitFor();
    await reader.checkPage();
    await reader.press(page.getByRole('button', { name: /^Undo the decision: Approved 1, / }));
    await page.getByText('no decisions').waitFor();
    await reader.choose('Show', 'waiting, by set and rule');
    await group.waitFor();
  });

  it('undoes a rejection', async () => {
    const reader = await dashboard().operator(ANY_LOOK);
    const { page } = reader;
    await page.goto('/operator/quarantine?rule=price-jump&show=each');
    await reader.tabTo(page.getByRole('checkbox', { name: new RegExp(JUMPER) }));
    await page.keyboard.press('Space');
    await reader.press('Reject 1');
    await page.getByText('Rejected 1.').waitFor();
    await reader.choose('Show', 'rejected, one by one');
    await page.waitForURL('**show=rejected');
    await reader.tabTo(page.getByRole('checkbox', { name: new RegExp(JUMPER) }));
    await page.keyboard.press('Space');
    await reader.checkPage();
    assert.equal(await page.getByText(/^It is settled when /).count(), 0);
    await reader.press('Undo 1');
    await page.getByText('Undid 1. They wait for a decision again.').waitFor();
    await page.getByText('Nothing is rejected.').waitFor();
  });

  it('lists what matters most first, and keys decide on an entry in focus', async () => {
    const reader = await dashboard().operator(ANY_LOOK);
    const { page } = reader;
    await page.goto('/operator/quarantine');
    await reader.choose('Show', 'waiting, most important');
    await page.waitForURL('**show=digest');
    await page.getByText(/^\d+ prices wait for \d+ decisions\. /).waitFor();
    await page
      .getByText(/At stake: \$/)
      .first()
      .waitFor();
    await reader.checkPage();
    await page.goto('/operator/quarantine?rule=price-jump&show=each');
    const box = page.getByRole('checkbox', { name: new RegExp(JUMPER) });
    const entry = page.getByRole('listitem').filter({ has: box });
    await entry
      .getByText(/^It is settled when .* It closes automatically in 30 days, on /)
      .waitFor();
    await entry.getByText('Served market price: $2.00').waitFor();
    assert.match(await entry.innerText(), /market \$2\.00 → \$200\.00 ▲\s*up\s+100×/);
    await entry.locator('.card-picture').waitFor();
    await page.keyboard.press('r');
    assert.equal(await page.getByText('Rejected 1.').count(), 0, 'nothing has the focus');
    await reader.tabTo(box);
    await page.keyboard.press('r');
    await page.getByText('Rejected 1.').waitFor();
    await reader.press('Undo it');
    await page.getByText('Undid 1. They wait for a decision again.').waitFor();
  });

  it('is reviewed by keys alone, entry by entry', async () => {
    const reader = await dashboard().operator(ANY_LOOK);
    const { page } = reader;
    await page.goto('/operator/quarantine?rule=price-jump&show=each');
    const entries = page.getByRole('article');
    await entries.nth(2).waitFor();
    const [first = '', second = '', third = ''] = await entries
      .getByRole('heading')
      .allInnerTexts();
    const focused = page.locator('article:focus').getByRole('heading');
    const assertFocus = async (name: string) => assert.equal(await focused.innerText(), name);
    for (const [key, name] of [
      ['j', first],
      ['j', second],
      ['k', first],
      ['j', second],
    ] as const) {
      await page.keyboard.press(key);
      await assertFocus(name);
    }
    await reader.checkPage();
    await page.keyboard.press('r');
    await page.getByRole('status').getByText('Rejected 1.').waitFor();
    await entries
      .getByRole('heading', { name: second, exact: true })
      .waitFor({ state: 'detached' });
    await assertFocus(third);
    await reader.checkPage();
    await page.keyboard.press('u');
    await page.getByRole('status').getByText('Undid 1.').waitFor();
    await entries.getByRole('heading', { name: second, exact: true }).waitFor();
  });

  it('shows in view why a decision failed', async () => {
    const reader = await dashboard().operator(LARGER_PHONE);
    reader.expects(/409/);
    const { page } = reader;
    await page.goto('/operator/quarantine?rule=price-jump&show=each');
    const lock = await takeLock(dashboard().store, Date.now);
    try {
      const entry = page.getByRole('article').last();
      await entry.getByRole('button', { name: /^Approve / }).click();
      const alert = page.getByRole('alert').getByText(/^Another import is running/);
      await alert.waitFor();
      const { y = 0 } = (await alert.boundingBox()) ?? {};
      assert.ok(y > 0 && y < LARGER_PHONE.height, `the reason is at ${y} px`);
      await reader.checkPage();
    } finally {
      await lock.free();
    }
  });

  it('asks before a key decides on a group', async () => {
    const reader = await dashboard().operator(ANY_LOOK);
    const { page } = reader;
    await page.goto('/operator/quarantine?rule=price-jump');
    await page.getByRole('article').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const focused = page.locator('article:focus').getByRole('heading');
    const name = await focused.innerText();
    await page.keyboard.press('a');
    await page
      .getByRole('dialog')
      .getByText(`All prices that wait now: price-jump in ${name}.`)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await focused.innerText(), name);
  });

  it('explains its keys and turns them off, and ignores them in fields', async () => {
    const reader = await dashboard().operator(ANY_LOOK);
    const { page } = reader;
    await page.goto('/operator/quarantine?rule=price-jump&show=each');
    await page.getByRole('article').first().waitFor();
    const focused = page.locator('article:focus');
    const search = page.getByRole('combobox', { name: 'Search cards' });
    await reader.tabTo(search);
    await page.keyboard.press('j');
    assert.equal(await focused.count(), 0, 'the search has the focus');
    assert.equal(await search.inputValue(), 'j');
    await page.keyboard.press('Escape');
    await reader.tabTo(page.getByRole('button', { name: 'Keys' }));
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.waitFor();
    await reader.checkPage();
    await page.keyboard.press('j');
    assert.equal(await focused.count(), 0, 'the dialog has the focus');
    await reader.tabTo(dialog.getByRole('checkbox', { name: 'Use these keys' }));
    await page.keyboard.press('Space');
    await reader.press(dialog.getByRole('button', { name: 'Close' }));
    await page.keyboard.press('j');
    assert.equal(await focused.count(), 0, 'the keys are off');
    await page.reload();
    await page.getByRole('article').first().waitFor();
    await page.keyboard.press('j');
    assert.equal(await focused.count(), 0, 'the keys are still off');
  });

  it('has buttons for each entry that a thumb can press', async () => {
    const reader = await dashboard().operator(LARGER_PHONE);
    const { page } = reader;
    await page.goto('/operator/quarantine?rule=price-jump&show=each');
    const entry = page.getByRole('article').filter({ hasText: JUMPER });
    for (const action of ['Approve', 'Reject']) {
      const button = entry.getByRole('button', { name: `${action} ${JUMPER}, Normal` });
      const { height = 0, width = 0 } = (await button.boundingBox()) ?? {};
      assert.ok(height >= 44 && width >= 44, `${action} is ${width} × ${height} px`);
    }
    await entry.getByRole('button', { name: /^Reject / }).click();
    await page.getByText('Rejected 1.').waitFor();
    await entry.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo it' }).click();
    await entry.waitFor();
    await reader.checkPage();
  });

  it('serves a price that is approved', async () => {
    const reader = await dashboard().operator(ANY_LOOK);
    const { page } = reader;
    await page.goto('/operator/quarantine?rule=price-jump&show=each');
    const box = page.getByRole('checkbox', { name: new RegExp(JUMPER) });
    await reader.tabTo(box);
    await page.keyboard.press('Space');
    await reader.press('Approve 1');
    await page.getByText('Approved 1. 1 of them are now served.').waitFor();
    await page.goto(`/search?q=${encodeURIComponent(JUMPER)}`);
    for (let tries = 0; tries < 100; tries++) {
      if ((await page.getByText('$200.00').count()) > 0) break;
      await page.waitForTimeout(100);
      await page.reload();
    }
    await page.getByText('$200.00').waitFor();
  });

  it('decides on a whole group, once it is confirmed', async () => {
    const entry = quarantineEntry({ observedAt: Date.now() });
    await insertQuarantined(dashboard().store.db, [entry, entry]);
    const reader = await dashboard().operator(ANY_LOOK);
    const { page } = reader;
    await page.goto('/operator/quarantine?show=source');
    await reader.press('Reject all of scryfall');
    await reader.checkPage();
    await reader.press(page.getByRole('dialog').getByRole('button', { name: 'Reject' }));
    await page.getByText('Rejected 2.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
