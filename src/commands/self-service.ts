import { SelfService } from '../accounts/sign-in/self-service.ts';
import type { Store } from '../store/connect.ts';
import type { CommandContext } from './context.ts';

/** The self-service of accounts, with the sign-up rules of the settings. */
export function selfServiceOf({ clock, config }: CommandContext, store: Store): SelfService {
  const { signUp, invitationCode } = config();
  return new SelfService(store, clock, { signUp: { isOpen: signUp, invitationCode } });
}
