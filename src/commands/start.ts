import { Command } from 'commander';
import { Accounts } from '../accounts/accounts.ts';
import { AccountKeys } from '../accounts/keys/account-keys.ts';
import { createApiKey } from '../accounts/keys/api-key.ts';
import { RESET_LINK_MS, type SelfService } from '../accounts/sign-in/self-service.ts';
import { createReadable } from '../accounts/sign-in/tokens.ts';
import { describeSettings, type Flags } from '../config/config.ts';
import { SETTINGS, type SettingName } from '../config/settings.ts';
import { dayOf, formatDay, type Millis } from '../domain/day.ts';
import { displayLocation } from '../domain/location.ts';
import { DEFAULT_PLANS } from '../domain/plans.ts';
import { createLogger } from '../http/logger.ts';
import { newestObservation } from '../store/catalogue/imports.ts';
import { readPublication } from '../store/catalogue/publications.ts';
import type { Store } from '../store/connect.ts';
import { selfServiceOf } from './account.ts';
import { recordCommand } from './audit.ts';
import { exportBulkWhileServing } from './bulk/serving.ts';
import type { CommandContext } from './context.ts';
import { STARTER_FOLDER } from './files.ts';
import { settingOption } from './options.ts';
import { printLine } from './output.ts';
import { logListening, serveAlone, startAll, stopAll, warnOfUnknown } from './serve.ts';
import { importStarter, importStarterQuotes } from './starter.ts';

/** The demo account in the greeting. Its plan shows most of the dashboard. */
const DEMO = demoEmail('trader');

/** Calls of the greeting: a card with grades, and one whose prices have a long history. */
const EXAMPLES = [
  '/v1/search?q=charizard+ex+psa+10',
  '/v1/cards/pokemon-mew-charizard-ex-199',
  '/v1/cards/lorcana-tfc-elsa-spirit-of-winter-207/history?condition=near_mint',
];

interface DemoKey {
  readonly plan: string;
  readonly email: string;
  readonly key: string;
}

/** One API key for each plan, and the password of all demo accounts. */
interface DemoAccounts {
  readonly keys: readonly DemoKey[];
  readonly password: string;
}

/** `cardprice start`: fills an empty database with a demo, and serves it. */
export function startCommand(context: CommandContext): Command {
  return new Command('start')
    .description('Try Cardprice: serve a starter catalogue with demo accounts.')
    .addOption(settingOption('host'))
    .addOption(settingOption('port'))
    .addHelpText('after', '\nExample:\n  cardprice start --port 8081')
    .action(async (given: Flags) => {
      const flags = withPublicPages(given);
      const config = context.config(flags);
      // On a terminal, the greeting replaces the log.
      const isQuiet = process.stdout.isTTY && isUnset('logLevel');
      printLine(`Cardprice ${context.version}, database ${displayLocation(config.database)}`);
      const logger = createLogger(isQuiet ? 'warn' : config.logLevel);
      warnOfUnknown(logger);
      await context.withStore((store) => loadStarter(context, store), { mayCreate: true });
      const tasks = config.bulk === '' ? [] : [exportBulkWhileServing(context, config, logger)];
      try {
        await serveAlone(context, config, {
          flags,
          logger,
          isSyncing: false,
          mayCreate: true,
          async onListening(server) {
            // On a terminal, the greeting shows the address.
            if (!process.stdout.isTTY) logListening(server, logger);
            // The keys are shown only once, so they are made when the server accepts requests.
            await context.withStore(async (store) => {
              await welcome(context, store, server.url);
              await loadQuotes(context, store);
            });
            startAll(tasks);
          },
        });
      } finally {
        await stopAll(tasks);
      }
    });
}

/** Shows the pages to visitors unless the operator has set `CARDPRICE_PUBLIC`. */
function withPublicPages(flags: Flags): Flags {
  return isUnset('isPublic') ? { ...flags, isPublic: 'on' } : flags;
}

/** Whether the operator has left a setting at its default. */
function isUnset(name: SettingName): boolean {
  const { variable } = SETTINGS[name];
  return describeSettings().some((one) => one.variable === variable && one.from === 'default');
}

async function loadStarter({ clock }: CommandContext, store: Store): Promise<void> {
  const { revision } = await readPublication(store.db);
  if (revision > 0) {
    const observedAt = await newestObservation(store.db);
    printLine('Using the catalogue in the database.');
    if (observedAt !== null)
      printLine(`Its newest prices are from ${pastDay(observedAt, clock())}.`);
    return;
  }
  const { cards, sets, observedAt, seconds } = await importStarter(store, STARTER_FOLDER, clock);
  printLine(
    `Loaded the starter catalogue: ${cards} cards in ${sets} sets (${seconds.toFixed(1)} s)`,
  );
  printLine(`Its prices are real, but not today's: up to ${pastDay(observedAt, clock())}.`);
}

/** Formats the day of a moment with its distance from today: `2026-01-28, 303 days ago`. */
function pastDay(moment: Millis, now: Millis): string {
  const day = dayOf(moment);
  const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  return `${formatDay(day)}, ${ago.format(day - dayOf(now), 'day')}`;
}

async function loadQuotes({ clock }: CommandContext, store: Store): Promise<void> {
  const quotes = await importStarterQuotes(store, STARTER_FOLDER, clock);
  if (!quotes) return;
  const { points, seconds } = quotes;
  printLine(`Loaded ${points} prices by condition and grade (${seconds.toFixed(1)} s)`);
}

/**
 * Makes and shows the demo accounts, unless an earlier start did. The keys are stored only after
 * they are shown. If the process is killed in between, the next start makes and shows new keys.
 */
async function welcome(context: CommandContext, store: Store, url: string): Promise<void> {
  const accounts = new Accounts(store, context.clock);
  const keys = new AccountKeys(store, context.clock);
  const demo = (await hasDemo(accounts, keys))
    ? undefined
    : await prepareDemo(context, store, accounts);
  printGreeting(url, demo);
  for (const { email, key } of demo?.keys ?? []) await keys.create(email, { name: 'demo', key });
  printFirstSteps(url, demo);
}

/** Whether an earlier start has shown its keys, or all accounts belong to other people. */
async function hasDemo(accounts: Accounts, keys: AccountKeys): Promise<boolean> {
  if ((await accounts.page({ limit: 1, offset: 0 })).total === 0) return false;
  for (const { name } of DEFAULT_PLANS) {
    const email = demoEmail(name);
    if (!(await exists(accounts, email))) continue;
    if ((await keys.list(email)).length === 0) return false;
  }
  return true;
}

async function exists(accounts: Accounts, email: string): Promise<boolean> {
  return (await accounts.page({ q: email, limit: 1, offset: 0 })).total > 0;
}

/** Makes the missing demo accounts, with one password for all, and keys that do not work yet. */
async function prepareDemo(
  context: CommandContext,
  store: Store,
  accounts: Accounts,
): Promise<DemoAccounts> {
  const selfService = selfServiceOf(context, store);
  const password = createReadable();
  const keys: DemoKey[] = [];
  for (const { name: plan } of DEFAULT_PLANS) {
    const email = demoEmail(plan);
    if (!(await exists(accounts, email))) {
      await accounts.create(email, plan);
      await recordCommand(context, store, 'account-created', { subject: email, detail: 'a demo' });
    }
    keys.push({ plan, email, key: createApiKey() });
  }
  // Set the password before the keys are stored, because a reset link revokes existing keys.
  for (const { email } of keys) await setPassword(selfService, email, password);
  return { keys, password };
}

function demoEmail(plan: string): string {
  return `demo-${plan}@example.com`;
}

async function setPassword(
  selfService: SelfService,
  email: string,
  password: string,
): Promise<void> {
  const { token } = await selfService.resetToken(email, RESET_LINK_MS);
  await selfService.reset(token, password, 'localhost');
}

function printGreeting(url: string, demo: DemoAccounts | undefined): void {
  printLine();
  printLine(`Listening on ${url}. Press Ctrl-C to stop. API documentation: ${url}/docs`);
  printLine();
  if (demo) printDemo(url, demo);
  else printReturning(url);
}

function printDemo(url: string, { keys, password }: DemoAccounts): void {
  printLine(`Dashboard: ${url} — sign in as ${DEMO}, password ${password}`);
  printLine();
  printLine('A demo key for each plan. They are shown only once:');
  for (const { plan, key } of keys) printLine(`  ${plan.padEnd(9)} ${key}`);
  printLine();
}

function printFirstSteps(url: string, demo: DemoAccounts | undefined): void {
  if (demo) printRequests(url, demo);
  printLine('To manage accounts, sources and quarantined prices, make yourself an operator:');
  printLine('  cardprice account create --operator --email you@shop.example');
  printLine();
}

function printRequests(url: string, { keys }: DemoAccounts): void {
  const header = `-H 'X-API-Key: ${keys.find(({ plan }) => plan === 'trader')?.key}'`;
  printLine('Try:');
  for (const path of EXAMPLES) printLine(`  curl ${header} '${url}${path}'`);
  printLine();
}

/** Prints the greeting of a later start, which cannot show the keys and the password again. */
function printReturning(url: string): void {
  const { port } = new URL(url);
  const flag = port === SETTINGS.port.default ? '' : ` --port ${port}`;
  printLine(`Dashboard: ${url}. To set a new password:`);
  printLine(`  cardprice account reset-link ${DEMO}${flag}`);
  printLine('Keys are shown only when they are created. To replace one:');
  printLine(`  cardprice key list --account ${DEMO}`);
  printLine('  cardprice key regenerate <ID>');
  printLine();
}
