import type { Accounts } from '../accounts/accounts.ts';
import type { AuditTrail } from '../accounts/audit/audit-trail.ts';
import type { AccountKeys, KeyRules } from '../accounts/keys/account-keys.ts';
import type { Plans } from '../accounts/quota/plans.ts';
import type { UsageReport } from '../accounts/quota/usage-report.ts';
import type { SecondFactors } from '../accounts/sign-in/second-factors.ts';
import type { SelfService, SignUpRules } from '../accounts/sign-in/self-service.ts';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { SignInSteps } from '../accounts/sign-in/sign-in-steps.ts';
import type { Millis } from '../domain/day.ts';
import type { Finding } from '../domain/finding.ts';
import type { BurstLimit, BurstLimits } from '../domain/plans.ts';
import type { SyncableSource, SyncRun } from '../domain/sync-run.ts';
import type { ServiceResources } from '../http/v1/endpoint.ts';
import type { Store } from '../store/connect.ts';
import type { QuarantineFilter } from '../store/quarantine/quarantine.ts';
import type { SourceHealth } from '../store/reports/health.ts';
import type { AfterAnswer } from './after-answer.ts';
import type { Brand } from './brand.ts';
import type { Mailer } from './mail.ts';
import type { PictureReader } from './pictures.ts';
import type { SecurityContacts } from './security-text.ts';

/**
 * How operators decide on the quarantined prices that a filter means. What was decided on already
 * is skipped, and so are ids that are no longer quarantined.
 */
export interface QuarantineReview {
  /**
   * Serves prices that are right after all, and publishes them.
   *
   * @throws OperatorError while an import is running.
   */
  approve(filter: QuarantineFilter): Promise<Decision>;
  /** Keeps prices that are wrong from ever being served or listed again. */
  reject(filter: QuarantineFilter): Promise<Decision>;
  /** Takes rejections back: the prices wait for a decision again. */
  undo(filter: QuarantineFilter): Promise<Decision>;
  /**
   * Takes the approval back that was made at a moment: what was served before is served again, and
   * the prices wait for a decision. Those that their source has reported anew are refused.
   *
   * @throws OperatorError while an import is running.
   */
  undoApproval(decidedAt: Millis): Promise<Decision>;
}

export interface Decision {
  /** How many it took effect on. */
  readonly decided: number;
  /** How many of those changed what is served. */
  readonly pricesChanged: number;
  /** How many stay as they are, because no price can be so, or something newer is known. */
  readonly refused: number;
  /** The moment by which the decision can be undone; null for one that undid another. */
  readonly decidedAt: Millis | null;
}

/** How the service is, and what it has of the machine. */
export interface MachineHealth {
  readonly findings: readonly Finding[];
  /** The processes that answer requests on this machine. */
  readonly processes: number;
  /** When the next sync begins; null where the service does not sync by itself. */
  readonly nextSyncAt: Millis | null;
  /** The files of a SQLite database; none of a server. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  /** Null for a server. */
  readonly freeBytes: number | null;
  /** When the newest backup beside the database was made; null for none. */
  readonly backupAt: Millis | null;
}

/** Syncs that operators start by hand, one at a time. */
export interface ManualSyncs {
  /**
   * Starts to sync a source, or all with null, and returns at once.
   *
   * @throws OperatorError while a sync is running.
   */
  start(source: string | null): Promise<SyncRun>;
  /** The last one, which may be under way; null before the first. */
  read(): Promise<SyncRun | null>;
}

/** What the commands give the dashboard. */
export interface DashboardOptions {
  readonly store: Store;
  readonly clock: () => Millis;
  readonly version: string;
  /** What card data are answered from, as in the API. */
  readonly resources: ServiceResources;
  readonly health: () => Promise<readonly SourceHealth[]>;
  readonly machine: () => Promise<MachineHealth>;
  readonly syncs: ManualSyncs;
  /** The sources that are set to be synced. */
  readonly syncable: readonly SyncableSource[];
  readonly review: QuarantineReview;
  /** Whether visitors without an account may read cards. */
  readonly isPublic: boolean;
  readonly brand: Brand;
  readonly signUp: SignUpRules;
  readonly keyRules: KeyRules;
  /** The burst limits of plans that have none of their own, by plan, and that of each API key. */
  readonly burst: BurstLimits;
  readonly keyBurst: BurstLimit | null;
  /** For how many days the audit log is kept. */
  readonly auditDays: number;
  /** Gets what the calls do; the dashboard closes it. */
  readonly trail: AuditTrail;
  /** Whether operators need a second factor. */
  readonly operatorSecondFactor: boolean;
  /** The web origin that links begin with; `''` for that of the request. */
  readonly publicUrl: string;
  /**
   * Sends links and notices; links need the `publicUrl`. Without one, operators confirm those who
   * sign up, and hand over links to set a password.
   */
  readonly mailer?: Mailer | undefined;
  /** Without one there are no pictures. */
  readonly pictures?: PictureReader | undefined;
  /** Whom weaknesses are reported to. Without a contact there is no security.txt. */
  readonly security?: SecurityContacts | undefined;
  /** The folder of the built pages. */
  readonly pages: URL;
}

/** What the handlers of the dashboard work with. */
export interface Services extends DashboardOptions {
  readonly accounts: Accounts;
  readonly keys: AccountKeys;
  readonly secondFactors: SecondFactors;
  readonly selfService: SelfService;
  readonly plans: Plans;
  readonly signInSteps: SignInSteps;
  readonly sessions: Sessions;
  readonly usage: UsageReport;
  readonly afterAnswer: AfterAnswer;
}
