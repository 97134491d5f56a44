import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { billingTarget, reasonOf, sendWebhook } from '../accounts/billing/webhook.ts';
import { billingPayload } from '../domain/billing.ts';
import { formatMoment } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import type { BillingEventRow } from '../store/account-schema.ts';
import { listBillingEvents } from '../store/billing.ts';
import type { CommandContext } from './context.ts';
import { jsonOption } from './options.ts';
import { formatOptionalMoment, printJson, printLine, printTable } from './output.ts';

/** How many events are listed. */
const LISTED = 1000;

/** `cardprice billing …`: what the operator's billing system is told. */
export function billingCommand(context: CommandContext): Command {
  return new Command('billing')
    .description('Try the webhook for billing, and list what it has not got.')
    .addHelpText('after', '\nExample:\n  cardprice billing test')
    .addCommand(testCommand(context))
    .addCommand(listCommand(context));
}

function testCommand(context: CommandContext): Command {
  return new Command('test')
    .description('Send a test event to CARDPRICE_BILLING_WEBHOOK, and show what came back.')
    .addHelpText('after', '\nExample:\n  cardprice billing test')
    .action(() => sendTest(context));
}

/** @throws OperatorError when there is no webhook, or it does not take the event. */
async function sendTest({ clock, config }: CommandContext): Promise<void> {
  const target = billingTarget(config());
  if (!target) {
    throw new OperatorError('There is no webhook: set CARDPRICE_BILLING_WEBHOOK and its secret.');
  }
  const now = clock();
  const event = { id: `test_${randomUUID()}`, payload: billingPayload('test', now, {}) };
  const answer = await sendWebhook(target, event, now).catch((error: unknown) => {
    throw new OperatorError(`The event was not sent: ${reasonOf(error)}.`, { cause: error });
  });
  const { status, body } = answer;
  if (status < 200 || status > 299) {
    throw new OperatorError(`The webhook answered ${status}, so it did not take it: ${body}`);
  }
  printLine(`The webhook took the event ${event.id}: ${status}${body && `, ${body}`}`);
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('List the events that wait to be sent or were given up, the oldest first.')
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  cardprice billing list')
    .action(async ({ json }: { json?: boolean }) => {
      const rows = await context.withStore(({ accounts }) =>
        listBillingEvents(accounts.db, LISTED),
      );
      if (json) printJson(rows.map(jsonOf));
      else printEvents(rows);
    });
}

function printEvents(rows: readonly BillingEventRow[]): void {
  printTable(
    ['ID', 'TYPE', 'AT', 'ATTEMPTS', 'NEXT', 'ERROR'],
    rows.map(({ id, type, created_at, attempts, next_at, error }) => {
      const next = next_at === null ? 'given up' : formatMoment(next_at);
      return [id, type, formatMoment(created_at), String(attempts), next, error ?? ''];
    }),
    'Nothing waits: every event was sent.',
  );
}

function jsonOf({ id, type, payload, created_at, attempts, ...row }: BillingEventRow) {
  return {
    ...{ id, type, attempts, error: row.error },
    at: formatMoment(created_at),
    nextAt: formatOptionalMoment(row.next_at),
    givenUpAt: formatOptionalMoment(row.failed_at),
    payload: JSON.parse(payload) as unknown,
  };
}
