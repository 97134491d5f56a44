import { Command, Option } from 'commander';
import { Plans } from '../accounts/quota/plans.ts';
import { OperatorError } from '../domain/errors.ts';
import { type Cents, dollarsFromCents } from '../domain/money.ts';
import {
  DEFAULT_ALERTS,
  defaultHistoryDays,
  isPlanName,
  MAX_HOW_TO_GET,
  type Plan,
  UNLIMITED,
} from '../domain/plans.ts';
import { recordCommand } from './audit.ts';
import type { CommandContext } from './context.ts';
import { formatBurst, formatQuota, type LimitFlags, limitOptions, parseLimits } from './limits.ts';
import { type JsonFlag, jsonOption } from './options.ts';
import { printJson, printLine, printTable } from './output.ts';

interface PlanFlags extends LimitFlags, JsonFlag {
  readonly label?: string;
  readonly price?: string;
  readonly howToGet?: string;
}

/** The values of a new plan for flags that are not given. */
const NEW_PLAN = { burst: null, features: [], alerts: DEFAULT_ALERTS } as const;

/** `cardprice plan …`: lists and changes plans. */
export function planCommand(context: CommandContext): Command {
  return new Command('plan')
    .description('List and change the plans that accounts can have.')
    .addHelpText('after', '\nExample:\n  cardprice plan list')
    .addCommand(listCommand(context))
    .addCommand(createCommand(context))
    .addCommand(setCommand(context))
    .addCommand(deleteCommand(context));
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List all plans, cheapest first.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice plan list')
    .action(async ({ json }: PlanFlags) => {
      const { plans } = await withPlans(context, (all) => all.read());
      if (json) printJson(plans.map(planJson));
      else printPlans(plans);
    });
}

function createCommand(context: CommandContext): Command {
  return withPlanOptions(new Command('create'))
    .description('Create a plan.')
    .argument(
      '<name>',
      'Its name in commands and settings: lower-case letters, digits and hyphens.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  cardprice plan create hobby --label Hobby --price 4.99 --daily 2000' +
        '\n  cardprice plan create own-shop --daily unlimited --features all',
    )
    .action(async (name: string, flags: PlanFlags) => {
      const plan = newPlan(name, flags);
      await changePlan(
        context,
        name,
        (plans) => plans.create(plan),
        () => detailOf(plan),
      );
      printPlan(plan, flags.json, `Created ${summary(plan)}.`);
    });
}

function setCommand(context: CommandContext): Command {
  return withPlanOptions(new Command('set'))
    .description('Change a plan. Changes apply from the next request of each account.')
    .argument('<name>', 'The plan.')
    .addHelpText(
      'after',
      '\nExamples:\n  cardprice plan set free --daily 500' +
        '\n  cardprice plan set free --features history --history-days 30',
    )
    .action(async (name: string, flags: PlanFlags) => {
      const plan = await changePlan(
        context,
        name,
        (plans) => plans.change(name, changeOf(flags)),
        detailOf,
      );
      printPlan(plan, flags.json, `Now ${summary(plan)}.`);
    });
}

function deleteCommand(context: CommandContext): Command {
  return new Command('delete')
    .description('Delete a plan that no account has.')
    .argument('<name>', 'The plan.')
    .addHelpText('after', '\nExample:\n  cardprice plan delete hobby')
    .action(async (name: string) => {
      await changePlan(
        context,
        name,
        (plans) => plans.delete(name),
        () => 'deleted',
      );
      printLine(`Deleted the plan ${name}.`);
    });
}

function withPlanOptions(command: Command): Command {
  command
    .addOption(new Option('--label <text>', 'Its display name; by default, the name.'))
    .addOption(new Option('--price <dollars>', 'Dollars a month, such as 14.99.'))
    .addOption(new Option('--how-to-get <text>', 'How an account gets it, for the page of plans.'));
  for (const option of limitOptions()) command.addOption(option);
  return command.addOption(jsonOption());
}

/** @throws OperatorError if a flag is missing or its value is not allowed. */
function newPlan(name: string, flags: PlanFlags): Plan {
  if (!isPlanName(name)) {
    throw new OperatorError(
      `"${name}" cannot be the name of a plan: use up to 31 lower-case letters, digits and ` +
        'hyphens, beginning with a letter.',
    );
  }
  const { dailyRequests, ...limits } = parseLimits(flags);
  if (dailyRequests === undefined) {
    throw new OperatorError('A plan needs --daily: a number of requests a day, or unlimited.');
  }
  const price = parsePrice(flags.price ?? '0');
  const label = parseLabel(flags.label ?? name);
  const historyDays = defaultHistoryDays(limits.features ?? NEW_PLAN.features);
  const howToGet = parseHowToGet(flags.howToGet ?? '');
  return { ...NEW_PLAN, historyDays, ...limits, name, label, price, howToGet, dailyRequests };
}

/** @throws OperatorError if there are no flags. */
function changeOf({ label, price, howToGet, ...flags }: PlanFlags): Partial<Plan> {
  const change = {
    ...parseLimits(flags),
    ...(label !== undefined && { label: parseLabel(label) }),
    ...(price !== undefined && { price: parsePrice(price) }),
    ...(howToGet !== undefined && { howToGet: parseHowToGet(howToGet) }),
  };
  if (Object.keys(change).length > 0) return change;
  throw new OperatorError('Nothing to change. See `cardprice plan set --help`.');
}

function parseLabel(text: string): string {
  if (/^\P{C}{1,40}$/u.test(text)) return text;
  throw new OperatorError('--label must be 1 to 40 characters, without control characters.');
}

function parseHowToGet(text: string): string {
  if (text.length <= MAX_HOW_TO_GET && /^\P{C}*$/u.test(text)) return text;
  throw new OperatorError(
    `--how-to-get must be at most ${MAX_HOW_TO_GET} characters, without control characters.`,
  );
}

function parsePrice(text: string): Cents {
  const [, dollars, cents = ''] = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (dollars !== undefined) return (Number(dollars) * 100 + Number(cents.padEnd(2, '0'))) as Cents;
  throw new OperatorError(`--price "${text}" is not allowed; it must be dollars such as 14.99.`);
}

function withPlans<Result>(
  context: CommandContext,
  work: (plans: Plans) => Promise<Result>,
): Promise<Result> {
  return context.withStore((store) => work(new Plans(store)));
}

/** Changes a plan, and records the change in the audit log. */
function changePlan<Result>(
  context: CommandContext,
  name: string,
  change: (plans: Plans) => Promise<Result>,
  detailOf: (result: Result) => string,
): Promise<Result> {
  return context.withStore(async (store) => {
    const result = await change(new Plans(store));
    const entry = { subject: `plan ${name}`, detail: detailOf(result) };
    await recordCommand(context, store, 'settings-changed', entry);
    return result;
  });
}

function detailOf(plan: Plan): string {
  return JSON.stringify(planJson(plan));
}

function summary(plan: Plan): string {
  return `the plan ${plan.name}: ${formatQuota(plan)} requests a day`;
}

function printPlan(plan: Plan, json: boolean | undefined, sentence: string): void {
  if (json) printJson(planJson(plan));
  else printLine(sentence);
}

function printPlans(plans: readonly Plan[]): void {
  const rows = plans.map((plan) => [
    plan.name,
    plan.label,
    dollarsFromCents(plan.price).toFixed(2),
    formatQuota(plan),
    formatBurst(plan.burst),
    plan.historyDays === null ? 'all' : String(plan.historyDays),
    String(plan.alerts),
    plan.features.join(', ') || 'none',
  ]);
  printTable(
    ['NAME', 'LABEL', '$/MONTH', 'REQUESTS/DAY', 'BURST', 'HISTORY DAYS', 'ALERTS', 'FEATURES'],
    rows,
    'There are no plans.',
  );
}

/** Returns a plan for programs, with null for no limit. */
function planJson({ dailyRequests, price, ...plan }: Plan) {
  return {
    ...plan,
    dailyRequests: dailyRequests === UNLIMITED ? null : dailyRequests,
    price: dollarsFromCents(price),
  };
}
