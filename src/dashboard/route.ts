import type { Alerts } from '../accounts/alerts/alerts.ts';
import type { KeyRules } from '../accounts/keys/account-keys.ts';
import type { Passwords } from '../accounts/sign-in/passwords.ts';
import type { SignUpRules } from '../accounts/sign-in/self-service.ts';
import type { Operator, Session, Sessions } from '../accounts/sign-in/sessions.ts';
import type { SignInSteps } from '../accounts/sign-in/sign-in-steps.ts';
import type { Webhooks } from '../accounts/webhooks/webhooks.ts';
import type { BurstLimit, BurstLimits } from '../domain/plans.ts';
import type { ServiceResources } from '../http/v1/endpoint.ts';
import type { Call, CallRequest, CallSchema, Created } from '../operator/call.ts';
import type { OperatorOptions, OperatorServices } from '../operator/services.ts';
import type { Store } from '../store/connect.ts';
import type { Brand } from './brand.ts';
import type { Access, PageQuotas } from './hooks.ts';
import type { AfterAnswer, Mailer } from './mail.ts';
import type { PictureReader } from './pictures.ts';
import type { SecurityContacts } from './well-known.ts';

/** The values that the commands supply to the dashboard. */
export interface DashboardOptions extends OperatorOptions {
  /** The sources of card data, as in the API. */
  readonly resources: ServiceResources;
  /** Whether visitors without an account may read cards. */
  readonly isPublic: boolean;
  readonly brand: Brand;
  readonly signUp: SignUpRules;
  readonly keyRules: KeyRules;
  /** The burst limits of plans that define none, by plan. */
  readonly burst: BurstLimits;
  /** The burst limit of each API key. */
  readonly keyBurst: BurstLimit | null;
  /** The private networks that webhooks may be in. */
  readonly webhookNetworks: readonly string[];
  /** How many days the audit log is kept. */
  readonly auditDays: number;
  /** Whether operators need a second factor. */
  readonly operatorSecondFactor: boolean;
  /**
   * Sends links and notices; links need the `publicUrl`. Without it, operators confirm new accounts
   * and hand over links to set a password.
   */
  readonly mailer?: Mailer | undefined;
  /** Hashes passwords, at the recommended cost by default. */
  readonly passwords?: Passwords | undefined;
  /** Without it, there are no pictures. */
  readonly pictures?: PictureReader | undefined;
  /** The contact for reports of vulnerabilities. Without one there is no security.txt. */
  readonly security?: SecurityContacts | undefined;
  /** The folder of the built pages. */
  readonly pages: URL;
}

/** The dependencies of the dashboard's handlers. */
export interface Services extends DashboardOptions, OperatorServices {
  readonly resources: ServiceResources;
  readonly signInSteps: SignInSteps;
  readonly sessions: Sessions;
  readonly webhooks: Webhooks;
  readonly alerts: Alerts;
  readonly pageQuotas: PageQuotas;
  readonly afterAnswer: AfterAnswer;
  within(store: Store): Services;
}

/** The sender that a handler receives, according to the access of its route. */
interface SenderFor {
  readonly anyone: undefined;
  readonly visitor: Session | undefined;
  readonly account: Session;
  readonly operator: Operator;
}

/** One JSON call of a page. Its path is below `/dashboard`. */
export interface Route<
  Allowed extends Access = Access,
  Schema extends CallSchema = CallSchema,
  Prepared = unknown,
> extends Call<Services, SenderFor[Allowed], Schema, Prepared> {
  /** The callers. It determines the type of the session that `handle` receives. */
  readonly access: Allowed;
  /** Whether an operator who lacks a required second factor may call it. */
  readonly isForNewOperators?: boolean;
}

/** The request and the reply of a call. */
export type Exchange = Pick<CallRequest, 'request' | 'reply'>;

export type AnyRoute = Route<'anyone'> | Route<'visitor'> | Route<'account'> | Route<'operator'>;

/** Types the handler of a route by its schema and its `access`. */
export function defineRoute<Allowed extends Access, Schema extends CallSchema, Prepared>(
  route: Route<Allowed, Schema, Prepared> & Created,
): Route<Allowed> {
  return route;
}
