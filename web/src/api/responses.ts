import type { Static } from 'typebox';
import type {
  DeletionView,
  FactorsView,
  MovedSetView,
  NewTotpView,
  PasskeyView,
  PendingView,
  PriceCountsView,
  RecoveryCodesView,
  RequestsView,
  ResetPreviewView,
  SessionEntryView,
  UsageView,
} from '../../../src/dashboard/views.ts';
import type {
  AlertEventItem,
  AlertItem,
  AlertPreview as AlertPreviewView,
} from '../../../src/http/alert-schemas.ts';
import type { ExplainedCard } from '../../../src/http/explain-schemas.ts';
import type { ProductDetail, ProductSummary } from '../../../src/http/product-schemas.ts';
import type { ResolvedItem } from '../../../src/http/resolve-schemas.ts';
import type {
  CardDetail,
  CardSummary,
  GameItem,
  PeriodHistory,
  SetItem,
} from '../../../src/http/schemas.ts';
import type {
  PriceIndexBody as PriceIndex,
  RarityItem,
  Related,
  SetDetail,
} from '../../../src/http/set-schemas.ts';
import type {
  DeliveryItem,
  NewWebhookView,
  WebhookView,
} from '../../../src/http/webhook-schemas.ts';
import type {
  AccountsPage,
  AccountView,
  AuditEntryView,
  AuditPage,
  DecisionView,
  HealthView,
  KeyView,
  ListedDecisions,
  ListedDecisionView,
  NewKeyView,
  OperatorPlanView,
  QuarantineDigestView,
  QuarantinedSetView,
  QuarantinedView,
  QuarantineGroups,
  QuarantineGroupView,
  QuarantineList,
  ResetLinkView,
  SourceHealthView,
  SyncView,
} from '../../../src/operator/views.ts';
import type { Understood } from '../../../src/search/index.ts';

/** The bodies of the responses about cards and sets. */

export type CardSummaryBody = Static<typeof CardSummary>;
export type CardBody = Static<typeof CardDetail>;
export type ProductSummaryBody = Static<typeof ProductSummary>;
export type ProductBody = Static<typeof ProductDetail>;
export type RelatedBody = Static<typeof Related>;
export type PrintingBody = CardBody['printings'][number];
export type ExplanationBody = Static<typeof ExplainedCard>;
export type HistoryBody = Static<typeof PeriodHistory>;
export type GameBody = Static<typeof GameItem>;
export type SetBody = Static<typeof SetItem>;
export type RarityBody = Static<typeof RarityItem>;
export type PriceIndexBody = Static<typeof PriceIndex>;
export type SetDetailBody = Static<typeof SetDetail>;
export type ResolvedBody = Static<typeof ResolvedItem>;
export type CandidateBody = NonNullable<ResolvedBody['candidates']>[number];

/** A page of a list. */
export interface PageBody<Item> {
  readonly data: readonly Item[];
  /** The items on all pages. */
  readonly total: number;
  /** The items before these. */
  readonly offset: number;
}

export interface SearchPageBody extends PageBody<CardSummaryBody> {
  /** The most similar name of a card, if no card matches. */
  readonly suggestion?: string;
  /** The query in the spelling of the first card, if a word was misspelt. */
  readonly corrected?: string;
  /** How the query was read, if it was more than a name. */
  readonly understood?: Understood;
  /** The products for the words, if the words show that they mean products. */
  readonly hint?: { readonly total: number; readonly products: readonly ProductSummaryBody[] };
}

/** A card with a printing whose price has changed. */
export interface MoverBody extends CardSummaryBody {
  /** Dollars before and now. */
  readonly from: number;
  readonly to: number;
  /** Dollars. */
  readonly amount: number;
  readonly percent: number;
}

export interface LeftOutBody extends MoverBody {
  /** A sentence that explains why the change is not trusted. */
  readonly detail: string;
}

/** A page of movers. */
export interface MoversBody extends PageBody<MoverBody> {
  readonly leftOut: readonly LeftOutBody[];
  /** The newest day (UTC); null without prices. */
  readonly asOf: string | null;
}

/** The bodies of the dashboard's responses about the signed-in account. */

export type ApiKey = Static<typeof KeyView>;
/** An API key that was just created or regenerated, with its secret. */
export type NewApiKey = Static<typeof NewKeyView>;
export type Webhook = Static<typeof WebhookView>;
/** A webhook with its new secret. */
export type NewWebhook = Static<typeof NewWebhookView>;
export type Delivery = Static<typeof DeliveryItem>;
export type Alert = Static<typeof AlertItem>;
export type AlertEvent = Static<typeof AlertEventItem>;
export type AlertPreview = Static<typeof AlertPreviewView>;
export type SessionEntry = Static<typeof SessionEntryView>;
export type ResetPreview = Static<typeof ResetPreviewView>;
export type Deletion = Static<typeof DeletionView>;
export type MovedSet = Static<typeof MovedSetView>;
export type PriceCounts = Static<typeof PriceCountsView>;
export type Usage = Static<typeof UsageView>;
export type UsageDay = Usage['days'][number];
export type Requests = Static<typeof RequestsView>;
export type RequestCount = Requests['counts'][number];
export type RecentRequest = Requests['recent'][number];
/** A sign-in that waits for a second factor. */
export type PendingSignIn = Static<typeof PendingView>;
export type Factors = Static<typeof FactorsView>;
export type Passkey = Static<typeof PasskeyView>;
export type NewTotp = Static<typeof NewTotpView>;
export type RecoveryCodes = Static<typeof RecoveryCodesView>['recoveryCodes'];

/** The bodies of the dashboard's responses to an operator. */

export type ListedAccount = Static<typeof AccountView>;
export type AccountsBody = Static<typeof AccountsPage>;
export type AuditEntry = Static<typeof AuditEntryView>;
export type AuditBody = Static<typeof AuditPage>;
export type OperatorPlan = Static<typeof OperatorPlanView>;
export type ResetLink = Static<typeof ResetLinkView>;
export type Health = Static<typeof HealthView>;
export type SourceHealth = Static<typeof SourceHealthView>;
export type Sync = Static<typeof SyncView>;
export type SyncRun = NonNullable<Sync['run']>;
export type QuarantinedItem = Static<typeof QuarantinedView>;
export type QuarantineBody = Static<typeof QuarantineList>;
export type QuarantineGroup = Static<typeof QuarantineGroupView>;
export type QuarantineDigestBody = Static<typeof QuarantineDigestView>;
export type QuarantineGroupsBody = Static<typeof QuarantineGroups>;
export type QuarantinedSet = Static<typeof QuarantinedSetView>;
export type MarketTrail = NonNullable<QuarantinedItem['history']>;
export type Decision = Static<typeof DecisionView>;
export type ListedDecision = Static<typeof ListedDecisionView>;
export type DecisionsBody = Static<typeof ListedDecisions>;
