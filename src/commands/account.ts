import { Argument, Command, Option } from 'commander';
import { type Account, Accounts, type AccountWithUsage } from '../accounts/accounts.ts';
import { SecondFactors } from '../accounts/sign-in/second-factors.ts';
import { RESET_LINK_MS, resetLink, SelfService } from '../accounts/sign-in/self-service.ts';
import type { Flags } from '../config/config.ts';
import type { AuditAction } from '../domain/audit.ts';
import { dayOf, formatDay, formatMoment } from '../domain/day.ts';
import { FREE } from '../domain/plans.ts';
import type { Store } from '../store/connect.ts';
import { deleteCommand } from './account-delete.ts';
import { recordCommand } from './audit.ts';
import type { CommandContext } from './context.ts';
import { formatQuota, type LimitFlags, limitOptions, parseLimits } from './limits.ts';
import { type JsonFlag, jsonOption, settingOption } from './options.ts';
import { formatOptionalMoment, printJson, printLine, printTable } from './output.ts';

interface CreateFlags extends JsonFlag {
  readonly email: string;
  readonly plan: string;
  readonly operator?: boolean;
}

/** A single-use link to set a password. */
interface ResetLink {
  readonly link: string;
  readonly expiresAt: string;
}

/** `cardprice account …`: creates and manages accounts. */
export function accountCommand(context: CommandContext): Command {
  return new Command('account')
    .description('Create and manage accounts.')
    .addHelpText('after', '\nExample:\n  cardprice account create --email ann@shop.example')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(changeCommand(context, CONFIRM))
    .addCommand(setPlanCommand(context))
    .addCommand(setLimitsCommand(context))
    .addCommand(changeCommand(context, DISABLE))
    .addCommand(changeCommand(context, ENABLE))
    .addCommand(setOperatorCommand(context))
    .addCommand(resetLinkCommand(context))
    .addCommand(removeSecondFactorCommand(context))
    .addCommand(deleteCommand(context));
}

function createCommand(context: CommandContext): Command {
  return new Command('create')
    .description('Create an account.')
    .requiredOption('--email <address>', 'The e-mail address of the account.')
    .addOption(new Option('--plan <plan>', 'One of `cardprice plan list`.').default(FREE))
    .option('--operator', 'Make the account an operator, who sees the operator pages.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  cardprice account create --email ann@shop.example --plan trader' +
        '\n  cardprice account create --operator --email you@shop.example' +
        '\n\nThe command prints a link to set the password of an operator. For other accounts, run' +
        ' `account reset-link`.',
    )
    .action((flags: CreateFlags) =>
      flags.operator ? createOperator(context, flags) : createAccount(context, flags),
    );
}

async function createAccount(context: CommandContext, flags: CreateFlags): Promise<void> {
  const account = await changeAccount(context, 'account-created', (accounts) =>
    accounts.create(flags.email, flags.plan),
  );
  printAccount(account, flags.json, `Created ${summary(account)}.`);
  if (flags.json) return;
  printLine(`Give it a key: cardprice key create --account ${account.email}`);
  printLine(`Let it sign in: cardprice account reset-link ${account.email}`);
}

async function createOperator(context: CommandContext, flags: CreateFlags): Promise<void> {
  const { account, reset } = await context.withStore(async (store) => {
    const accounts = new Accounts(store, context.clock);
    const account = await accounts.create(flags.email, flags.plan, { isOperator: true });
    await recordCommand(context, store, 'account-created', {
      subject: account.id,
      detail: `an operator, on the plan ${account.plan.name}`,
    });
    return { account, reset: await makeResetLink(context, store, account.email) };
  });
  if (flags.json) {
    const { link, expiresAt } = reset;
    printJson({ ...accountJson(account), resetLink: link, resetLinkExpiresAt: expiresAt });
    return;
  }
  printLine(`Created the operator ${summary(account)}.`);
  printResetLink(reset);
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List all accounts and their usage today (UTC).')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice account list')
    .action(async ({ json }: JsonFlag) => {
      const accounts = await withAccounts(context, (all) => all.list());
      if (json) printJson(accounts.map(usageJson));
      else printAccounts(accounts);
    });
}

/** A command that changes an account without further arguments. */
interface Change {
  readonly name: string;
  readonly description: string;
  readonly note?: string;
  readonly action: AuditAction;
  change(accounts: Accounts, email: string): Promise<Account>;
  /** The message printed after the change. */
  sentence(email: string): string;
}

const CONFIRM: Change = {
  name: 'confirm',
  description: 'Confirm an account whose address was not proved by mail, so its owner can sign in.',
  note:
    'Confirm only people who you know signed up themselves. Send everyone else a link from' +
    ' `account reset-link`: opening it proves the address and lets them choose a password.',
  action: 'account-verified',
  change: (accounts, email) => accounts.confirm(email),
  sentence: (email) => `Confirmed ${email}. Its owner can now sign in.`,
};

const DISABLE: Change = {
  name: 'disable',
  description: 'Stop the keys and the password of an account from working, at once.',
  action: 'account-disabled',
  change: (accounts, email) => accounts.disable(email),
  sentence: (email) => `Disabled ${email}. Its keys no longer work, and nobody can sign in to it.`,
};

const ENABLE: Change = {
  name: 'enable',
  description: 'Make the keys and the password of a disabled account work again.',
  action: 'account-enabled',
  change: (accounts, email) => accounts.enable(email),
  sentence: (email) => `Enabled ${email}. Its keys work again.`,
};

function changeCommand(context: CommandContext, one: Change): Command {
  const note = one.note ? `\n\n${one.note}` : '';
  return new Command(one.name)
    .description(one.description)
    .argument('<email>', 'The account.')
    .addOption(jsonOption())
    .addHelpText('after', `\nExample:\n  cardprice account ${one.name} ann@shop.example${note}`)
    .action(async (email: string, { json }: JsonFlag) => {
      const account = await changeAccount(context, one.action, (all) => one.change(all, email));
      printAccount(account, json, one.sentence(account.email));
    });
}

function setPlanCommand(context: CommandContext): Command {
  return new Command('set-plan')
    .description('Move an account to another plan. It applies from the next request.')
    .argument('<email>', 'The account.')
    .argument('<plan>', 'One of `cardprice plan list`.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice account set-plan ann@shop.example business')
    .action(async (email: string, plan: string, { json }: JsonFlag) => {
      const account = await changeAccount(context, 'plan-changed', (accounts) =>
        accounts.setPlan(email, plan),
      );
      printAccount(account, json, `Now ${summary(account)}.`);
    });
}

function setLimitsCommand(context: CommandContext): Command {
  const command = new Command('set-limits')
    .description('Override limits of the plan for one account, from its next request.')
    .argument('<email>', 'The account.');
  for (const option of limitOptions()) command.addOption(option);
  return command
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  cardprice account set-limits own@shop.example --daily unlimited' +
        '\n  cardprice account set-limits ann@shop.example --daily 25000 --burst 10/1s' +
        '\n  cardprice account set-limits ann@shop.example' +
        '\n\nLimits that you do not name follow the plan. Without options, all limits do.',
    )
    .action(async (email: string, { json, ...flags }: LimitFlags & JsonFlag) => {
      const limits = parseLimits(flags);
      const account = await changeAccount(context, 'plan-changed', (all) =>
        all.setLimits(email, limits),
      );
      printAccount(account, json, `Now ${summary(account)}.`);
    });
}

function setOperatorCommand(context: CommandContext): Command {
  return new Command('set-operator')
    .description('Make an account an operator, or remove that role.')
    .argument('<email>', 'The account.')
    .addArgument(new Argument('<state>', 'on or off.').choices(['on', 'off']))
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice account set-operator ann@shop.example on')
    .action(async (email: string, state: 'on' | 'off', { json }: JsonFlag) => {
      const account = await changeAccount(context, 'operator-changed', (accounts) =>
        accounts.setOperator(email, state === 'on'),
      );
      const becomes = account.isOperator ? 'is now an operator' : 'is no longer an operator';
      printAccount(account, json, `${account.email} ${becomes}.`);
    });
}

function resetLinkCommand(context: CommandContext): Command {
  return new Command('reset-link')
    .description('Make a single-use link to set the password of an account.')
    .argument('<email>', 'The account.')
    .addOption(settingOption('host'))
    .addOption(settingOption('port'))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  cardprice account reset-link ann@shop.example' +
        '\n\nThe link begins with CARDPRICE_URL or, if that is not set, with the host and port.',
    )
    .action(async (email: string, { json, ...flags }: Flags & JsonFlag) => {
      const reset = await context.withStore((store) => makeResetLink(context, store, email, flags));
      if (json) printJson({ email: email.toLowerCase(), ...reset });
      else printResetLink(reset);
    });
}

function removeSecondFactorCommand(context: CommandContext): Command {
  return new Command('remove-second-factor')
    .description(
      'Remove the authenticator app, passkeys and recovery codes of an account whose owner lost ' +
        'them, and sign the account out.',
    )
    .argument('<email>', 'The account.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  cardprice account remove-second-factor ann@shop.example' +
        '\n\nVerify who is asking: afterwards, the password alone is enough to sign in.',
    )
    .action(async (email: string, { json }: JsonFlag) => {
      const removed = await context.withStore(async (store) => {
        const factors = new SecondFactors(store, context.clock, { isRequiredOfOperators: false });
        const count = await factors.removeAll(email);
        await recordCommand(context, store, 'second-factor-changed', {
          subject: email,
          detail: 'all were removed',
        });
        return count;
      });
      const what = removed === 1 ? '1 second factor' : `${removed} second factors`;
      if (json) printJson({ email: email.toLowerCase(), removed });
      else printLine(`Removed ${what} of ${email.toLowerCase()}.`);
    });
}

async function makeResetLink(
  context: CommandContext,
  store: Store,
  email: string,
  flags: Flags = {},
): Promise<ResetLink> {
  const { publicUrl, host, port } = context.config(flags);
  const { token, expiresAt } = await selfServiceOf(context, store).resetToken(email, RESET_LINK_MS);
  await recordCommand(context, store, 'reset-link-made', { subject: email });
  const link = resetLink(publicUrl || addressOf(host, port), token);
  return { link, expiresAt: formatMoment(expiresAt) };
}

/** Returns the address at which this machine reaches a service that listens on `host`. */
function addressOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function printResetLink({ link, expiresAt }: ResetLink): void {
  printLine(`Set a password here. The link works once, until ${expiresAt}:`);
  printLine(`  ${link}`);
}

function withAccounts<Result>(
  context: CommandContext,
  work: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  return context.withStore((store) => work(new Accounts(store, context.clock)));
}

/** Changes an account, and records the change with the new plan in the audit log. */
function changeAccount(
  context: CommandContext,
  action: AuditAction,
  change: (accounts: Accounts) => Promise<Account>,
): Promise<Account> {
  return context.withStore(async (store) => {
    const account = await change(new Accounts(store, context.clock));
    const { id, plan, isOperator } = account;
    const quota = `on the plan ${plan.name}, ${formatQuota(plan)} requests a day`;
    const detail = isOperator ? `an operator, ${quota}` : quota;
    await recordCommand(context, store, action, { subject: id, detail });
    return account;
  });
}

function summary({ email, plan }: Account): string {
  return `${email} on the plan ${plan.name}, ${formatQuota(plan)} requests a day`;
}

function printAccount(account: Account, json: boolean | undefined, sentence: string): void {
  if (json) printJson(accountJson(account));
  else printLine(sentence);
}

function printAccounts(accounts: readonly AccountWithUsage[]): void {
  const rows = accounts.map((account) => [
    account.email,
    account.plan.name,
    `${account.usedToday} of ${formatQuota(account.plan)}`,
    statusOf(account),
    account.isOperator ? 'yes' : 'no',
    formatDay(dayOf(account.createdAt)),
  ]);
  printTable(
    ['EMAIL', 'PLAN', 'USED TODAY', 'STATUS', 'OPERATOR', 'CREATED'],
    rows,
    'There are no accounts yet. Create one: cardprice account create --email E',
  );
}

function statusOf({ disabledAt, verifiedAt }: Account): string {
  if (disabledAt !== null) return 'disabled';
  return verifiedAt === null ? 'waiting' : 'active';
}

function accountJson(account: Account) {
  return {
    email: account.email,
    plan: account.plan.name,
    dailyRequests: account.plan.dailyRequests,
    createdAt: formatMoment(account.createdAt),
    disabledAt: formatOptionalMoment(account.disabledAt),
    confirmedAt: formatOptionalMoment(account.verifiedAt),
    isOperator: account.isOperator,
  };
}

function usageJson(account: AccountWithUsage) {
  return { ...accountJson(account), usedToday: account.usedToday };
}

/** The self-service of accounts, with the sign-up rules of the settings. */
export function selfServiceOf({ clock, config }: CommandContext, store: Store): SelfService {
  const { signUp, invitationCode } = config();
  return new SelfService(store, clock, { signUp: { isOpen: signUp, invitationCode } });
}
