import { type Command, Option } from 'commander';
import { MS_PER_DAY, startOfDay } from '../../domain/day.ts';
import { OperatorError } from '../../domain/errors.ts';
import { VALIDATION_RULES } from '../../domain/validation-rules.ts';
import type { SetRow } from '../../store/catalogue/schema.ts';
import type { Store } from '../../store/connect.ts';
import {
  countMatching,
  listQuarantined,
  type Matching,
  type QuarantineFilter,
} from '../../store/quarantine/quarantine.ts';
import { requireDay, requireGame, requireSource } from '../arguments.ts';
import { requireSets } from '../sets.ts';

/** Which entries of the quarantine a command line means. */

export interface FilterFlags {
  readonly source?: string;
  readonly game?: string;
  readonly rule?: string;
  readonly set?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Entries that were chosen one by one, or by what they have in common. */
export interface Selection extends Matching {
  readonly filter: QuarantineFilter;
  readonly areNamed: boolean;
}

/** Adds the flags that restrict which entries are meant. */
export function withFilters(command: Command): Command {
  return command
    .option('--source <name>', 'Only of this source.')
    .option('--game <game>', 'Only of this game.')
    .addOption(
      new Option('--rule <rule>', 'Only of this rule.').choices(Object.keys(VALIDATION_RULES)),
    )
    .option('--set <set>', 'Only of this set, by its setId, code or name.')
    .option('--since <day>', 'Only what was quarantined on this day (UTC) or later.')
    .option('--until <day>', 'Only what was quarantined on this day (UTC) or before.');
}

/**
 * Returns the entries that flags mean. A code that several sets share means all of them.
 *
 * @throws OperatorError when a flag names nothing that there is.
 */
export async function readFilter(store: Store, flags: FilterFlags): Promise<QuarantineFilter> {
  const game = flags.game === undefined ? undefined : requireGame(flags.game).slug;
  const sets = flags.set === undefined ? undefined : await requireSets(store, flags.set, game);
  return {
    source: flags.source === undefined ? undefined : requireSource(flags.source),
    rule: flags.rule,
    game,
    sets: sets?.map(({ id }) => id),
    ...daysOf(flags),
  };
}

function daysOf({ since, until }: FilterFlags): Pick<QuarantineFilter, 'since' | 'until'> {
  const [from, to] = [
    since === undefined ? undefined : requireDay('--since', since),
    until === undefined ? undefined : requireDay('--until', until),
  ];
  return {
    since: from === undefined ? undefined : startOfDay(from),
    until: to === undefined ? undefined : startOfDay(to) + MS_PER_DAY,
  };
}

/** What a decision can be taken on: what waits for one, or what was rejected. */
export type Decidable = Pick<QuarantineFilter, 'isDecided' | 'decision'>;

/**
 * Returns what to decide on: the entries with these ids, or all that the flags mean. What is
 * quarantined after they were counted is not meant.
 *
 * @throws OperatorError when the command line names neither, or what cannot be decided on.
 */
export async function selectEntries(
  store: Store,
  ids: readonly string[],
  { all = false, ...flags }: FilterFlags & { readonly all?: boolean },
  decidable: Decidable,
): Promise<Selection> {
  const isFiltered = Object.values(flags).some((flag) => flag !== undefined);
  if (ids.length > 0) {
    if (all) throw new OperatorError('Name ids or say --all, not both.');
    return selectNamed(store, ids, flags, decidable);
  }
  if (!isFiltered) throw new OperatorError(all ? ALL_NEEDS : NAME_SOME);
  const filter = { ...(await readFilter(store, flags)), ...decidable };
  if (flags.set !== undefined) await requireOneSet(store, flags.set, filter);
  const matching = await countMatching(store.db, filter);
  return { ...matching, filter: { ...filter, upTo: matching.lastId }, areNamed: false };
}

const NAME_SOME =
  'Name the ids that `quarantine list` shows, or --all --source NAME. --set, --game, --rule, ' +
  '--since and --until choose, too.';
const ALL_NEEDS = '--all needs --source, --set or another filter: whose prices are meant?';

/** @throws OperatorError when an id is not quarantined, or there is nothing to decide on it. */
async function selectNamed(
  store: Store,
  ids: readonly string[],
  flags: FilterFlags,
  { decision }: Decidable,
): Promise<Selection> {
  const wanted = [...new Set(ids.map(readId))];
  const filter = { ...(await readFilter(store, flags)), ids: wanted, decision };
  const rows = await listQuarantined(store.db, filter);
  const missing = wanted.find((id) => {
    return !rows.some((row) => row.id === id && row.decision !== 'approved');
  });
  if (missing !== undefined) {
    const state = decision ?? 'quarantined';
    throw new OperatorError(`Nothing with the id ${missing} is ${state}. See: quarantine list`);
  }
  return { ...(await countMatching(store.db, filter)), filter, areNamed: true };
}

function readId(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OperatorError(`"${text}" is not an id; \`quarantine list\` shows them.`);
}

/** @throws OperatorError when a set is named by what several sets have. */
async function requireOneSet(store: Store, name: string, filter: QuarantineFilter): Promise<void> {
  if ((filter.sets?.length ?? 0) < 2) return;
  const names = (await requireSets(store, name, filter.game)).map(describeSet);
  throw new OperatorError(
    `"${name}" means ${names.length} sets; name one of them: ${names.join(', ')}.`,
  );
}

function describeSet({ name, public_set_id }: SetRow): string {
  return `"${name}" (${public_set_id})`;
}
