import { Command, Option } from 'commander';
import type { Static } from 'typebox';
import { Accounts } from '../accounts/accounts.ts';
import { Alerts } from '../accounts/alerts/alerts.ts';
import { Plans } from '../accounts/quota/plans.ts';
import {
  ALERT_KIND_NAMES,
  ALERT_KINDS,
  ALERT_MAILS,
  describeRule,
  RULE_LIMITS,
} from '../domain/alerts.ts';
import { ApiError, OperatorError } from '../domain/errors.ts';
import type { Cents } from '../domain/money.ts';
import { AlertBody, type AlertEventItem, type AlertItem } from '../http/alert-schemas.ts';
import { coreOf, resolverOf } from '../http/resources.ts';
import { readDraft } from '../http/v1/alert-draft.ts';
import { previewOf } from '../http/v1/alert-preview.ts';
import { alertView, eventView } from '../http/v1/alert-view.ts';
import { ALERT_CHANGES, prepareAlert } from '../http/v1/alerts.ts';
import { PlanHistory } from '../http/v1/endpoint.ts';
import { bodyValidator } from '../http/validation.ts';
import type { Store } from '../store/connect.ts';
import { recordCommand } from './audit.ts';
import { loadCatalog } from './catalog.ts';
import type { CommandContext } from './context.ts';
import { type JsonFlag, jsonOption } from './options.ts';
import { printJson, printLine, printTable } from './output.ts';

type Alert = Static<typeof AlertItem>;
type Event = Pick<
  Static<typeof AlertEventItem>,
  'card' | 'printing' | 'condition' | 'grade' | 'before' | 'after'
>;

interface AccountFlag {
  readonly account: string;
}

interface AlertFlags extends AccountFlag, JsonFlag {
  readonly amount?: string;
  readonly percent?: string;
  readonly days?: string;
  readonly [field: string]: string | boolean | undefined;
}

/** `cardprice alert …`: the alerts of accounts on prices. */
export function alertCommand(context: CommandContext): Command {
  return new Command('alert')
    .description('Create and manage the alerts of accounts on prices.')
    .addHelpText(
      'after',
      '\nExample:\n  cardprice alert add --account ann@shop.example --kind above --amount 400 --card pokemon-bs-charizard-004',
    )
    .addCommand(addCommand(context))
    .addCommand(previewCommand(context))
    .addCommand(listCommand(context))
    .addCommand(changeCommand(context, 'pause', 'pause', 'Judge nothing until it is resumed.'))
    .addCommand(changeCommand(context, 'resume', 'resume', 'Let it begin like a new one.'))
    .addCommand(changeCommand(context, 'remove', 'delete', 'Delete it with its events.'))
    .addCommand(eventsCommand(context));
}

function addCommand(context: CommandContext): Command {
  return describedAlert(new Command('add'))
    .description('Add an alert. It judges the prices that are published from now on.')
    .action(async (flags: AlertFlags) => {
      const alert = await withAlerts(context, flags, async (desk) => {
        const { catalog, history, owner, alerts } = desk;
        const create = await prepareAlert({ catalog }, bodyOf(flags), history, owner);
        const added = await create(alerts);
        await desk.record(`alert ${added.id} added`);
        return alertView(catalog, added);
      });
      if (flags.json) return printJson(alert);
      printLine(`Added the alert ${alert.id}: ${ruleOf(alert)}.`);
    });
}

function previewCommand(context: CommandContext): Command {
  return describedAlert(new Command('preview'))
    .description('List what an alert would have fired in the last year.')
    .action(async (flags: AlertFlags) => {
      const preview = await withAlerts(context, flags, ({ catalog, history }) => {
        return previewOf(catalog, readDraft(catalog, bodyOf(flags)), history);
      });
      if (flags.json) return printJson(preview);
      printEvents(
        preview.events.map((event) => [event.date, event]),
        'It would have fired nothing.',
      );
      if (preview.total > preview.events.length) printLine(`${preview.total} events in all.`);
    });
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List the alerts of an account, newest first.')
    .addOption(accountOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice alert list --account ann@shop.example')
    .action(async (flags: AccountFlag & JsonFlag) => {
      const list = await withAlerts(context, flags, async ({ alerts, owner, catalog }) => {
        const all = await alerts.list(owner.accountId);
        return all.map((alert) => alertView(catalog, alert));
      });
      if (flags.json) return printJson(list);
      printTable(
        ['ID', 'NAME', 'FIRES AT', 'WATCHES', 'PRICE', 'MAIL', 'PAUSED', 'FIRED'],
        list.map((alert) => [
          ...[String(alert.id), alert.name, ruleOf(alert), watchedBy(alert)],
          ...[alert.price?.toFixed(2) ?? '', alert.mail],
          ...[alert.pausedAt ?? 'no', alert.firedAt ?? 'never'],
        ]),
        'This account has no alerts.',
      );
    });
}

function changeCommand(
  context: CommandContext,
  name: string,
  change: keyof typeof ALERT_CHANGES,
  description: string,
): Command {
  return new Command(name)
    .argument('<id>', 'The id of the alert, as `alert list` shows it.')
    .description(description)
    .addOption(accountOption())
    .addHelpText('after', `\nExample:\n  cardprice alert ${name} 7 --account ann@shop.example`)
    .action(async (id: string, flags: AccountFlag) => {
      const changed = `${change}d`;
      await withAlerts(context, flags, async ({ catalog, alerts, owner, history, record }) => {
        const services = { alerts, catalog, clock: context.clock };
        await ALERT_CHANGES[change](services, id, owner, history);
        await record(`alert ${id} ${changed}`);
      });
      printLine(`${changed[0]?.toUpperCase()}${changed.slice(1)} the alert ${id}.`);
    });
}

function eventsCommand(context: CommandContext): Command {
  return new Command('events')
    .description('List what the alerts of an account have fired, newest first.')
    .addOption(accountOption())
    .option('--alert <id>', 'Only events of this alert.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice alert events --account ann@shop.example')
    .action(async (flags: AccountFlag & JsonFlag & { readonly alert?: string }) => {
      const events = await withAlerts(context, flags, async ({ alerts, owner, catalog }) => {
        const found = await alerts.events(owner.accountId, { alert: flags.alert, limit: 1000 });
        return found.map((event) => eventView(catalog, event));
      });
      if (flags.json) return printJson(events);
      const rows = events.map((event) => [event.date, event] as const);
      printEvents(rows, 'Nothing has fired yet.');
    });
}

function accountOption(): Option {
  return new Option('--account <email>', 'The account.').makeOptionMandatory();
}

/** Adds the flags that describe an alert. */
function describedAlert(command: Command): Command {
  const kinds = Object.entries(ALERT_KINDS).map(
    ([kind, meaning]) => `  ${kind.padEnd(6)} ${meaning}`,
  );
  return command
    .addOption(accountOption())
    .addOption(
      new Option('--kind <kind>', 'What it waits for.')
        .choices(ALERT_KIND_NAMES)
        .makeOptionMandatory(),
    )
    .option('--amount <dollars>', 'Of above and below.')
    .option('--percent <number>', 'Of rise and fall.')
    .option('--days <number>', `Their window, up to ${RULE_LIMITS.days}.`)
    .option('--card <id>', 'The card to watch.')
    .option('--printing <name>', 'Its printing (default: the default printing).')
    .option('--condition <name>', 'A condition such as near_mint, instead of the market price.')
    .option('--grade <name>', 'A grade such as psa_10, instead of the market price.')
    .option('--set <id>', 'Every printing of a set, instead of a card.')
    .option('--name <text>', 'A name for messages.')
    .addOption(new Option('--mail <when>', 'Whether to mail events.').choices([...ALERT_MAILS]))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Kinds:
${kinds.join('\n')}

Example:
  cardprice alert ${command.name()} --account ann@shop.example --kind rise --percent 20 --days 7 --set pokemon-base-set`,
    );
}

/** Reads the flags into the body that the API takes. @throws OperatorError */
function bodyOf({ account: _, json: __, ...flags }: AlertFlags): Static<typeof AlertBody> {
  const numbers = Object.entries(flags).map(([flag, value]) => {
    return [flag, ['amount', 'percent', 'days'].includes(flag) ? Number(value) : value];
  });
  const checked = bodyValidator(AlertBody)(Object.fromEntries(numbers));
  if (checked.error) throw checked.error;
  return checked.value as Static<typeof AlertBody>;
}

/**
 * The dependencies of the commands: the catalogue, and the alerts, history and audit log of an
 * account.
 */
async function deskOf(context: CommandContext, store: Store, email: string) {
  const { id: accountId, plan } = await new Accounts(store, context.clock).find(email);
  const catalog = await loadCatalog(context, store);
  const parts = { catalog, resolver: resolverOf(catalog), replica: undefined };
  const core = coreOf({ config: context.config(), store, clock: context.clock }, parts);
  const holder = { plan, plans: await new Plans(store).read() };
  return {
    catalog,
    alerts: new Alerts(store, context.clock),
    owner: { accountId, plan },
    history: new PlanHistory(core.resources, holder, true),
    /** Records a change in the audit log. */
    record: (detail: string) => {
      return recordCommand(context, store, 'alert-changed', { subject: accountId, detail });
    },
  };
}

/** Runs `work` for an account. Turns a refusal of the API into an error of the command. */
function withAlerts<Result>(
  context: CommandContext,
  { account }: AccountFlag,
  work: (desk: Awaited<ReturnType<typeof deskOf>>) => Promise<Result>,
): Promise<Result> {
  return context.withStore(async (store) => {
    try {
      return await work(await deskOf(context, store, account));
    } catch (error) {
      if (error instanceof ApiError) throw new OperatorError(error.message, { cause: error });
      throw error;
    }
  });
}

function ruleOf({ kind, amount, percent, days }: Alert): string {
  const cents = amount === null ? null : (Math.round(amount * 100) as Cents);
  return describeRule({ kind, amount: cents, percent, days });
}

function watchedBy({ set, lineCount, ...line }: Alert): string {
  if (set !== undefined) return `the set ${set}`;
  const { card, printing, condition, grade } = line;
  if (card === undefined) return `${lineCount} prices`;
  return [card, printing, condition ?? grade].filter(Boolean).join(', ');
}

function printEvents(rows: readonly (readonly [when: string, event: Event])[], none: string): void {
  printTable(
    ['WHEN', 'CARD', 'PRINTING', 'COPY', 'BEFORE', 'AFTER'],
    rows.map(([when, { card, printing, condition, grade, before, after }]) => [
      ...[when, card, printing, condition ?? grade ?? ''],
      ...[before?.toFixed(2) ?? 'none', after.toFixed(2)],
    ]),
    none,
  );
}
