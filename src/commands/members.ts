import { Members } from '../accounts/members.ts';
import type { Store } from '../store/connect.ts';
import type { CommandContext } from './context.ts';

/** What people do with accounts of their own, by the settings. */
export function membersOf({ clock, config }: CommandContext, store: Store): Members {
  const { signUp, invitationCode } = config();
  return new Members(store, clock, { signUp: { isOpen: signUp, invitationCode } });
}
