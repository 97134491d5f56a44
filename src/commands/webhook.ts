import { Command, Option } from 'commander';
import { Accounts } from '../accounts/accounts.ts';
import {
  deliveryView,
  MAX_WEBHOOKS,
  newWebhookView,
  type Webhook,
  Webhooks,
  webhookView,
} from '../accounts/webhooks/webhooks.ts';
import { formatMoment } from '../domain/day.ts';
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS, type WebhookEventType } from '../domain/webhooks.ts';
import type { Store } from '../store/connect.ts';
import { recordCommand } from './audit.ts';
import type { CommandContext } from './context.ts';
import { type JsonFlag, jsonOption } from './options.ts';
import { formatOptionalMoment, printJson, printLine, printTable } from './output.ts';

interface AddFlags extends JsonFlag {
  readonly account: string;
  readonly url: string;
  readonly events?: WebhookEventType[];
}

/** `cardprice webhook …`: creates and manages the webhooks of accounts. */
export function webhookCommand(context: CommandContext): Command {
  return new Command('webhook')
    .description('Create and manage the webhooks of accounts.')
    .addHelpText(
      'after',
      '\nExample:\n  cardprice webhook add --account ann@shop.example --url https://shop.example/prices',
    )
    .addCommand(addCommand(context))
    .addCommand(listCommand(context))
    .addCommand(rotateCommand(context))
    .addCommand(
      changeCommand(context, 'disable', 'Send it nothing until it is enabled.', 'Disabled'),
    )
    .addCommand(changeCommand(context, 'enable', 'Send it events from now on.', 'Enabled'))
    .addCommand(changeCommand(context, 'delete', 'Delete it with its delivery log.', 'Deleted'))
    .addCommand(testCommand(context))
    .addCommand(deliveriesCommand(context))
    .addCommand(resendCommand(context));
}

function addCommand(context: CommandContext): Command {
  const events = Object.entries(WEBHOOK_EVENTS)
    .map(([type, meaning]) => `  ${type.padEnd(18)} ${meaning}`)
    .join('\n');
  return new Command('add')
    .description(`Add a webhook. An account can have up to ${MAX_WEBHOOKS}.`)
    .requiredOption('--account <email>', 'The account it belongs to.')
    .requiredOption('--url <url>', 'Its https:// URL; those of Discord and Slack get sentences.')
    .addOption(
      new Option('--events <types...>', 'The events that it gets (default: all).').choices(
        WEBHOOK_EVENT_TYPES,
      ),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Events:
${events}

Example:
  cardprice webhook add --account ann@shop.example --url https://shop.example/prices`,
    )
    .action(async ({ account, json, ...options }: AddFlags) => {
      const webhook = await change(context, 'added', async (webhooks, store) => {
        return webhooks.add(await idOf(context, store, account), options);
      });
      if (json) return printJson(newWebhookView(webhook));
      printLine(webhook.secret);
      printLine(`This secret signs the messages to the webhook ${webhook.id}, ${webhook.url}.`);
      printLine('Copy it now. It is shown only once.');
    });
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List the webhooks of an account.')
    .requiredOption('--account <email>', 'The account.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice webhook list --account ann@shop.example')
    .action(async ({ account, json }: { account: string } & JsonFlag) => {
      const list = await withWebhooks(context, async (webhooks, store) => {
        return webhooks.list(await idOf(context, store, account));
      });
      if (json) return printJson(list.map(webhookView));
      printTable(
        ['ID', 'URL', 'EVENTS', 'CREATED', 'DISABLED', 'REASON'],
        list.map(({ id, url, events, createdAt, disabledAt, disabledReason }) => [
          String(id),
          url,
          events.join(', '),
          formatMoment(createdAt),
          formatOptionalMoment(disabledAt) ?? 'no',
          disabledReason ?? '',
        ]),
        'This account has no webhooks.',
      );
    });
}

function rotateCommand(context: CommandContext): Command {
  return webhookById('rotate')
    .description('Replace the secret. The old one signs as well for 24 hours.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice webhook rotate 3')
    .action(async (id: string, { json }: JsonFlag) => {
      const webhook = await change(context, 'rotated', (webhooks) => webhooks.rotate(id));
      if (json) return printJson(newWebhookView(webhook));
      printLine(webhook.secret);
      printLine('Copy it now. It is shown only once. The old secret signs as well for 24 hours.');
    });
}

function changeCommand(
  context: CommandContext,
  name: 'disable' | 'enable' | 'delete',
  description: string,
  done: string,
): Command {
  return webhookById(name)
    .description(description)
    .addHelpText('after', `\nExample:\n  cardprice webhook ${name} 3`)
    .action(async (id: string) => {
      const { url } = await change(context, done.toLowerCase(), (webhooks) => webhooks[name](id));
      printLine(`${done} the webhook ${id}, ${url}.`);
    });
}

function testCommand(context: CommandContext): Command {
  return webhookById('test')
    .description('Send a test event. The running service delivers it within seconds.')
    .addHelpText('after', '\nExample:\n  cardprice webhook test 3')
    .action(async (id: string) => {
      await withWebhooks(context, (webhooks) => webhooks.test(id));
      printLine(`\`cardprice webhook deliveries ${id}\` shows the outcome.`);
    });
}

function deliveriesCommand(context: CommandContext): Command {
  return webhookById('deliveries')
    .description('List the newest events of a webhook, newest first.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice webhook deliveries 3')
    .action(async (id: string, { json }: JsonFlag) => {
      const events = await withWebhooks(context, (webhooks) => webhooks.deliveries(id));
      const rows = events.map(deliveryView);
      if (json) return printJson(rows);
      printTable(
        ['ID', 'TYPE', 'AT', 'STATE', 'ATTEMPTS', 'LAST', 'ANSWER', 'NEXT', 'ERROR'],
        rows.map(({ id, type, at, state, attempts, nextAt, error, log }) => {
          const last = log.at(-1);
          const answer = last ? `${last.status ?? 'none'} in ${last.durationMs} ms` : '';
          const when = [nextAt ?? '', error ?? ''];
          return [id, type, at, state, String(attempts), last?.at ?? '', answer, ...when];
        }),
        'Nothing was sent to this webhook yet.',
      );
    });
}

function resendCommand(context: CommandContext): Command {
  return webhookById('resend')
    .description('Send an event again, with the same id.')
    .argument('<event>', 'The id of the event, as `webhook deliveries` shows it.')
    .addHelpText('after', '\nExample:\n  cardprice webhook resend 3 test_7f0c')
    .action(async (id: string, event: string) => {
      await withWebhooks(context, (webhooks) => webhooks.resend(id, event));
      printLine(`\`cardprice webhook deliveries ${id}\` shows the outcome.`);
    });
}

function webhookById(name: string): Command {
  return new Command(name).argument('<id>', 'The id of the webhook, as `webhook list` shows it.');
}

function withWebhooks<Result>(
  context: CommandContext,
  work: (webhooks: Webhooks, store: Store) => Promise<Result>,
): Promise<Result> {
  const { webhookNetworks } = context.config();
  return context.withStore((store) => {
    return work(new Webhooks(store, context.clock, webhookNetworks), store);
  });
}

/** Returns the id of an account. */
async function idOf({ clock }: CommandContext, store: Store, email: string): Promise<number> {
  return (await new Accounts(store, clock).find(email)).id;
}

/** Changes a webhook, and records the change in the audit log. */
function change<Changed extends Webhook>(
  context: CommandContext,
  what: string,
  work: (webhooks: Webhooks, store: Store) => Promise<Changed>,
): Promise<Changed> {
  return withWebhooks(context, async (webhooks, store) => {
    const webhook = await work(webhooks, store);
    const detail = `webhook ${webhook.id} ${what}`;
    await recordCommand(context, store, 'webhook-changed', { subject: webhook.accountId, detail });
    return webhook;
  });
}
