import { Command } from 'commander';
import { Accounts } from '../accounts/accounts.ts';
import { AccountKeys } from '../accounts/keys/account-keys.ts';
import { createApiKey } from '../accounts/keys/api-key.ts';
import { RESET_LINK_MS, type SelfService } from '../accounts/sign-in/self-service.ts';
import { createReadable } from '../accounts/sign-in/tokens.ts';
import { describeSettings, type Flags } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';
import { displayLocation } from '../domain/location.ts';
import { DEFAULT_PLANS } from '../domain/plans.ts';
import { createLogger } from '../http/logger.ts';
import { importSnapshot } from '../ingest/drivers/snapshot.ts';
import { packageFile } from '../lib/package-file.ts';
import { openStarter } from '../sources/starter.ts';
import { readPublication } from '../store/catalogue/publications.ts';
import type { Store } from '../store/connect.ts';
import { recordCommand } from './audit-entry.ts';
import type { CommandContext } from './context.ts';
import { settingOption } from './options.ts';
import { printLine } from './output.ts';
import { selfServiceOf } from './self-service.ts';
import { logListening, serveAlone, warnOfUnknown } from './serve.ts';

const STARTER = packageFile('data/starter/');

/** The account whose plan shows most of the dashboard. */
const DEMO = demoEmail('trader');

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

/** `cardprice start`: makes a demo of an empty database, and serves it. */
export function startCommand(context: CommandContext): Command {
  return new Command('start')
    .description(
      'Try it: fill an empty database with the starter catalogue and demo accounts, and serve.',
    )
    .addOption(settingOption('host'))
    .addOption(settingOption('port'))
    .addHelpText('after', '\nExample:\n  cardprice start --port 8081')
    .action(async (given: Flags) => {
      const flags = withPublicPages(given);
      const config = context.config(flags);
      printLine(`Cardprice ${context.version}, database ${displayLocation(config.database)}`);
      const logger = createLogger(config.logLevel);
      warnOfUnknown(logger);
      await context.withStore((store) => loadStarter(context, store), { mayCreate: true });
      await serveAlone(context, config, {
        ...{ flags, logger, isSyncing: false },
        async onListening(server) {
          // On a terminal the greeting says it.
          if (!process.stdout.isTTY) logListening(server, logger);
          // The keys are shown only once, so they are made when the server can answer them.
          await context.withStore((store) => welcome(context, store, server.url));
        },
      });
    });
}

/** Shows the pages to visitors, unless the operator has decided about that. */
function withPublicPages(flags: Flags): Flags {
  const { variable } = SETTINGS.isPublic;
  const isUnset = describeSettings().some((one) => {
    return one.variable === variable && one.from === 'default';
  });
  return isUnset ? { ...flags, isPublic: 'on' } : flags;
}

async function loadStarter({ clock }: CommandContext, store: Store): Promise<void> {
  const { revision } = await readPublication(store.db);
  if (revision > 0) {
    printLine('Found a catalogue; nothing to load.');
    return;
  }
  const { cards, setsAdded, seconds } = await importSnapshot(store, await openStarter(STARTER), {
    clock,
  });
  printLine(
    `Loaded the starter catalogue: ${cards} cards of ${setsAdded} sets in ${seconds.toFixed(1)} s`,
  );
}

/**
 * Makes the demo accounts and shows them, unless that was done before. The keys work only after they
 * are shown, so that a start that is killed in between is one that the next start finishes.
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

/** Whether a start before has shown its keys, or the accounts are other people's. */
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

/** Makes the demo accounts that are missing, with one password, and keys that do not work yet. */
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
  // Before there are keys: setting it by a link revokes those that were made before.
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
  printLine(`Listening on ${url} — documentation at ${url}/docs, Ctrl-C stops it.`);
  printLine();
  if (demo) printDemo(url, demo);
  else printReturning(url);
}

function printDemo(url: string, { keys, password }: DemoAccounts): void {
  printLine(`Dashboard: ${url} — sign in as ${DEMO}, password ${password}`);
  printLine();
  printLine('One demo key a plan, shown only now:');
  for (const { plan, key } of keys) printLine(`  ${plan.padEnd(9)} ${key}`);
  printLine();
}

function printFirstSteps(url: string, demo: DemoAccounts | undefined): void {
  if (demo) printRequests(url, demo);
  printLine('To manage accounts, sources and quarantined prices:');
  printLine('  cardprice account create --operator --email you@shop.example');
  printLine();
}

function printRequests(url: string, { keys }: DemoAccounts): void {
  const header = `-H 'X-API-Key: ${keys.find(({ plan }) => plan === 'trader')?.key}'`;
  printLine('Try:');
  printLine(`  curl ${header} '${url}/v1/search?q=charizard'`);
  printLine(`  curl ${header} '${url}/v1/cards/pokemon-bs-charizard-004'`);
  printLine(`  curl ${header} '${url}/v1/cards/lorcana-tfc-elsa-spirit-of-winter-207/history'`);
  printLine();
}

/** The greeting of a later start: keys and password are not shown again. */
function printReturning(url: string): void {
  const { port } = new URL(url);
  const flag = port === SETTINGS.port.default ? '' : ` --port ${port}`;
  printLine(`Dashboard: ${url} — to set a new password:`);
  printLine(`  cardprice account reset-link ${DEMO}${flag}`);
  printLine('Keys were shown when they were made. For a new one in the place of an old one:');
  printLine(`  cardprice key list --account ${DEMO}`);
  printLine('  cardprice key regenerate <ID>');
  printLine();
}
