import { userInfo } from 'node:os';
import { Command, Option } from 'commander';
import { type AuditEntry, AuditLog, COMMAND_LINE } from '../accounts/audit/audit.ts';
import {
  type AuditFilter,
  type AuditRecord,
  auditPages,
  countAudit,
  listAudit,
} from '../accounts/audit/audit-sql.ts';
import { ACTORS, AUDIT_ACTION_NAMES, AUDIT_ACTIONS, type AuditAction } from '../domain/audit.ts';
import { type Day, endOfDay, formatMoment, startOfDay } from '../domain/day.ts';
import type { Store } from '../store/connect.ts';
import type { CommandContext } from './context.ts';
import { countOption, dayOption, type JsonFlag, jsonOption } from './options.ts';
import { formatCount, printError, printJsonPages, printLine, printTable } from './output.ts';

interface AuditFlags extends JsonFlag {
  readonly account?: string;
  readonly action?: string;
  readonly actor?: string;
  readonly from?: Day;
  readonly to?: Day;
  readonly limit?: number;
}

/** Entries printed without `--limit`. */
const LISTED = 100;

/** `cardprice audit`: lists who did what to accounts, keys, prices and settings. */
export function auditCommand(context: CommandContext): Command {
  return new Command('audit')
    .description('List who did what to accounts, keys, prices and settings, newest first.')
    .option('--account <email>', 'Only actions by this account or on it.')
    .addOption(
      new Option('--action <action>', 'Only this action.').choices([...AUDIT_ACTION_NAMES]),
    )
    .addOption(
      new Option('--actor <actor>', 'Only actions by this kind of actor.').choices(
        Object.keys(ACTORS),
      ),
    )
    .addOption(dayOption('--from <day>', 'Only from this day on (UTC, YYYY-MM-DD).'))
    .addOption(dayOption('--to <day>', 'Only until the end of this day.'))
    .addOption(
      countOption('--limit <count>', `List at most this many: ${LISTED}, or all with --json.`),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Entries are kept for CARDPRICE_AUDIT_DAYS days. A deleted account is shown as "deleted account #7".
Actors:
${listOf(ACTORS)}
Actions:
${listOf(AUDIT_ACTIONS)}
Examples:
  cardprice audit
  cardprice audit --account ann@shop.example --from 2026-01-28
  cardprice audit --action sign-in-failed --json`,
    )
    .action((flags: AuditFlags) => {
      return context.withStore((store) => print(store, flags));
    });
}

function listOf(meanings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(meanings).map(
    ([name, meaning]) => `  ${name.padEnd(22)} ${meaning}`,
  );
  return `${lines.join('\n')}\n`;
}

async function print(store: Store, { limit, json, ...flags }: AuditFlags): Promise<void> {
  const { db } = store.accounts;
  const filter = readFilter(flags);
  if (json && limit === undefined) return printJsonPages(jsonPages(auditPages(db, filter)));
  const rows = await listAudit(db, filter, { limit: limit ?? LISTED, offset: 0 });
  if (json) return printJsonPages(jsonPages([rows]));
  printTable(
    ['AT', 'ACTION', 'ACTOR', 'BY', 'FROM', 'SUBJECT', 'DETAIL'],
    rows.map(cellsOf),
    'There are no matching entries in the audit log.',
  );
  const count = await countAudit(db, filter);
  if (count <= rows.length) return;
  printLine(`The newest ${formatCount(rows.length)} of ${formatCount(count)}; see --limit.`);
}

function readFilter({ account, action, actor, from, to }: AuditFlags): AuditFilter {
  return {
    account: account?.toLowerCase(),
    action,
    actor,
    since: from === undefined ? undefined : startOfDay(from),
    until: to === undefined ? undefined : endOfDay(to),
  };
}

function cellsOf(entry: AuditRecord): string[] {
  const { at, action, actor, actorEmail, address, subject, detail } = entry;
  const optional = [actorEmail, address, subject, detail].map((text) => text ?? '');
  return [formatMoment(at), action, actor, ...optional];
}

async function* jsonPages(pages: AsyncIterable<AuditRecord[]> | Iterable<AuditRecord[]>) {
  for await (const rows of pages) yield rows.map(jsonOf);
}

function jsonOf({ at, actorEmail: by, ...entry }: AuditRecord) {
  const { id, action, actor, address, requestId, subject, detail } = entry;
  return { id, at: formatMoment(at), action, actor, by, address, requestId, subject, detail };
}

/**
 * Records the action of a command in the audit log, with the system user who ran it. A failure is
 * only printed; the command still succeeds.
 */
export async function recordCommand(
  { clock }: Pick<CommandContext, 'clock'>,
  store: Store,
  action: AuditAction,
  { subject = null, detail }: AuditEntry = {},
): Promise<void> {
  const by = `user ${systemUser()}`;
  const entry = { subject, detail: detail ? `${detail}; ${by}` : by };
  try {
    await new AuditLog(store, clock).record(action, COMMAND_LINE, entry);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    printError(`The audit log could not be written: ${reason}`);
  }
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container, the user may have no name.
    return String(process.getuid?.() ?? 'unknown');
  }
}
