import { Command, Option } from 'commander';
import { VALIDATION_RULES } from '../domain/quarantined.ts';
import { approveQuarantined } from '../ingest/decisions/approve.ts';
import { rejectQuarantined, takeBackRejections } from '../ingest/decisions/refresh-disputes.ts';
import type { Store } from '../store/connect.ts';
import { GROUPINGS, type Grouping } from '../store/quarantine/groups.ts';
import { type QuarantineFilter, quarantinePages } from '../store/quarantine/quarantine.ts';
import { recordCommand } from './audit.ts';
import type { CommandContext } from './context.ts';
import { countOption, type JsonFlag, jsonOption } from './options.ts';
import { EXIT, printErrorLine, printJson, printLine } from './output.ts';
import { showProgress } from './progress.ts';
import { decisionsCommand, undoDecisionOf } from './quarantine/decisions.ts';
import { digestCommand } from './quarantine/digest.ts';
import { printEntries, printEntriesJson, printGroups } from './quarantine/list.ts';
import { rollbackCommand } from './quarantine/rollback.ts';
import {
  confirm,
  type Decidable,
  type FilterFlags,
  readFilter,
  type Selection,
  selectEntries,
  withFilters,
} from './quarantine/selection.ts';

interface ListFlags extends FilterFlags, JsonFlag {
  readonly decided?: boolean;
  readonly by?: Grouping;
  readonly limit?: number;
  readonly after?: number;
}

interface DecisionFlags extends FilterFlags, JsonFlag {
  readonly all?: boolean;
  readonly yes?: boolean;
}

interface UndoFlags extends DecisionFlags {
  readonly decision?: string;
}

/** `cardprice quarantine …`: lists quarantined prices and takes decisions on them. */
export function quarantineCommand(context: CommandContext): Command {
  return new Command('quarantine')
    .description('List prices that broke a validation rule and are not served, and decide on them.')
    .addCommand(listCommand(context))
    .addCommand(digestCommand(context))
    .addCommand(approveCommand(context))
    .addCommand(rejectCommand(context))
    .addCommand(undoCommand(context))
    .addCommand(decisionsCommand(context))
    .addCommand(rollbackCommand(context));
}

function listCommand(context: CommandContext): Command {
  const command = new Command('list')
    .description('List the quarantined prices that wait for your decision, oldest first.')
    .option('--decided', 'List decided entries instead.')
    .addOption(
      new Option('--by <what>', 'List groups, with their most striking entries.').choices(
        GROUPINGS,
      ),
    )
    .addOption(
      countOption(
        '--limit <count>',
        'List at most this many; 100 entries or 20 groups by default.',
      ),
    )
    .addOption(countOption('--after <id>', 'List the entries after this one.'));
  return withFilters(command)
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A quarantined price is not served. Until you decide, an earlier price of its source, a price of
another source, or none is served. A later import clears entries that turn out to be right, and closes
the others on the day under CLOSES. --json prints all entries unless --limit is given, and what would
settle each of them. Rules:
${ruleList()}
Examples:
  cardprice quarantine list
  cardprice quarantine list --by set
  cardprice quarantine list --source scryfall --rule price-jump`,
    )
    .action(({ json, ...flags }: ListFlags) => list(context, flags, json ?? false));
}

const GROUP_HELP = `
Without ids, the command decides on all waiting entries that the filters select. On a terminal it
shows how many there are and asks first. Elsewhere it needs --yes for more than 1,000.`;

function approveCommand(context: CommandContext): Command {
  const command = new Command('approve')
    .description('Approve prices that are right: they are served from now on.')
    .argument('[id...]', 'The ids that `quarantine list` shows.');
  return withDecision(command)
    .addHelpText(
      'after',
      `${GROUP_HELP}

An approved finish, currency or shared id stays approved for that printing and source. Impossible
prices are refused. The command fails while an import is running.

Examples:
  cardprice quarantine approve 17 18
  cardprice quarantine approve --set "Base Set"
  cardprice quarantine approve --all --source quotes --rule price-jump`,
    )
    .action((ids: string[], flags: DecisionFlags) => approve(context, ids, flags));
}

function rejectCommand(context: CommandContext): Command {
  const command = new Command('reject')
    .description('Reject prices that are wrong: the same price is never served or listed again.')
    .argument('[id...]', 'The ids that `quarantine list` shows.');
  return withDecision(command)
    .addHelpText(
      'after',
      `${GROUP_HELP}

Examples:
  cardprice quarantine reject 17
  cardprice quarantine reject --source scryfall --from 2026-01-27
  cardprice quarantine reject --all --source pricecharting --rule unknown-printing`,
    )
    .action((ids: string[], flags: DecisionFlags) => reject(context, ids, flags));
}

function undoCommand(context: CommandContext): Command {
  const command = new Command('undo')
    .description('Undo rejections, or a whole decision: the prices wait for your decision again.')
    .argument('[id...]', 'The ids that `quarantine list --decided` shows.')
    .option('--decision <moment>', 'Undo this decision, as `quarantine decisions` lists it.');
  return withDecision(command)
    .addHelpText(
      'after',
      `${GROUP_HELP.replace('waiting', 'rejected')}

Undoing an approval with --decision restores the earlier prices, except where the source has
reported the approved price since. Printings that the approval added stay.

Examples:
  cardprice quarantine undo 17
  cardprice quarantine undo --set "Base Set"
  cardprice quarantine undo --decision 2026-01-28T20:05:12.345Z`,
    )
    .action((ids: string[], { decision, ...flags }: UndoFlags) => {
      if (decision === undefined) return undo(context, ids, flags);
      return undoDecisionOf(context, decision, flags.json ?? false);
    });
}

function withDecision(command: Command): Command {
  command.option('--all', 'Everything that the filters select.');
  return withFilters(command).option('--yes', 'Do not ask.').addOption(jsonOption());
}

function ruleList(): string {
  const entries = Object.entries(VALIDATION_RULES);
  const lines = entries.map(([rule, meaning]) => `  ${rule.padEnd(18)} ${meaning}`);
  return `${lines.join('\n')}\n`;
}

async function list(
  { withStore }: CommandContext,
  { decided, by, limit, after, ...flags }: ListFlags,
  isJson: boolean,
): Promise<void> {
  await withStore(async (store) => {
    const filter: QuarantineFilter = {
      ...(await readFilter(store, flags)),
      isDecided: decided ?? false,
      limit,
      above: after,
    };
    if (by) await printGroups(store, by, filter, isJson);
    else if (isJson) await printEntriesJson(store, filter);
    else await printEntries(store, filter);
  });
}

const WAITING: Decidable = { isDecided: false };

async function approve(
  context: CommandContext,
  ids: readonly string[],
  flags: DecisionFlags,
): Promise<void> {
  const {
    accepted: approved,
    decidedAt: _,
    ...rest
  } = await context.withStore(async (store) => {
    const selection = await confirmed('Approve', store, ids, flags, WAITING);
    const done = await approveSelected(store, selection, context.clock);
    await recordDecision(context, store, `approved ${done.accepted}`, ids, flags);
    return done;
  });
  if (flags.json) printJson({ approved, ...rest });
  else printLine(`Approved ${approved}; ${rest.pricesChanged} of them are served now.`);
  if (rest.refused === 0) return;
  process.exitCode = EXIT.failure;
  printErrorLine(`Refused ${rest.refused}: these prices are impossible.`);
}

async function approveSelected(
  store: Store,
  { filter, count }: Selection,
  clock: CommandContext['clock'],
): ReturnType<typeof approveQuarantined> {
  const progress = showProgress('prices');
  async function* pages() {
    let done = 0;
    for await (const page of quarantinePages(store.db, filter)) {
      yield page;
      done += page.length;
      progress.update(done, count);
    }
  }
  return approveQuarantined(store, pages(), clock).finally(() => progress.end());
}

async function reject(
  context: CommandContext,
  ids: readonly string[],
  flags: DecisionFlags,
): Promise<void> {
  const rejected = await context.withStore(async (store) => {
    const { filter } = await confirmed('Reject', store, ids, flags, WAITING);
    const count = await rejectQuarantined(store, filter, context.clock);
    await recordDecision(context, store, `rejected ${count}`, ids, flags);
    return count;
  });
  if (flags.json) printJson({ rejected });
  else printLine(`Rejected ${rejected}.`);
}

async function undo(
  context: CommandContext,
  ids: readonly string[],
  flags: DecisionFlags,
): Promise<void> {
  const undone = await context.withStore(async (store) => {
    const decidable: Decidable = { isUndoable: true };
    const { filter } = await confirmed('Undo', store, ids, flags, decidable);
    const count = await takeBackRejections(store, filter, context.clock);
    await recordDecision(context, store, `took back ${count} rejections`, ids, flags);
    return count;
  });
  if (flags.json) printJson({ undone });
  else printLine(`Undone ${undone}: they wait for your decision again.`);
}

/** Records a decision with its ids or filters. */
function recordDecision(
  context: CommandContext,
  store: Store,
  done: string,
  ids: readonly string[],
  { json: _, yes: __, ...flags }: DecisionFlags,
): Promise<void> {
  const filters = Object.entries(flags).map(([name, value]) => `${name} ${value}`);
  const meant = ids.length > 0 ? `ids ${ids.join(', ')}` : filters.join(', ');
  const detail = `${done}: ${meant}`;
  return recordCommand(context, store, 'quarantine-decided', { subject: 'quarantine', detail });
}

/** Returns the selected entries once the operator has confirmed the decision. */
async function confirmed(
  verb: string,
  store: Store,
  ids: readonly string[],
  { json: _, yes, ...flags }: DecisionFlags,
  decidable: Decidable,
): Promise<Selection> {
  const selection = await selectEntries(store, ids, flags, decidable);
  await confirm(verb, selection, yes ?? false);
  return selection;
}
