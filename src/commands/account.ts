import { Command, Option } from 'commander';
import { type Account, Accounts, type AccountWithUsage } from '../accounts/accounts.ts';
import { dayOf, formatDay, formatMoment } from '../domain/day.ts';
import { PLAN_NAMES } from '../domain/plans.ts';
import type { CommandContext } from './context.ts';
import { jsonOption } from './options.ts';
import { formatOptionalMoment, printJson, printTable } from './output.ts';

interface JsonFlag {
  readonly json?: boolean;
}

/** `cardprice account …`: who may ask, and how much. */
export function accountCommand(context: CommandContext): Command {
  return new Command('account')
    .description('Create and manage accounts.')
    .addHelpText('after', '\nExample:\n  cardprice account create --email ann@shop.example')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(setPlanCommand(context))
    .addCommand(disableCommand(context))
    .addCommand(enableCommand(context));
}

function createCommand(context: CommandContext): Command {
  return new Command('create')
    .description('Create an account.')
    .requiredOption('--email <address>', 'The e-mail address by which the account is known.')
    .addOption(new Option('--plan <plan>', `One of ${PLAN_NAMES.join(', ')}.`).default('free'))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  cardprice account create --email ann@shop.example --plan trader',
    )
    .action(async ({ email, plan, json }: { email: string; plan: string } & JsonFlag) => {
      const account = await withAccounts(context, (accounts) => accounts.create(email, plan));
      printAccount(account, json, `Created ${summary(account)}.`);
      if (json) return;
      console.log(`Give it a key: cardprice key create --account ${account.email}`);
    });
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List all accounts with their usage of today (UTC).')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice account list')
    .action(async ({ json }: JsonFlag) => {
      const accounts = await withAccounts(context, (all) => all.list());
      if (json) printJson(accounts.map(usageJson));
      else printAccounts(accounts);
    });
}

function setPlanCommand(context: CommandContext): Command {
  return new Command('set-plan')
    .description('Move an account to another plan, from its next request on.')
    .argument('<email>', 'The account.')
    .argument('<plan>', `One of ${PLAN_NAMES.join(', ')}.`)
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice account set-plan ann@shop.example business')
    .action(async (email: string, plan: string, { json }: JsonFlag) => {
      const account = await withAccounts(context, (accounts) => accounts.setPlan(email, plan));
      printAccount(account, json, `Now ${summary(account)}.`);
    });
}

function disableCommand(context: CommandContext): Command {
  return new Command('disable')
    .description('Make every key of an account stop working at once.')
    .argument('<email>', 'The account.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice account disable ann@shop.example')
    .action(async (email: string, { json }: JsonFlag) => {
      const account = await withAccounts(context, (accounts) => accounts.disable(email));
      printAccount(account, json, `Disabled ${account.email}: none of its keys work now.`);
    });
}

function enableCommand(context: CommandContext): Command {
  return new Command('enable')
    .description('Make the keys of a disabled account work again.')
    .argument('<email>', 'The account.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice account enable ann@shop.example')
    .action(async (email: string, { json }: JsonFlag) => {
      const account = await withAccounts(context, (accounts) => accounts.enable(email));
      printAccount(account, json, `Enabled ${account.email}: its keys work again.`);
    });
}

function withAccounts<Result>(
  context: CommandContext,
  work: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  return context.withStore((store) => work(new Accounts(store, context.clock)));
}

function summary({ email, plan }: Account): string {
  return `${email} on the plan ${plan.name}, ${plan.dailyRequests} requests a day`;
}

function printAccount(account: Account, json: boolean | undefined, sentence: string): void {
  if (json) printJson(accountJson(account));
  else console.log(sentence);
}

function printAccounts(accounts: readonly AccountWithUsage[]): void {
  const rows = accounts.map((account) => [
    account.email,
    account.plan.name,
    `${account.usedToday} of ${account.plan.dailyRequests}`,
    account.disabledAt === null ? 'active' : 'disabled',
    formatDay(dayOf(account.createdAt)),
  ]);
  printTable(
    ['EMAIL', 'PLAN', 'USED TODAY', 'STATUS', 'CREATED'],
    rows,
    'There are no accounts yet. Create one: cardprice account create --email E',
  );
}

function accountJson(account: Account) {
  return {
    email: account.email,
    plan: account.plan.name,
    dailyRequests: account.plan.dailyRequests,
    createdAt: formatMoment(account.createdAt),
    disabledAt: formatOptionalMoment(account.disabledAt),
  };
}

function usageJson(account: AccountWithUsage) {
  return { ...accountJson(account), usedToday: account.usedToday };
}
