import { userInfo } from 'node:os';
import { type AuditEntry, AuditLog, COMMAND_LINE } from '../accounts/audit/audit.ts';
import type { AuditAction } from '../domain/audit.ts';
import type { Store } from '../store/connect.ts';
import type { CommandContext } from './context.ts';
import { printErrorLine } from './output.ts';

/**
 * Records in the audit log what a command has done, and as which user of the system. A failure is
 * printed and changes nothing of the outcome.
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
    printErrorLine(`cardprice: this could not be written into the audit log: ${reason}`);
  }
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A user of a container may have no name.
    return String(process.getuid?.() ?? 'unknown');
  }
}
