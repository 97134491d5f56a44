import type { Accounts } from '../accounts/accounts.ts';
import type { AuditTrail } from '../accounts/audit/audit.ts';
import type { AccountKeys } from '../accounts/keys/account-keys.ts';
import type { Plans } from '../accounts/quota/plans.ts';
import type { UsageReport } from '../accounts/quota/usage-report.ts';
import type { Replays } from '../accounts/replays.ts';
import type { SecondFactors } from '../accounts/sign-in/second-factors.ts';
import type { SelfService } from '../accounts/sign-in/self-service.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Millis } from '../domain/day.ts';
import type { Finding } from '../domain/finding.ts';
import type { SyncableSource, SyncRun } from '../domain/sync.ts';
import type { Store } from '../store/connect.ts';
import type { QuarantineFilter } from '../store/quarantine/quarantine.ts';
import type { SourceHealth } from '../store/reports/health.ts';

/**
 * How operators decide on the quarantined prices that a filter selects. Prices that were already
 * decided on, and ids that are no longer quarantined, are skipped.
 */
export interface QuarantineReview {
  /**
   * Serves prices that are right after all, and publishes them.
   *
   * @throws OperatorError while an import is running.
   */
  approve(filter: QuarantineFilter): Promise<Decision>;
  /** Keeps wrong prices from ever being served or listed again. */
  reject(filter: QuarantineFilter): Promise<Decision>;
  /** Undoes rejections: the prices wait for a decision again. */
  undo(filter: QuarantineFilter): Promise<Decision>;
  /**
   * Undoes the decision made at a moment: the prices wait for a decision again, and the service
   * shows what it showed before. Approved prices that their source has reported again since are
   * refused.
   *
   * @throws OperatorError if it was an approval and an import is running.
   */
  undoDecision(decidedAt: Millis): Promise<Decision>;
}

export interface Decision {
  /** How many prices were decided on. */
  readonly decided: number;
  /** How many of those changed a served price. */
  readonly pricesChanged: number;
  /** How many stay as they are: they cannot be prices, or something newer is known. */
  readonly refused: number;
  /** The moment that identifies the decision; null if it undid another one. */
  readonly decidedAt: Millis | null;
}

/** The state of the service and of the machine under it. */
export interface MachineHealth {
  readonly findings: readonly Finding[];
  /** The processes that answer requests on this machine. */
  readonly processes: number;
  /** When the next sync begins; null if the service does not sync by itself. */
  readonly nextSyncAt: Millis | null;
  /** The files of a SQLite database; empty for a server. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  /** Null for a server. */
  readonly freeBytes: number | null;
  /** When the newest backup next to the database was made; null if there is none. */
  readonly backupAt: Millis | null;
}

/** Syncs that operators start by hand, one at a time. */
export interface ManualSyncs {
  /**
   * Starts to sync a source, or all of them for null, and returns at once.
   *
   * @throws OperatorError while a sync is running.
   */
  start(source: string | null): Promise<SyncRun>;
  /** The last one, which may be running; null before the first. */
  read(): Promise<SyncRun | null>;
}

/** What the commands supply for the calls of operators. */
export interface OperatorOptions {
  readonly store: Store;
  readonly clock: () => Millis;
  readonly version: string;
  readonly resources: { readonly catalog: Catalog };
  readonly health: () => Promise<readonly SourceHealth[]>;
  readonly machine: () => Promise<MachineHealth>;
  readonly syncs: ManualSyncs;
  /** The sources that are configured to be synced. */
  readonly syncable: readonly SyncableSource[];
  readonly review: QuarantineReview;
  /** Records what the calls do; the dashboard closes it. */
  readonly trail: AuditTrail;
  /** The web origin of links; `''` for the origin of the request. */
  readonly publicUrl: string;
}

/** What the handlers of operators' calls work with. */
export interface OperatorServices extends OperatorOptions {
  readonly accounts: Accounts;
  readonly keys: AccountKeys;
  readonly plans: Plans;
  readonly secondFactors: SecondFactors;
  readonly selfService: SelfService;
  readonly usage: UsageReport;
  readonly replays: Replays;
  /** The same services, which use another store: a transaction. */
  within(store: Store): OperatorServices;
}
