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
 * The operators' decisions on the quarantined prices that a filter selects. Skips prices that were
 * already decided on, and ids that are no longer quarantined.
 */
export interface QuarantineReview {
  /**
   * Serves prices that turned out to be right, and publishes them.
   *
   * @throws OperatorError while an import is running.
   */
  approve(filter: QuarantineFilter): Promise<Decision>;
  /** Prevents wrong prices from being served or listed again. */
  reject(filter: QuarantineFilter): Promise<Decision>;
  /** Undoes rejections: the prices wait for a decision again. */
  undo(filter: QuarantineFilter): Promise<Decision>;
  /**
   * Undoes the decision made at a moment: the prices wait for a decision again, and the service
   * shows the earlier prices again. Refuses approved prices that their source has reported since.
   *
   * @throws OperatorError if it was an approval and an import is running.
   */
  undoDecision(decidedAt: Millis): Promise<Decision>;
}

export interface Decision {
  /** The prices that were decided on. */
  readonly decided: number;
  /** The prices that changed a served price. */
  readonly pricesChanged: number;
  /** The prices that stay unchanged: they cannot be prices, or something newer is known. */
  readonly refused: number;
  /** The moment that identifies the decision; null if it undid another decision. */
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
   * Starts to sync a source, or all sources for null, and returns at once.
   * @throws OperatorError while a sync is running.
   */
  start(source: string | null): Promise<SyncRun>;
  /** The last sync, possibly still running; null before the first. */
  read(): Promise<SyncRun | null>;
}

/** The values that the commands supply for the calls of operators. */
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
  /** Records the actions of the calls. The dashboard closes it. */
  readonly trail: AuditTrail;
  /** The web origin of links; `''` for the origin of the request. */
  readonly publicUrl: string;
}

/** The dependencies of the handlers of operators' calls. */
export interface OperatorServices extends OperatorOptions {
  readonly accounts: Accounts;
  readonly keys: AccountKeys;
  readonly plans: Plans;
  readonly secondFactors: SecondFactors;
  readonly selfService: SelfService;
  readonly usage: UsageReport;
  readonly replays: Replays;
  /** The same services with another store: a transaction. */
  within(store: Store): OperatorServices;
}
