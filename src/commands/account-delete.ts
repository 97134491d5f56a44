import { Command } from 'commander';
import type { Deletion } from '../accounts/account-deletion-sql.ts';
import { Accounts } from '../accounts/accounts.ts';
import { deletedName } from '../accounts/audit/audit-sql.ts';
import { AccountKeys } from '../accounts/keys/account-keys.ts';
import { OperatorError } from '../domain/errors.ts';
import type { Store } from '../store/connect.ts';
import { recordCommand } from './audit-entry.ts';
import type { CommandContext } from './context.ts';
import { formatCount, printLine } from './output.ts';

/** `cardprice account delete`: for good, and with a word on what is kept. */
export function deleteCommand(context: CommandContext): Command {
  return new Command('delete')
    .description('Delete an account with its keys, its sessions and all that was counted of it.')
    .argument('<email>', 'The account.')
    .option('--yes', 'Do it: nothing brings them back.')
    .addHelpText(
      'after',
      `
The audit log keeps what the account did and what was done to it, for CARDPRICE_AUDIT_DAYS, but calls
it by its number. Backups and logs that were made before keep what they have.

Example:
  cardprice account delete ann@shop.example --yes`,
    )
    .action(async (email: string, { yes }: { yes?: boolean }) => {
      const deletion = await context.withStore(async (store) => {
        if (!yes) throw await whatWouldGo(context, store, email);
        const done = await new Accounts(store, context.clock).delete(email);
        await recordCommand(context, store, 'account-deleted', { subject: done.id });
        return done;
      });
      printDeletion(email, deletion, context.config().auditDays);
    });
}

/** Says what would be deleted, for a command line without `--yes`. */
async function whatWouldGo(
  { clock }: CommandContext,
  store: Store,
  email: string,
): Promise<OperatorError> {
  const keys = await new AccountKeys(store, clock).list(email);
  const active = keys.filter(({ status }) => status === 'active').length;
  return new OperatorError(
    `This would delete ${email.toLowerCase()} for good, with its keys (${keys.length}, of which ` +
      `${active} work), its sessions and what was counted of its requests. Add --yes to do it.`,
  );
}

function printDeletion(
  email: string,
  { id, rows, auditEntries, isErased }: Deletion,
  auditDays: number,
): void {
  const { api_keys: keys, sessions } = rows;
  printLine(
    `Deleted ${email.toLowerCase()}: ${keys} key(s), ${sessions} session(s), its reset links, its ` +
      'failed attempts and what was counted of its requests.',
  );
  printLine(
    `Kept ${formatCount(auditEntries)} entries of the audit log, so that it stays known what was ` +
      `done. They say "${deletedName(id)}" now, and go after ${auditDays} days.`,
  );
  if (isErased) return;
  printLine(
    'A process is reading the files: the bytes that were deleted go with its next checkpoint.',
  );
}
