import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import { MS_PER_DAY, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { VALIDATION_RULES } from '../../domain/quarantined.ts';
import type { StoredSet } from '../../store/catalogue/records.ts';
import type { Store } from '../../store/connect.ts';
import {
  countMatching,
  listQuarantined,
  type Matching,
  type QuarantineFilter,
} from '../../store/quarantine/quarantine.ts';
import { requireDay, requireGame, requireSets, requireSource } from '../options.ts';
import { formatCount } from '../output.ts';

/** Selects the quarantined entries that a command line means. */

export interface FilterFlags {
  readonly source?: string;
  readonly game?: string;
  readonly rule?: string;
  readonly set?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Entries selected by id, or by filters. */
export interface Selection extends Matching {
  readonly filter: QuarantineFilter;
  readonly areNamed: boolean;
}

/** Adds the flags that filter entries. */
export function withFilters(command: Command): Command {
  return command
    .option('--source <name>', 'Only prices of this source.')
    .option('--game <game>', 'Only prices of this game.')
    .addOption(
      new Option('--rule <rule>', 'Only prices that broke this rule.').choices(
        Object.keys(VALIDATION_RULES),
      ),
    )
    .option('--set <set>', 'Only prices of this set, by its setId, code or name.')
    .option('--from <day>', 'Only prices quarantined on this day (UTC) or later.')
    .option('--to <day>', 'Only prices quarantined on this day (UTC) or earlier.');
}

/**
 * Reads the filter of the flags. A code that several sets share selects all of them.
 *
 * @throws OperatorError if a flag names something unknown.
 */
export async function readFilter(store: Store, flags: FilterFlags): Promise<QuarantineFilter> {
  const game = flags.game === undefined ? undefined : requireGame(flags.game).slug;
  const sets = flags.set === undefined ? undefined : await requireSets(store, flags.set, game);
  return {
    source: flags.source === undefined ? undefined : requireSource(flags.source),
    rule: flags.rule,
    game,
    sets: sets?.map(({ rowId }) => rowId),
    ...daysOf(flags),
  };
}

function daysOf({ from, to }: FilterFlags): Pick<QuarantineFilter, 'since' | 'until'> {
  return {
    since: from === undefined ? undefined : startOfDay(requireDay('--from', from)),
    until: to === undefined ? undefined : startOfDay(requireDay('--to', to)) + MS_PER_DAY,
  };
}

/** The entries open to a decision: waiting ones, or ones whose decision can be undone. */
export type Decidable = Pick<QuarantineFilter, 'isDecided' | 'isUndoable'>;

/**
 * Selects what to decide on: the entries with these ids, or all that the flags select. Entries that
 * are quarantined later are not selected.
 *
 * @throws OperatorError if the command line names neither, or an entry that is not open to a
 * decision.
 */
export async function selectEntries(
  store: Store,
  ids: readonly string[],
  { all = false, ...flags }: FilterFlags & { readonly all?: boolean },
  decidable: Decidable,
): Promise<Selection> {
  const isFiltered = Object.values(flags).some((flag) => flag !== undefined);
  if (ids.length > 0) {
    if (all) throw new OperatorError('Name ids or --all, not both.');
    return selectNamed(store, ids, flags, decidable);
  }
  if (!isFiltered) throw new OperatorError(all ? ALL_NEEDS : NAME_SOME);
  const filter = { ...(await readFilter(store, flags)), ...decidable };
  if (flags.set !== undefined) await requireOneSet(store, flags.set, filter);
  const matching = await countMatching(store.db, filter);
  return { ...matching, filter: { ...filter, upTo: matching.lastId }, areNamed: false };
}

const NAME_SOME =
  'Name ids from `quarantine list`, or use --all with --source, --set, --game, --rule, ' +
  '--from or --to.';
const ALL_NEEDS = '--all needs --source, --set or another filter.';

/** @throws OperatorError if an id is not quarantined, or not open to the decision. */
async function selectNamed(
  store: Store,
  ids: readonly string[],
  flags: FilterFlags,
  { isUndoable }: Decidable,
): Promise<Selection> {
  const wanted = [...new Set(ids.map(readId))];
  const filter = { ...(await readFilter(store, flags)), ids: wanted, isUndoable };
  const rows = await listQuarantined(store.db, filter);
  const missing = wanted.find((id) => {
    return !rows.some((row) => row.id === id && row.decision !== 'approved');
  });
  if (missing !== undefined) {
    const state = isUndoable ? 'rejected' : 'quarantined';
    throw new OperatorError(
      `Nothing with the id ${missing} is ${state}. See \`cardprice quarantine list\`.`,
    );
  }
  return { ...(await countMatching(store.db, filter)), filter, areNamed: true };
}

function readId(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OperatorError(`"${text}" is not an id. See \`cardprice quarantine list\`.`);
}

/** @throws OperatorError if several sets match the name. */
async function requireOneSet(store: Store, name: string, filter: QuarantineFilter): Promise<void> {
  if ((filter.sets?.length ?? 0) < 2) return;
  const names = (await requireSets(store, name, filter.game)).map(describeSet);
  throw new OperatorError(
    `"${name}" means ${names.length} sets; name one of them: ${names.join(', ')}.`,
  );
}

function describeSet({ id, name }: StoredSet): string {
  return `"${name}" (${id})`;
}

/** Without a terminal, decisions on more entries than this need --yes. */
const MOST_UNASKED = 1000;

/**
 * Asks on a terminal to confirm a decision on entries that were not named by id.
 *
 * @param verb The decision, such as `Approve`.
 * @throws OperatorError if the answer is no, or if there is no terminal and there are many entries.
 */
export async function confirm(
  verb: string,
  { count, rules, areNamed }: Selection,
  isConfirmed: boolean,
): Promise<void> {
  if (isConfirmed || areNamed || count === 0) return;
  const entries = count === 1 ? 'entry' : 'entries';
  const byRule = rules.map(([rule, number]) => `${rule} ${formatCount(number)}`).join(', ');
  const what = `${verb} ${formatCount(count)} ${entries} (${byRule})`;
  if (process.stdin.isTTY && process.stderr.isTTY) {
    if (await ask(`${what}? [y/N] `)) return;
    throw new OperatorError('Nothing was decided.');
  }
  if (count <= MOST_UNASKED) return;
  throw new OperatorError(
    `${what}? Add --yes to decide on more than ${formatCount(MOST_UNASKED)}.`,
  );
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
