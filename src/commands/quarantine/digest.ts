import { Command } from 'commander';
import { dollarsFromCents } from '../../domain/money.ts';
import { DIGEST_SIZE, readDigest } from '../../operator/quarantine.ts';
import { groupSentence, type QuarantineDigest } from '../../store/quarantine/groups.ts';
import type { CommandContext } from '../context.ts';
import { countOption, type JsonFlag, jsonOption } from '../options.ts';
import { printJson, printLine } from '../output.ts';
import { mailDigest } from './digest-mail.ts';
import { digestLines } from './digest-text.ts';
import { groupJson } from './list.ts';

interface DigestFlags extends JsonFlag {
  readonly limit: number;
  readonly mail?: boolean;
}

/** `cardprice quarantine digest`: the most important decisions. */
export function digestCommand(context: CommandContext): Command {
  return new Command('digest')
    .description('List the decisions that matter most, by the money at stake and by requests.')
    .addOption(countOption('--limit <count>', 'List at most this many.').default(DIGEST_SIZE))
    .option('--mail', 'Mail it to all operators instead. Nothing is sent if no price waits.')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A decision is about all prices of a set that one rule keeps back from one source. The money at stake is
the difference between the reported and the accepted prices. It counts twice for a card with 9 requests
in the last 30 days, and three times for a card with 99.

A service that syncs by itself mails the digest once a day (CARDPRICE_DIGEST).

Examples:
  cardprice quarantine digest
  cardprice quarantine digest --mail`,
    )
    .action(async ({ limit, json, mail }: DigestFlags) => {
      if (mail) return mailIt(context);
      const digest = await context.withStore((store) => readDigest(store, limit, context.clock()));
      if (json) printJson(digestJson(digest));
      else for (const line of digestLines(digest)) printLine(line);
    });
}

async function mailIt(context: CommandContext): Promise<void> {
  const count = await context.withStore((store) =>
    mailDigest(store, context.config(), context.clock()),
  );
  printLine(`Sent ${count} ${count === 1 ? 'mail' : 'mails'}.`);
}

function digestJson({ first, count, entries }: QuarantineDigest) {
  const data = first.map((group) => ({
    ...groupJson(group),
    stake: dollarsFromCents(group.stake),
    views: group.views,
    sentence: groupSentence(group),
  }));
  return { data, total: count, entries };
}
