import { Command } from 'commander';
import type { Deletion } from '../accounts/account-deletion-sql.ts';
import { Accounts } from '../accounts/accounts.ts';
import { deletedName } from '../accounts/audit/audit-sql.ts';
import { AccountKeys } from '../accounts/keys/account-keys.ts';
import { OperatorError } from '../domain/errors.ts';
import type { Store } from '../store/connect.ts';
import { recordCommand } from './audit.ts';
import type { CommandContext } from './context.ts';
import { formatCount, printLine } from './output.ts';

/** `cardprice account delete`: permanently deletes an account, and shows what is kept. */
export function deleteCommand(context: CommandContext): Command {
  return new Command('delete')
    .description('Delete an account with its keys, its sessions and its usage.')
    .argument('<email>', 'The account.')
    .option('--yes', 'Confirm the deletion. It cannot be undone.')
    .addHelpText(
      'after',
      `
The audit log keeps entries about the account for CARDPRICE_AUDIT_DAYS days, but with its number
instead of its address. Earlier backups and logs do not change.

Example:
  cardprice account delete ann@shop.example --yes`,
    )
    .action(async (email: string, { yes }: { yes?: boolean }) => {
      const deletion = await context.withStore(async (store) => {
        if (!yes) throw await needsConfirmation(context, store, email);
        const done = await new Accounts(store, context.clock).delete(email);
        await recordCommand(context, store, 'account-deleted', { subject: done.id });
        return done;
      });
      printDeletion(email, deletion, context.config().auditDays);
    });
}

/** Returns an error that lists what `--yes` would delete. */
async function needsConfirmation(
  { clock }: CommandContext,
  store: Store,
  email: string,
): Promise<OperatorError> {
  const keys = await new AccountKeys(store, clock).list(email);
  const active = keys.filter(({ status }) => status === 'active').length;
  return new OperatorError(
    `This would permanently delete ${email.toLowerCase()}, its keys (${keys.length}, ${active} ` +
      'active), its sessions and its usage. Add --yes to delete them.',
  );
}

function printDeletion(
  email: string,
  { id, rows, auditEntries, isErased }: Deletion,
  auditDays: number,
): void {
  const { api_keys: keys, sessions } = rows;
  printLine(
    `Deleted ${email.toLowerCase()}: ${keys} key(s), ${sessions} session(s), its reset links, ` +
      'its failed attempts and its usage.',
  );
  printLine(
    `Kept ${formatCount(auditEntries)} entries of the audit log. They now name ` +
      `"${deletedName(id)}" and are deleted after ${auditDays} days.`,
  );
  if (isErased) return;
  printLine('A process is reading the files. The deleted bytes are erased at the next checkpoint.');
}
