import { Command, Option } from 'commander';
import { dayOf, formatDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { type Cents, dollarsFromCents } from '../domain/money.ts';
import { VALIDATION_RULES } from '../domain/validation-rules.ts';
import { approveQuarantined } from '../ingest/approve.ts';
import type { Store } from '../store/connect.ts';
import {
  type ListedQuarantineRow,
  listQuarantined,
  type QuarantinedDelisting,
  type QuarantinedObservation,
  type QuarantineFilter,
} from '../store/quarantine.ts';
import { requireGame } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { rejectUndecided } from './decisions.ts';
import { jsonOption } from './options.ts';
import { formatOptionalMoment, printJson, printTable } from './output.ts';
import { rollbackCommand } from './rollback.ts';

interface FilterFlags {
  readonly source?: string;
  readonly game?: string;
  readonly rule?: string;
  readonly json?: boolean;
}

interface ListFlags extends FilterFlags {
  readonly decided?: boolean;
}

interface DecisionFlags extends FilterFlags {
  readonly all?: boolean;
}

/** `cardprice quarantine …`: lists quarantined prices and takes the operator's decisions. */
export function quarantineCommand(context: CommandContext): Command {
  return new Command('quarantine')
    .description('List prices that broke a validation rule and are not served, and decide on them.')
    .addCommand(listCommand(context))
    .addCommand(approveCommand(context))
    .addCommand(rejectCommand(context))
    .addCommand(rollbackCommand(context));
}

function listCommand(context: CommandContext): Command {
  const command = new Command('list')
    .description('List the quarantined prices that wait for your decision, oldest first.')
    .option('--decided', 'List those that you have decided on instead.');
  return withFilters(command)
    .addHelpText(
      'after',
      `
A quarantined price is not served. The service serves what its source reported before, or what
another source reports, or nothing. An import clears what turns out to be right by itself. Rules:
${ruleList()}
Examples:
  cardprice quarantine list
  cardprice quarantine list --source scryfall --rule price-jump`,
    )
    .action(async ({ json, decided, ...flags }: ListFlags) => {
      const filter = { ...readFilter(flags), isDecided: decided ?? false };
      const rows = await context.withStore((store) => listQuarantined(store.db, filter));
      if (json) printJson(rows.map(rowJson));
      else printRows(rows, decided ?? false);
    });
}

function approveCommand(context: CommandContext): Command {
  const command = new Command('approve')
    .description('Approve prices that are right after all: they are served from now on.')
    .argument('[id...]', 'The ids that `quarantine list` shows.')
    .option('--all', 'Approve all of --source; --game and --rule narrow it down.');
  return withFilters(command)
    .addHelpText(
      'after',
      `
A finish, a currency or a shared id that you approve stays approved for that printing and source.
Amounts that no price can be are refused. The command fails while an import is running.

Examples:
  cardprice quarantine approve 17 18
  cardprice quarantine approve --all --source quotes --rule price-jump`,
    )
    .action((ids: string[], flags: DecisionFlags) => approve(context, ids, flags));
}

function rejectCommand(context: CommandContext): Command {
  const command = new Command('reject')
    .description('Reject prices that are wrong: the same price is never served or listed again.')
    .argument('[id...]', 'The ids that `quarantine list` shows.')
    .option('--all', 'Reject all of --source; --game and --rule narrow it down.');
  return withFilters(command)
    .addHelpText(
      'after',
      `
Examples:
  cardprice quarantine reject 17
  cardprice quarantine reject --all --source pricecharting --rule unknown-printing`,
    )
    .action((ids: string[], flags: DecisionFlags) => reject(context, ids, flags));
}

function withFilters(command: Command): Command {
  return command
    .option('--source <name>', 'Only of this source.')
    .option('--game <game>', 'Only of this game.')
    .addOption(
      new Option('--rule <rule>', 'Only of this rule.').choices(Object.keys(VALIDATION_RULES)),
    )
    .addOption(jsonOption());
}

function ruleList(): string {
  const entries = Object.entries(VALIDATION_RULES);
  const lines = entries.map(([rule, meaning]) => `  ${rule.padEnd(18)} ${meaning}`);
  return `${lines.join('\n')}\n`;
}

async function approve(
  { withStore, clock }: CommandContext,
  ids: readonly string[],
  { json, all, ...flags }: DecisionFlags,
): Promise<void> {
  const { accepted: approved, ...rest } = await withStore(async (store) => {
    return approveQuarantined(store, await chosen(store, ids, all ?? false, flags), clock);
  });
  if (json) printJson({ approved, ...rest });
  else console.log(`Approved ${approved}; ${rest.pricesChanged} of them are served now.`);
  if (rest.refused === 0) return;
  process.exitCode = 1;
  console.error(`Refused ${rest.refused}: no price can be what they are.`);
}

async function reject(
  { withStore, clock }: CommandContext,
  ids: readonly string[],
  { json, all, ...flags }: DecisionFlags,
): Promise<void> {
  const rejected = await withStore(async (store) => {
    return rejectUndecided(store, await chosen(store, ids, all ?? false, flags), clock());
  });
  if (json) printJson({ rejected });
  else console.log(`Rejected ${rejected}.`);
}

/**
 * The rows to decide on: those with these ids, or all of a source that wait.
 *
 * @throws OperatorError when the command line names neither, or an id is not quarantined.
 */
async function chosen(
  { db }: Store,
  ids: readonly string[],
  isAll: boolean,
  flags: FilterFlags,
): Promise<ListedQuarantineRow[]> {
  const filter = readFilter(flags);
  if (isAll) {
    if (ids.length > 0) throw new OperatorError('Name ids or say --all, not both.');
    if (!flags.source) throw new OperatorError('--all needs --source: whose prices are meant?');
    return listQuarantined(db, { ...filter, isDecided: false });
  }
  if (ids.length === 0) {
    throw new OperatorError('Name the ids that `quarantine list` shows, or --all --source NAME.');
  }
  const wanted = [...new Set(ids.map(readId))];
  const rows = await listQuarantined(db, { ...filter, ids: wanted });
  const missing = wanted.find((id) => {
    return !rows.some((row) => row.id === id && row.decision !== 'approved');
  });
  if (missing === undefined) return rows;
  throw new OperatorError(`Nothing with the id ${missing} is quarantined. See: quarantine list`);
}

function readId(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OperatorError(`"${text}" is not an id; \`quarantine list\` shows them.`);
}

function readFilter({ source, game, rule }: FilterFlags): QuarantineFilter {
  return { source, game: game === undefined ? undefined : requireGame(game).slug, rule };
}

function printRows(rows: readonly ListedQuarantineRow[], isDecided: boolean): void {
  const cells = rows.map(({ id, source, rule, decision, quarantined_at, detail }) => [
    String(id),
    source,
    decision === null ? rule : `${rule} (${decision})`,
    formatDay(dayOf(quarantined_at)),
    detail,
  ]);
  const nothing = isDecided ? 'You have decided on nothing.' : 'Nothing is quarantined.';
  printTable(['ID', 'SOURCE', 'RULE', 'SINCE', 'DETAIL'], cells, nothing);
}

function rowJson(row: ListedQuarantineRow) {
  return {
    id: row.id,
    source: row.source,
    marketplace: row.marketplace,
    game: row.game,
    set: row.set_name,
    card: row.card,
    name: row.card_name,
    printing: row.printing,
    rule: row.rule,
    detail: row.detail,
    ...observationJson(row),
    externalId: row.external_id,
    observedAt: formatOptionalMoment(row.observed_at),
    quarantinedAt: formatOptionalMoment(row.quarantined_at),
    decision: row.decision,
    decidedAt: formatOptionalMoment(row.decided_at),
  };
}

/**
 * The quarantined amounts in units of their currency; of a mass delisting, how many printings it
 * would have left without a price.
 */
function observationJson({ observation, rule }: ListedQuarantineRow) {
  if (observation === null) return {};
  if (rule === 'mass-delisting')
    return { delisted: (JSON.parse(observation) as QuarantinedDelisting).printings.length };
  const { currency, days, ...amounts } = JSON.parse(observation) as QuarantinedObservation;
  return {
    currency,
    days,
    prices: unitsOf(amounts.prices),
    conditions: unitsOf(amounts.conditions),
    graded: unitsOf(amounts.graded),
  };
}

function unitsOf(amounts: object): Record<string, number | null> {
  const units = Object.entries<Cents | null>({ ...amounts }).map(([name, cents]) => {
    return [name, cents === null ? null : dollarsFromCents(cents)] as const;
  });
  return Object.fromEntries(units);
}
