import type { Static } from 'typebox';
import type { HealthView } from '../../../src/dashboard/health-schemas.ts';
import type { OperatorPlanView } from '../../../src/dashboard/operator-schemas.ts';
import type {
  DecisionView,
  ListedDecisions,
  ListedDecisionView,
  QuarantinedSetView,
  QuarantinedView,
  QuarantineGroups,
  QuarantineGroupView,
  QuarantineList,
} from '../../../src/dashboard/quarantine-schemas.ts';
import type {
  AccountsPage,
  AccountView,
  AuditEntryView,
  AuditPage,
  ResetLinkView,
  SourceHealthView,
} from '../../../src/dashboard/schemas.ts';
import type { SyncView } from '../../../src/dashboard/sync-schemas.ts';

/** The bodies of the dashboard's responses to an operator. */

export type ListedAccount = Static<typeof AccountView>;
export type AccountsBody = Static<typeof AccountsPage>;
export type AuditEntry = Static<typeof AuditEntryView>;
export type AuditBody = Static<typeof AuditPage>;
export type OperatorPlan = Static<typeof OperatorPlanView>;
export interface OperatorPlansBody {
  readonly data: readonly OperatorPlan[];
}
export type ResetLink = Static<typeof ResetLinkView>;
export type Health = Static<typeof HealthView>;
export type SourceHealth = Static<typeof SourceHealthView>;
export type Sync = Static<typeof SyncView>;
export type SyncRun = NonNullable<Sync['run']>;
export type QuarantinedItem = Static<typeof QuarantinedView>;
export type QuarantineBody = Static<typeof QuarantineList>;
export type QuarantineGroup = Static<typeof QuarantineGroupView>;
export type QuarantineGroupsBody = Static<typeof QuarantineGroups>;
export type QuarantinedSet = Static<typeof QuarantinedSetView>;
export type MarketTrail = NonNullable<QuarantinedItem['history']>;
export type Decision = Static<typeof DecisionView>;
export type ListedDecision = Static<typeof ListedDecisionView>;
export type DecisionsBody = Static<typeof ListedDecisions>;
