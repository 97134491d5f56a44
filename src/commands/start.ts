import { Command } from 'commander';
import { AccountKeys } from '../accounts/account-keys.ts';
import { Accounts } from '../accounts/accounts.ts';
import type { Flags } from '../config.ts';
import { PLANS } from '../domain/plans.ts';
import { importSnapshot } from '../ingest/run.ts';
import { openStarter } from '../sources/starter/read.ts';
import { displayLocation, type Store } from '../store/connect.ts';
import { readPublication } from '../store/imports.ts';
import type { CommandContext } from './context.ts';
import { settingOption } from './options.ts';
import { serveAlone } from './serve.ts';

/** Beside the program, in the checkout and in the package alike. */
const STARTER = new URL('../../data/starter/', import.meta.url);

interface DemoKey {
  readonly plan: string;
  readonly key: string;
}

/** `cardprice start`: everything that a first look needs, then `serve`. */
export function startCommand(context: CommandContext): Command {
  return new Command('start')
    .description(
      'Try it: fill an empty database with the starter catalogue and demo accounts, and serve.',
    )
    .addOption(settingOption('host'))
    .addOption(settingOption('port'))
    .addHelpText('after', '\nExample:\n  cardprice start --port 8081')
    .action(async (flags: Flags) => {
      const config = context.config(flags);
      console.log(`Cardprice ${context.version}, database ${displayLocation(config.database)}`);
      await context.withStore((store) => loadStarter(context, store));
      // The keys are made last: they are shown only once, and only who is served needs them.
      await serveAlone(context, config, async (url) => {
        printWelcome(url, await context.withStore((store) => createDemoAccounts(context, store)));
      });
    });
}

async function loadStarter({ clock }: CommandContext, store: Store): Promise<void> {
  const { published } = await readPublication(store.db);
  if (published > 0) {
    console.log('Found a catalogue; nothing to load.');
    return;
  }
  const { cards, setsAdded, seconds } = await importSnapshot(store, await openStarter(STARTER), {
    clock,
  });
  console.log(
    `Loaded the starter catalogue: ${cards} cards of ${setsAdded} sets in ${seconds.toFixed(1)} s`,
  );
}

/** One account and key a plan, in a database that has no accounts. */
async function createDemoAccounts({ clock }: CommandContext, store: Store): Promise<DemoKey[]> {
  const accounts = new Accounts(store, clock);
  if ((await accounts.list()).length > 0) return [];
  const keys = new AccountKeys(store, clock);
  const created: DemoKey[] = [];
  for (const plan of PLANS) {
    const { email } = await accounts.create(`demo-${plan.name}@example.com`, plan.name);
    const { key } = await keys.create(email, { name: 'demo' });
    created.push({ plan: plan.name, key });
  }
  return created;
}

function printWelcome(url: string, keys: readonly DemoKey[]): void {
  console.log(`\nListening on ${url} — documentation at ${url}/docs, Ctrl-C stops it.\n`);
  const history = keys.find((key) => key.plan === 'trader');
  if (!history) {
    console.log('Keys were shown when they were made. For a new one in the place of an old one:');
    console.log('  cardprice key list --account demo-trader@example.com');
    console.log('  cardprice key regenerate <ID>\n');
    return;
  }
  console.log('One demo key a plan, shown only now:');
  for (const { plan, key } of keys) console.log(`  ${plan.padEnd(9)} ${key}`);
  const header = `-H 'X-API-Key: ${history.key}'`;
  console.log('\nTry:');
  console.log(`  curl ${header} '${url}/v1/search?q=charizard'`);
  console.log(`  curl ${header} '${url}/v1/cards/pokemon-bs-charizard-004'`);
  console.log(`  curl ${header} '${url}/v1/cards/lorcana-tfc-elsa-spirit-of-winter-207/history'\n`);
}
