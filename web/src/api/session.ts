import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Static } from 'typebox';
import type { Me, SessionView } from '../../../src/dashboard/views.ts';
import type { Feature } from '../../../src/domain/plans.ts';

/** The signed-in account, and the settings that every page needs. */

export const SESSION_PATH = '/dashboard/session';

export type SessionInfo = Static<typeof SessionView>;
export type Account = Static<typeof Me>;

export interface Session extends SessionInfo {
  /** Signs the pages in to `account`. */
  setSignedIn(account: Account): void;
  /** Signs the pages out and shows `message` on the sign-in page. */
  setSignedOut(message: string): void;
  /** Why the session ended; empty for no reason. */
  readonly signedOutMessage: string;
  /** Fetches the session from the server again. */
  refresh(): void;
  /** The server's clock minus the reader's, in milliseconds. */
  readonly clockOffset: number;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/**
 * Returns the session.
 *
 * @throws Error outside the provider of {@link SessionContext}.
 */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('there is a session only below its provider');
  return session;
}

/**
 * Returns the account that is signed in.
 *
 * @throws Error if nobody is signed in. Only pages for accounts may use it.
 */
export function useAccount(): Account {
  const { account } = useSession();
  if (!account) throw new Error('this page is shown only when somebody is signed in');
  return account;
}

interface FeatureAccess {
  /** Whether the account's plan includes the feature or the account is an operator's. */
  readonly isIncluded: boolean;
  /** The label of the cheapest plan that includes the feature. */
  readonly cheapestPlan: string | undefined;
}

/** Returns whether the account may use a feature of the API, and which plan includes it. */
export function useFeature(feature: Feature): FeatureAccess {
  const { plans, account } = useSession();
  const including = plans.filter(({ features }) => features.includes(feature));
  const isInPlan = including.some(({ name }) => name === account?.plan);
  return {
    isIncluded: isInPlan || account?.isOperator === true,
    cheapestPlan: including[0]?.label,
  };
}

/** Returns a function that names games by slug. An unknown game is named by its slug. */
export function useGameNames(): (slug: string) => string {
  const { games } = useSession();
  return (slug) => games.find(({ id }) => id === slug)?.name ?? slug;
}

/** Returns a function that labels plans by name. An unknown plan is its own label. */
export function usePlanLabels(): (plan: string) => string {
  const { plans } = useSession();
  return (plan) => plans.find(({ name }) => name === plan)?.label ?? plan;
}
