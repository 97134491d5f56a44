import { Command, Option } from 'commander';
import { dayOf, formatDay } from '../domain/day.ts';
import { OperatorError } from '../domain/errors.ts';
import { type Cents, dollarsFromCents } from '../domain/money.ts';
import { VALIDATION_RULES } from '../domain/validation-rules.ts';
import { acceptHolds } from '../ingest/approve.ts';
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

interface FilterFlags {
  readonly source?: string;
  readonly game?: string;
  readonly reason?: string;
  readonly json?: boolean;
}

interface ListFlags extends FilterFlags {
  readonly decided?: boolean;
}

interface DecisionFlags extends FilterFlags {
  readonly all?: boolean;
}

/** `cardprice quarantine …`: what was held back, and what the operator says of it. */
export function quarantineCommand(context: CommandContext): Command {
  return new Command('quarantine')
    .description('See prices that were held back because they cannot be right, and decide on them.')
    .addCommand(listCommand(context))
    .addCommand(acceptCommand(context))
    .addCommand(rejectCommand(context));
}

function listCommand(context: CommandContext): Command {
  const command = new Command('list')
    .description('List what is held back and waits for you, oldest first.')
    .option('--decided', 'What you have decided on instead.');
  return withFilters(command)
    .addHelpText(
      'after',
      `
What is held back is not served: what its source said before is, or what another source says, or
nothing. What turns out to be right by itself is struck off at the next import. Reasons:
${reasonList()}
Examples:
  cardprice quarantine list
  cardprice quarantine list --source scryfall --reason jump`,
    )
    .action(async ({ json, decided, ...flags }: ListFlags) => {
      const filter = { ...readFilter(flags), isDecided: decided ?? false };
      const held = await context.withStore((store) => listQuarantined(store.db, filter));
      if (json) printJson(held.map(holdJson));
      else printHolds(held, decided ?? false);
    });
}

function acceptCommand(context: CommandContext): Command {
  const command = new Command('accept')
    .description('Let through what is right after all: it becomes what its source says.')
    .argument('[id...]', 'What to let through, as `quarantine list` shows it.')
    .option('--all', 'All that is held back of --source; --game and --reason narrow it down.');
  return withFilters(command)
    .addHelpText(
      'after',
      `
A finish, a currency or a shared id that you let through stays so for that printing and source.
Amounts that no price can be are refused. Waits for no import: it fails while one is running.

Examples:
  cardprice quarantine accept 17 18
  cardprice quarantine accept --all --source quotes --reason jump`,
    )
    .action((ids: string[], flags: DecisionFlags) => accept(context, ids, flags));
}

function rejectCommand(context: CommandContext): Command {
  const command = new Command('reject')
    .description('Keep back for good what is wrong: the same is not listed again.')
    .argument('[id...]', 'What to keep back, as `quarantine list` shows it.')
    .option('--all', 'All that is held back of --source; --game and --reason narrow it down.');
  return withFilters(command)
    .addHelpText(
      'after',
      `
Examples:
  cardprice quarantine reject 17
  cardprice quarantine reject --all --source pricecharting --reason unknown-printing`,
    )
    .action((ids: string[], flags: DecisionFlags) => reject(context, ids, flags));
}

function withFilters(command: Command): Command {
  return command
    .option('--source <name>', 'Only of this source.')
    .option('--game <game>', 'Only of this game.')
    .addOption(
      new Option('--reason <reason>', 'Only for this reason.').choices(
        Object.keys(VALIDATION_RULES),
      ),
    )
    .addOption(jsonOption());
}

function reasonList(): string {
  const entries = Object.entries(VALIDATION_RULES);
  const lines = entries.map(([reason, meaning]) => `  ${reason.padEnd(18)} ${meaning}`);
  return `${lines.join('\n')}\n`;
}

async function accept(
  { withStore, clock }: CommandContext,
  ids: readonly string[],
  { json, all, ...flags }: DecisionFlags,
): Promise<void> {
  const done = await withStore(async (store) => {
    const held = await chosen(store, ids, all ?? false, flags);
    return acceptHolds(store, held, clock);
  });
  if (json) printJson(done);
  else console.log(`Let through ${done.accepted}; ${done.pricesChanged} of them are served now.`);
  if (done.refused === 0) return;
  process.exitCode = 1;
  console.error(`Kept back ${done.refused}: no price can be what they say.`);
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
  else console.log(`Kept back ${rejected} for good.`);
}

/**
 * What a command is to decide on: all that waits of a source, or what has these ids.
 *
 * @throws OperatorError when neither is told, or something is not there.
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
  const held = await listQuarantined(db, { ...filter, ids: wanted });
  const missing = wanted.find((id) => {
    return !held.some((row) => row.id === id && row.decision !== 'accepted');
  });
  if (missing === undefined) return held;
  throw new OperatorError(`Nothing with the id ${missing} is held back. See: quarantine list`);
}

function readId(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OperatorError(`"${text}" is not an id; \`quarantine list\` shows them.`);
}

function readFilter({ source, game, reason }: FilterFlags): QuarantineFilter {
  return { source, game: game === undefined ? undefined : requireGame(game).slug, reason };
}

function printHolds(held: readonly ListedQuarantineRow[], isDecided: boolean): void {
  const rows = held.map(({ id, source, reason, decision, held_at, detail }) => [
    String(id),
    source,
    decision === null ? reason : `${reason} (${decision})`,
    formatDay(dayOf(held_at)),
    detail,
  ]);
  const nothing = isDecided ? 'You have decided on nothing.' : 'Nothing is held back.';
  printTable(['ID', 'SOURCE', 'REASON', 'SINCE', 'WHAT'], rows, nothing);
}

function holdJson(row: ListedQuarantineRow) {
  return {
    id: row.id,
    source: row.source,
    market: row.origin,
    game: row.game,
    set: row.set_name,
    card: row.card,
    name: row.card_name,
    printing: row.printing,
    reason: row.reason,
    detail: row.detail,
    ...heldJson(row),
    sourceKey: row.source_key,
    observedAt: formatOptionalMoment(row.observed_at),
    heldAt: formatOptionalMoment(row.held_at),
    decision: row.decision,
    decidedAt: formatOptionalMoment(row.decided_at),
  };
}

/** What is held back: a quote, in units of its currency, or how many lost prices are kept. */
function heldJson({ quote, reason }: ListedQuarantineRow) {
  if (quote === null) return {};
  if (reason === 'lost-prices')
    return { lost: (JSON.parse(quote) as QuarantinedDelisting).printings.length };
  const { currency, prices, conditions, graded, days } = JSON.parse(
    quote,
  ) as QuarantinedObservation;
  const [served, worn, slabs] = [prices, conditions, graded].map(unitsOf);
  return { currency, days, prices: served, conditions: worn, graded: slabs };
}

function unitsOf(amounts: object): Record<string, number | null> {
  const units = Object.entries<Cents | null>({ ...amounts }).map(([name, cents]) => {
    return [name, cents === null ? null : dollarsFromCents(cents)] as const;
  });
  return Object.fromEntries(units);
}
