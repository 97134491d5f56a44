import { Command } from 'commander';
import { dollarsFromCents } from '../../domain/money.ts';
import { DIGEST_SIZE } from '../../operator/quarantine.ts';
import {
  groupSentence,
  type QuarantineDigest,
  type QuarantineGroup,
  quarantineDigest,
} from '../../store/quarantine/groups.ts';
import type { CommandContext } from '../context.ts';
import { countOption, type JsonFlag, jsonOption } from '../options.ts';
import { formatCount, printJson, printLine } from '../output.ts';
import { exampleText, groupJson } from './list.ts';

interface DigestFlags extends JsonFlag {
  readonly limit: number;
}

/** `cardprice quarantine digest`: the decisions that matter most. */
export function digestCommand(context: CommandContext): Command {
  return new Command('digest')
    .description('List the decisions that matter most, by the money at stake.')
    .addOption(countOption('--limit <count>', 'List at most this many.').default(DIGEST_SIZE))
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A decision is about all prices of a set that one rule keeps back from one source. The money at stake is
the difference between the reported and the accepted prices.

Example:
  cardprice quarantine digest`,
    )
    .action(async ({ limit, json }: DigestFlags) => {
      const digest = await context.withStore((store) => quarantineDigest(store, limit));
      if (json) printJson(digestJson(digest));
      else for (const line of digestLines(digest)) printLine(line);
    });
}

function digestJson({ first, count, entries }: QuarantineDigest) {
  const data = first.map((group) => ({
    ...groupJson(group),
    stake: dollarsFromCents(group.stake),
    sentence: groupSentence(group),
  }));
  return { data, total: count, entries };
}

/** The lines of a digest, for a terminal or a mail. */
export function digestLines({ first, count, entries }: QuarantineDigest): string[] {
  if (count === 0) return ['Nothing waits for your decision.'];
  const head = `${formatCount(entries)} prices wait for ${formatCount(count)} decisions.`;
  const shown = first.length < count ? ` These ${first.length} matter most:` : '';
  return [`${head}${shown}`, ...first.flatMap(groupLines)];
}

function groupLines(group: QuarantineGroup, index: number): string[] {
  const examples = group.examples.map((example) => `     ${exampleText(example)}`);
  return ['', `${String(index + 1).padStart(2)}. ${groupSentence(group)}`, ...examples];
}
