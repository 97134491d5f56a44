import type { Static } from 'typebox';
import type {
  FactorsView,
  NewTotpView,
  PasskeyView,
  PendingView,
  RecoveryCodesView,
} from '../../../src/dashboard/factor-schemas.ts';
import type {
  DeletionView,
  KeyView,
  NewKeyView,
  ResetPreviewView,
  SessionEntryView,
  UsageView,
} from '../../../src/dashboard/schemas.ts';
import type { RequestsView } from '../../../src/dashboard/usage-schemas.ts';

/** The bodies of the dashboard's responses about the signed-in account. */

export type ApiKey = Static<typeof KeyView>;
/** An API key that was just created or regenerated, with its secret. */
export type NewApiKey = Static<typeof NewKeyView>;
export type SessionEntry = Static<typeof SessionEntryView>;
export type ResetPreview = Static<typeof ResetPreviewView>;
export type Deletion = Static<typeof DeletionView>;
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
