import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { billingTarget } from '../accounts/billing/billing.ts';
import { listWaiting, type WaitingEvent } from '../accounts/billing/events.ts';
import { reasonOf, WebhookSender } from '../accounts/webhooks/sender.ts';
import { OperatorError } from '../domain/errors.ts';
import { eventPayload } from '../domain/webhooks.ts';
import type { CommandContext } from './context.ts';
import { type JsonFlag, jsonOption } from './options.ts';
import { printJson, printLine, printTable } from './output.ts';

/** `cardprice billing …`: tests the billing webhook, and lists events that were not delivered. */
export function billingCommand(context: CommandContext): Command {
  return new Command('billing')
    .description('Test the billing webhook and list undelivered events.')
    .addHelpText('after', '\nExample:\n  cardprice billing test')
    .addCommand(testCommand(context))
    .addCommand(listCommand(context));
}

function testCommand(context: CommandContext): Command {
  return new Command('test')
    .description('Send a test event to CARDPRICE_BILLING_WEBHOOK and show the response.')
    .addHelpText('after', '\nExample:\n  cardprice billing test')
    .action(() => sendTest(context));
}

/** @throws OperatorError if there is no webhook, or if it does not accept the event. */
async function sendTest({ clock, config }: CommandContext): Promise<void> {
  const target = billingTarget(config());
  if (!target) {
    throw new OperatorError('There is no webhook: set CARDPRICE_BILLING_WEBHOOK and its secret.');
  }
  const now = clock();
  const event = { id: `test_${randomUUID()}`, body: eventPayload('test', now, {}) };
  const sender = new WebhookSender();
  const sending = sender.send(target, event, now).catch((error: unknown) => {
    throw new OperatorError(`The event was not sent: ${reasonOf(error)}.`, { cause: error });
  });
  const answer = await sending.finally(() => sender.close());
  const { status, body } = answer;
  if (status < 200 || status > 299) {
    throw new OperatorError(`The webhook did not accept the event. It answered ${status}: ${body}`);
  }
  printLine(`The webhook accepted the event ${event.id}: ${status}${body && `, ${body}`}`);
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List events that wait to be sent or were given up, oldest first.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice billing list')
    .action(async ({ json }: JsonFlag) => {
      const events = await context.withStore(listWaiting);
      if (json) printJson(events);
      else printEvents(events);
    });
}

function printEvents(events: readonly WaitingEvent[]): void {
  printTable(
    ['ID', 'TYPE', 'AT', 'ATTEMPTS', 'NEXT', 'ERROR'],
    events.map(({ id, type, at, attempts, nextAt, error }) => {
      return [id, type, at, String(attempts), nextAt ?? 'given up', error ?? ''];
    }),
    'Every event was delivered.',
  );
}
