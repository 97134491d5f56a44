import type { Operator, Session } from '../accounts/sign-in/sessions.ts';
import type { Call, CallRequest, CallSchema } from '../operator/call.ts';
import type { Access } from './hooks.ts';
import type { Services } from './services.ts';

/** The sender that a handler receives, by who may call its route. */
interface SenderFor {
  readonly anyone: undefined;
  readonly visitor: Session | undefined;
  readonly account: Session;
  readonly operator: Operator;
}

/** One JSON call of a page. Its path is below `/dashboard`. */
export interface Route<Allowed extends Access = Access, Schema extends CallSchema = CallSchema>
  extends Call<Services, SenderFor[Allowed], Schema> {
  /** Who may call. The type of the session that `handle` receives follows from it. */
  readonly access: Allowed;
  /** Whether an operator who still lacks a required second factor may call it. */
  readonly isForNewOperators?: boolean;
}

/** The request and the reply of a call. */
export type Exchange = Pick<CallRequest, 'request' | 'reply'>;

export type AnyRoute = Route<'anyone'> | Route<'visitor'> | Route<'account'> | Route<'operator'>;

/** Types the handler of a route by its schema and its `access`. */
export function defineRoute<Allowed extends Access, Schema extends CallSchema>(
  route: Route<Allowed, Schema>,
): Route<Allowed> {
  return route;
}
