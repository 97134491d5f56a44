import { userInfo } from 'node:os';
import { type AuditEntry, AuditLog, COMMAND_LINE } from '../accounts/audit/audit.ts';
import type { AuditAction } from '../domain/audit.ts';
import type { Store } from '../store/connect.ts';
import type { CommandContext } from './context.ts';
import { printErrorLine } from './output.ts';

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
    printErrorLine(`cardprice: the audit log could not be written: ${reason}`);
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
